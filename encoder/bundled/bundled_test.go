package bundled

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"testing"

	"combray/encoder"
	"combray/internal/models"
)

// The embedded files are those of the hashes, and models.lock says the same.
func TestHashes(t *testing.T) {
	lock, err := models.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	row, err := lock.Model("bundled")
	if err != nil {
		t.Fatal(err)
	}
	f := Files()
	for role, c := range map[string]struct {
		bytes []byte
		hash  string
	}{
		models.RoleModel:     {f.Graph.Bytes, GraphSHA256},
		models.RoleTokenizer: {f.Tokenizer.Bytes, TokenizerSHA256},
		models.RoleGolden:    {goldenOf(t, f.Name).Bytes, GoldenTextSHA256},
	} {
		sum := sha256.Sum256(c.bytes)
		if got := hex.EncodeToString(sum[:]); got != c.hash {
			t.Errorf("%s has the hash %s, the constant is %s", role, got, c.hash)
		}
		if file, ok := row.File(role); !ok || file.SHA256 != c.hash || file.Bytes != int64(len(c.bytes)) {
			t.Errorf("models.lock has %+v for %s of %d bytes with hash %s", file, role, len(c.bytes), c.hash)
		}
	}
	json, err := os.ReadFile("tokenizer.json")
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(json); hex.EncodeToString(sum[:]) != jsonSHA256 {
		t.Error("tokenizer.json is not the file tokenizer.flat says it was made from")
	}
}

// The description and the row of models.lock agree.
func TestSpecMatchesLock(t *testing.T) {
	lock, err := models.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	row, err := lock.Model("bundled")
	if err != nil {
		t.Fatal(err)
	}
	s := Files().Spec
	got := []any{s.Name, s.Revision, s.Dims, s.MaxTokens, s.Window, string(s.Pooling), s.QueryPrefix, s.PassagePrefix}
	want := []any{row.Name, row.Revision, row.Dims, row.MaxTokens, row.Window, row.Pooling, row.QueryPrefix, row.PassagePrefix}
	if !slices.Equal(got, want) {
		t.Errorf("described %v, locked %v", got, want)
	}
}

// The media files and golden vectors are those of the hashes, and models.lock says the same.
func TestMediaHashes(t *testing.T) {
	lock, err := models.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	picture, voice := Picture(), Voice()
	for _, c := range []struct {
		model, role string
		source      encoder.Source
	}{
		{picture.Name, models.RoleModel, picture.Graph},
		{picture.Name, models.RoleLabels, picture.Labels},
		{voice.Name, models.RoleModel, voice.Graph},
		{picture.Name, models.RoleGolden, goldenOf(t, picture.Name)},
		{voice.Name, models.RoleGolden, goldenOf(t, voice.Name)},
	} {
		row, err := lock.Model(c.model)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(c.source.Bytes)
		if got := hex.EncodeToString(sum[:]); got != c.source.SHA256 {
			t.Errorf("%s of %s has the hash %s, the constant is %s", c.role, c.model, got, c.source.SHA256)
		}
		if file, ok := row.File(c.role); !ok || file.SHA256 != c.source.SHA256 || file.Bytes != int64(len(c.source.Bytes)) {
			t.Errorf("models.lock has %+v for %s of %s with %d bytes and hash %s", file, c.role, c.model, len(c.source.Bytes), c.source.SHA256)
		}
		if row.Revision != row.Files[0].SHA256[:12] {
			t.Errorf("%s has revision %s", c.model, row.Revision)
		}
	}
}

func goldenOf(t *testing.T, model string) encoder.Source {
	t.Helper()
	golden, known := Golden(model)
	if !known {
		t.Fatalf("%s has no golden vectors", model)
	}
	return golden
}
