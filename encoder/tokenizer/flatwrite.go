package tokenizer

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// flatParts is what a tokenizer read from a file keeps for WriteFlat: the
// blocks of the file but the model, its settings and the model as built.
type flatParts struct {
	fields   fileFields
	settings modelSettings
	model    *unigram[float32]
}

// WriteFlat writes the flat form of t for [OpenFlat]. Only a Unigram tokenizer
// from [Load] whose scores are exact in single precision has one. The same file
// always gives the same bytes (TestFlatFile).
func WriteFlat(w io.Writer, t *Tokenizer) error {
	if t.flat == nil {
		return errors.New("tokenizer: only a Unigram tokenizer.json with single-precision scores, loaded by Load, has a flat form")
	}
	sections, err := t.flat.sections()
	if err != nil {
		return fmt.Errorf("tokenizer: flat form: %w", err)
	}
	out := make([]byte, flatHeader)
	copy(out, flatMagic)
	binary.LittleEndian.PutUint32(out[8:], flatVersion)
	binary.LittleEndian.PutUint32(out[12:], flatOrder)
	binary.LittleEndian.PutUint32(out[16:], uint32(t.flat.model.longest))
	for i, section := range sections {
		binary.LittleEndian.PutUint32(out[20+4*i:], uint32(len(section)))
		for len(out)%flatAlign != 0 {
			out = append(out, 0)
		}
		out = append(out, section...)
	}
	_, err = w.Write(out)
	return err
}

// sections returns the parts of the file in order.
func (p *flatParts) sections() (s [flatSections][]byte, err error) {
	if s[flatSettings], s[flatCharsmap], err = p.pipeline(); err != nil {
		return s, err
	}
	for _, unit := range p.model.trie {
		s[flatTrie] = binary.LittleEndian.AppendUint32(s[flatTrie], unit)
	}
	for _, score := range p.model.scores {
		s[flatScores] = binary.LittleEndian.AppendUint32(s[flatScores], math.Float32bits(score))
	}
	return s, nil
}

// pipeline returns the settings and the character map taken out of them.
func (p *flatParts) pipeline() (settings, charsmap []byte, err error) {
	var normalizer any
	if err := p.fields.read("normalizer", &normalizer); err != nil {
		return nil, nil, err
	}
	maps := takeMaps(normalizer)
	if len(maps) > 1 {
		return nil, nil, fmt.Errorf("the file has %d character maps, the form has room for one", len(maps))
	}
	if len(maps) == 1 {
		if charsmap, err = base64.StdEncoding.DecodeString(maps[0]); err != nil {
			return nil, nil, err
		}
	}
	settings, err = json.Marshal(map[string]any{
		"version":        "1.0",
		"added_tokens":   p.fields["added_tokens"],
		"normalizer":     normalizer,
		"pre_tokenizer":  p.fields["pre_tokenizer"],
		"post_processor": p.fields["post_processor"],
		"padding":        p.fields["padding"],
		"model":          map[string]any{"type": "Unigram", "unk_id": p.settings.UnkID, "byte_fallback": p.settings.ByteFallback},
	})
	return settings, charsmap, err
}

// takeMaps removes the character maps from a normalizer block and returns them.
func takeMaps(block any) (maps []string) {
	switch v := block.(type) {
	case []any:
		for _, part := range v {
			maps = append(maps, takeMaps(part)...)
		}
	case map[string]any:
		if m, ok := v["precompiled_charsmap"].(string); ok {
			maps = append(maps, m)
			delete(v, "precompiled_charsmap")
		}
		maps = append(maps, takeMaps(v["normalizers"])...)
	}
	return maps
}
