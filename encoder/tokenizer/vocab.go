package tokenizer

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxVocab bounds ids and the number of entries; vocabularies seen stay below
// two million.
const maxVocab = 1 << 24

// readVocab reads {"piece": id, ...}; of equal pieces the last counts.
func readVocab(raw []byte) ([]trieKey, error) {
	if kind(raw) != '{' {
		return nil, errors.New("vocab must be an object of pieces and their ids")
	}
	var keys []trieKey
	for name, value := range members(raw) {
		piece, err := unquote(name)
		if err != nil {
			return nil, fmt.Errorf("vocab: %w", err)
		}
		id, err := strconv.ParseUint(string(value), 10, 31)
		if err != nil || id >= maxVocab {
			return nil, fmt.Errorf("vocab: the id %.40s of %q must be a whole number below %d", value, piece, maxVocab)
		}
		keys = append(keys, trieKey{piece, uint32(id)})
	}
	return keys, nil
}

// readUnigramVocab reads [["piece", score], ...].
func readUnigramVocab(raw []byte) (unigramVocab, error) {
	var v unigramVocab
	if kind(raw) != '[' {
		return v, errors.New("vocab must be a list of pieces and their scores")
	}
	for entry := range elements(raw) {
		if kind(entry) != '[' {
			return v, fmt.Errorf("vocab: entry %d must be a piece and its score", len(v.pieces))
		}
		var fields [][]byte
		for field := range elements(entry) {
			fields = append(fields, field)
		}
		if len(fields) != 2 {
			return v, fmt.Errorf("vocab: entry %d must be a piece and its score", len(v.pieces))
		}
		piece, err := unquote(fields[0])
		if err != nil {
			return v, fmt.Errorf("vocab: entry %d: %w", len(v.pieces), err)
		}
		score, err := strconv.ParseFloat(string(fields[1]), 64)
		if err != nil || math.IsInf(score, 0) {
			return v, fmt.Errorf("vocab: the score %.40s of %q must be a number", fields[1], piece)
		}
		v.pieces = append(v.pieces, piece)
		v.scores = append(v.scores, score)
	}
	if len(v.pieces) > maxVocab {
		return v, fmt.Errorf("vocab has %d pieces, at most %d are allowed", len(v.pieces), maxVocab)
	}
	return v, nil
}

// readMerges reads ["a b", ...] or [["a", "b"], ...].
func readMerges(raw []byte) ([][2]string, error) {
	if kind(raw) != '[' {
		return nil, errors.New("merges must be a list")
	}
	var merges [][2]string
	for entry := range elements(raw) {
		parts, err := readMerge(entry)
		if err != nil {
			return nil, fmt.Errorf("merge %d: %w", len(merges), err)
		}
		if strings.HasPrefix(parts[0], "#version") && kind(entry) == '"' {
			continue
		}
		merges = append(merges, parts)
	}
	return merges, nil
}

// readMerge reads one merge in either form.
func readMerge(raw []byte) ([2]string, error) {
	var parts []string
	if kind(raw) == '[' {
		for field := range elements(raw) {
			part, err := unquote(field)
			if err != nil {
				return [2]string{}, err
			}
			parts = append(parts, part)
		}
	} else {
		line, err := unquote(raw)
		if err != nil {
			return [2]string{}, err
		}
		parts = strings.Split(line, " ")
	}
	if len(parts) != 2 {
		return [2]string{}, fmt.Errorf("%.60s must have two parts", raw)
	}
	return [2]string{parts[0], parts[1]}, nil
}
