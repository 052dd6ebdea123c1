package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// fileFields are the top-level blocks of a tokenizer.json by name, undecoded.
type fileFields map[string]json.RawMessage

// modelSettings are the members of the "model" block that are not large.
type modelSettings struct {
	Type         string
	UnkID        *int32
	UnkToken     *string
	ByteFallback bool
	FuseUnk      bool
	IgnoreMerges bool
	Dropout      *float64
	Prefix       *string
	Suffix       *string
	MaxChars     *int
}

// Load reads a Hugging Face tokenizer.json. data is not kept. A file that is
// damaged, or that asks for something this package does not do, is an error
// that names the place; it never loads with other ids than the reference's.
//
// Whether the bytes are the ones meant (SHA-256) is for the caller to check.
func Load(data []byte) (*Tokenizer, error) {
	if !utf8.Valid(data) || !json.Valid(data) {
		return nil, errors.New("tokenizer: the file is not valid JSON: it is damaged or not a tokenizer.json")
	}
	t, err := load(data)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: %w", err)
	}
	return t, nil
}

func load(data []byte) (*Tokenizer, error) {
	fields, err := object(data)
	if err != nil {
		return nil, err
	}
	block, err := object(fields["model"])
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	settings, err := readSettings(block)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	t, added, err := loadPipeline(fields, nil)
	if err != nil {
		return nil, err
	}
	var m loadedModel
	if m, err = loadModel(settings, block, t.hidden(added)); err != nil {
		return nil, fmt.Errorf("model of type %q: %w", settings.Type, err)
	}
	t.model = m.model
	if err := numberAdded(added, m.find, m.entries); err != nil {
		return nil, err
	}
	if err := t.finish(added, m.rows, fields); err != nil {
		return nil, err
	}
	if u, ok := m.model.(*unigram[float32]); ok {
		delete(fields, "model")
		for name, raw := range fields {
			fields[name] = bytes.Clone(raw) // or the whole file would stay in memory
		}
		t.flat = &flatParts{fields: fields, settings: settings, model: u}
	}
	return t, nil
}

// object splits a JSON object into its members. The file's own bytes stay
// referenced by the values.
func object(raw []byte) (fileFields, error) {
	raw = raw[skipTo(raw, 0):]
	if kind(raw) != '{' {
		return nil, errors.New("an object is missing")
	}
	fields := fileFields{}
	for key, value := range members(raw) {
		name, err := unquote(key)
		if err != nil {
			return nil, err
		}
		fields[name] = value
	}
	return fields, nil
}

