package main

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/mattn/go-sqlite3"
)

// sqliteEngines are the three forms of SQLite's vector extension, in a database in
// memory: it scans, so floats and bytes find what their precision allows, and bits
// are rescored as its manual shows.
var sqliteEngines = []engine{
	{"sqlite-vec float", vecForm{column: "float[384]", value: "?1", order: `SELECT rowid FROM v WHERE e MATCH ?1 ORDER BY distance LIMIT 10`}.engine},
	{"sqlite-vec int8", vecForm{column: "int8[384]", value: "vec_quantize_int8(?1, 'unit')",
		order: `SELECT rowid FROM v WHERE e MATCH vec_quantize_int8(?1, 'unit') ORDER BY distance LIMIT 10`}.engine},
	{"sqlite-vec bit, 400 rescored", vecForm{column: "bit[384]", value: "vec_quantize_binary(?1)", floats: true,
		order: `WITH near AS (SELECT rowid, f FROM v WHERE e MATCH vec_quantize_binary(?1) ORDER BY distance LIMIT 400)
			SELECT rowid FROM near ORDER BY vec_distance_L2(f, ?1) LIMIT 10`}.engine},
}

// vecExtension names the environment variable with the path of the extension, less
// its suffix, as the Python package sqlite-vec carries it.
const vecExtension = "VERSUS_SQLITE_VEC"

func init() {
	sql.Register("sqlite3 with vectors", &sqlite3.SQLiteDriver{Extensions: []string{os.Getenv(vecExtension)}})
}

// vecForm is a form in which vectors are kept, with the floats beside it or without.
type vecForm struct {
	column, value, order string
	floats               bool
}

func (f vecForm) engine(ctx context.Context, c *cloud) (*built, error) {
	if os.Getenv(vecExtension) == "" {
		return nil, fmt.Errorf("%w: %s does not name the extension", errLeftOut, vecExtension)
	}
	db, err := sql.Open("sqlite3 with vectors", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err := f.fill(ctx, db, c); err != nil {
		return nil, err
	}
	ask, err := db.PrepareContext(ctx, f.order)
	if err != nil {
		return nil, err
	}
	var bytes int64
	if err := db.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`).Scan(&bytes); err != nil {
		return nil, err
	}
	find := func(ctx context.Context, question []float32) ([]int32, error) {
		return ids(ask.QueryContext(ctx, blob(question)))
	}
	return &built{searches: []search{{"", find}}, bytes: bytes, close: db.Close}, nil
}

func (f vecForm) fill(ctx context.Context, db *sql.DB, c *cloud) error {
	columns, values := "e "+f.column, f.value
	if f.floats {
		columns, values = columns+", +f blob", values+", ?1"
	}
	if _, err := db.ExecContext(ctx, "CREATE VIRTUAL TABLE v USING vec0("+columns+")"); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	names := "e"
	if f.floats {
		names = "e, f"
	}
	put, err := tx.PrepareContext(ctx, fmt.Sprintf("INSERT INTO v(rowid, %s) VALUES (?2, %s)", names, values))
	if err != nil {
		return err
	}
	for i, v := range c.vectors {
		if _, err := put.ExecContext(ctx, blob(v), i); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// ids reads the row numbers of an answer.
func ids(rows *sql.Rows, err error) ([]int32, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []int32
	for rows.Next() {
		var id int32
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, rows.Err()
}

// blob is a vector as the extension reads it.
func blob(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