// read decodes a member into v; an absent one leaves v as it is.
func (f fileFields) read(name string, v any) error {
	if isNull(f[name]) {
		return nil
	}
	if err := json.Unmarshal(f[name], v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func readSettings(block fileFields) (modelSettings, error) {
	var s modelSettings
	for _, member := range []struct {
		name string
		into any
	}{
		{"type", &s.Type},
		{"unk_id", &s.UnkID},
		{"unk_token", &s.UnkToken},
		{"byte_fallback", &s.ByteFallback},
		{"fuse_unk", &s.FuseUnk},
		{"ignore_merges", &s.IgnoreMerges},
		{"dropout", &s.Dropout},
		{"continuing_subword_prefix", &s.Prefix},
		{"end_of_word_suffix", &s.Suffix},
		{"max_input_chars_per_word", &s.MaxChars},
	} {
		if err := block.read(member.name, member.into); err != nil {
			return s, err
		}
	}
	return s, nil
}

// loadPipeline reads everything but the model. charsmap is the map of a
// Precompiled that carries none.
func loadPipeline(fields fileFields, charsmap []byte) (*Tokenizer, []addedToken, error) {
	var version string
	if err := fields.read("version", &version); err != nil {
		return nil, nil, err
	}
	if version != "1.0" {
		return nil, nil, fmt.Errorf("version %q is not supported, only \"1.0\" is", version)
	}
	var added []addedToken
	err := fields.read("added_tokens", &added)
	if err != nil {
		return nil, nil, err
	}
	t := &Tokenizer{}
	if t.normalizers, err = loadNormalizers(fields["normalizer"], charsmap); err != nil {
		return nil, nil, err
	}
	if t.splitters, err = loadSplitters(fields["pre_tokenizer"]); err != nil {
		return nil, nil, err
	}
	if t.prefix, t.suffix, err = loadFrame(fields["post_processor"]); err != nil {
		return nil, nil, err
	}
	return t, added, nil
}

// hidden returns the ids that no text may become: those of special tokens and
// those that frame a text.
func (t *Tokenizer) hidden(added []addedToken) map[int32]bool {
	ids := map[int32]bool{}
	for _, tok := range added {
		if tok.Special {
			ids[int32(tok.ID)] = true
		}
	}
	for _, list := range [][]int32{t.prefix, t.suffix} {
		for _, id := range list {
			ids[id] = true
		}
	}
	return ids
}

// loadedModel is a model with what is known about its vocabulary.
type loadedModel struct {
	model   model
	find    func(piece string) (int32, bool)
	entries int // number of different pieces
	rows    int // highest id plus 1
}

func loadModel(settings modelSettings, block fileFields, hidden map[int32]bool) (loadedModel, error) {
	switch settings.Type {
	case "Unigram":
		vocab, err := readUnigramVocab(block["vocab"])
		if err != nil {
			return loadedModel{}, err
		}
		m, err := vocab.load(settings, hidden)
		keys := make([]trieKey, len(vocab.pieces))
		for id, piece := range vocab.pieces {
			keys[id] = trieKey{piece, uint32(id)}
		}
		l := describe(m, keys)
		l.entries = len(keys) // the reference counts the list, doubles included
		return l, err
	case "WordPiece":
		vocab, err := readVocab(block["vocab"])
		if err != nil {
			return loadedModel{}, err
		}
		m, err := loadWordPiece(settings, vocab, hidden)
		return describe(m, vocab), err
	case "BPE":
		vocab, err := readVocab(block["vocab"])
		if err != nil {
			return loadedModel{}, err
		}
		merges, err := readMerges(block["merges"])
		if err != nil {
			return loadedModel{}, err
		}
		m, err := loadBPE(settings, vocab, merges, hidden)
		return describe(m, vocab), err
	}
	return loadedModel{}, errors.New("this type is not supported, only Unigram, WordPiece and BPE are: choose another model")
}

// describe indexes the vocabulary of a model.
func describe(m model, vocab []trieKey) loadedModel {
	ids, rows := make(map[string]int32, len(vocab)), 0
	for _, k := range vocab {
		ids[k.text] = int32(k.value)
		rows = max(rows, int(k.value)+1)
	}
	find := func(piece string) (int32, bool) {
		id, ok := ids[piece]
		return id, ok
	}
	return loadedModel{model: m, find: find, entries: len(ids), rows: rows}
}

// finish sets what depends on added tokens and on the number of model rows.
func (t *Tokenizer) finish(added []addedToken, rows int, fields fileFields) error {
	var raw, normalized []addedToken
	for _, tok := range added {
		if tok.ID < 0 || tok.ID >= maxVocab {
			return fmt.Errorf("added token %q: id %d must be in 0 to %d", tok.Content, tok.ID, maxVocab-1)
		}
		rows = max(rows, int(tok.ID)+1)
		if !tok.Normalized {
			raw = append(raw, tok)
			continue
		}
		content := []byte(tok.Content)
		for _, n := range t.normalizers {
			content = n.normalize(nil, content)
		}
		tok.Content = string(content)
		normalized = append(normalized, tok)
	}
	for _, list := range [][]int32{t.prefix, t.suffix} {
		for _, id := range list {
			if id < 0 || int(id) >= rows {
				return fmt.Errorf("post_processor: id %d is not in the vocabulary of %d", id, rows)
			}
		}
	}
	var err error
	if t.raw, err = newScanner(raw); err != nil {
		return fmt.Errorf("added_tokens: %w", err)
	}
	if t.normalized, err = newScanner(normalized); err != nil {
		return fmt.Errorf("added_tokens: %w", err)
	}
	t.size = rows
	t.pad, err = padID(added, fields)
	if err == nil && (t.pad < 0 || int(t.pad) >= rows) {
		err = fmt.Errorf("padding: pad_id %d is not in the vocabulary of %d", t.pad, rows)
	}
	return err
}

// padID returns the id of the added token that is called pad, else the one the
// padding block names, else 0.
func padID(added []addedToken, fields fileFields) (int32, error) {
	for _, tok := range added {
		switch strings.ToLower(strings.Trim(tok.Content, "<|[]>")) {
		case "pad", "padding":
			return int32(tok.ID), nil
		}
	}
	var padding struct {
		PadID int32 `json:"pad_id"`
	}
	err := fields.read("padding", &padding)
	return padding.PadID, err
}
