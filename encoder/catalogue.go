package encoder

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"combray/internal/models"
)

// FromStore returns the files of a model of the catalogue that is installed in a
// store. dims is the wanted length of the vectors: zero for the model's own, or
// one of the lengths it may be cut to.
func FromStore(ctx context.Context, store models.Store, name string, dims int) (Files, error) {
	m, err := store.Model(name)
	if err != nil {
		return Files{}, err
	}
	if m.Kind != models.KindText || m.Bundled {
		return Files{}, fmt.Errorf("model %s is not a text encoder of the catalogue", name)
	}
	if dims == 0 {
		dims = m.Dims
	}
	if err := m.CheckDims(dims); err != nil {
		return Files{}, err
	}
	paths, err := store.Installed(ctx, name)
	if err != nil {
		return Files{}, err
	}
	files := Files{Spec: specOf(m, dims)}
	if files.Sight, err = towerOf(ctx, store, m.Space, models.KindPicture); err != nil {
		return Files{}, err
	}
	if files.Hearing, err = towerOf(ctx, store, m.Space, models.KindSound); err != nil {
		return Files{}, err
	}
	for _, f := range m.Files {
		source := Source{Path: paths[f.Path], Size: f.Bytes, SHA256: f.SHA256}
		switch f.Role {
		case models.RoleModel:
			files.Graph = source
		case models.RoleData:
			files.Data = append(files.Data, source)
		case models.RoleTokenizer:
			files.Tokenizer = source
		}
	}
	return files, nil
}

// towerOf returns the first model of a kind in a space that is installed; nil when
// none is.
func towerOf(ctx context.Context, store models.Store, space, kind string) (*Tower, error) {
	all, err := store.InSpace(space, kind)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		paths, err := store.Installed(ctx, m.Name)
		if err != nil {
			continue // not here, or not whole: a picture is then what it is without
		}
		t := &Tower{Name: m.Name}
		for _, f := range m.Files {
			source := Source{Path: paths[f.Path], Size: f.Bytes, SHA256: f.SHA256}
			if f.Role == models.RoleModel {
				t.Graph = source
			} else {
				t.Data = append(t.Data, source)
			}
		}
		return t, nil
	}
	return nil, ctx.Err()
}

// SplitName splits what a person calls a model: the name in the catalogue, and after
// an @ the length its vectors are cut to, 0 when none is given.
func SplitName(called string) (name string, dims int, err error) {
	name, cut, has := strings.Cut(called, "@")
	if !has {
		return name, 0, nil
	}
	if dims, err = strconv.Atoi(cut); err != nil || dims < 1 {
		return name, 0, fmt.Errorf("%q is no length of a vector; write %s@256 for vectors of 256 values", cut, name)
	}
	return name, dims, nil
}

// longestInput caps what is fed at once: a question is a sentence or two, and
// attention costs the square of the length (a run of 8,192 tokens takes a
// gigabyte). Longer questions are encoded by their ends.
const longestInput = 512

func specOf(m models.Model, dims int) Spec {
	longest := min(m.MaxTokens, longestInput)
	window := longest
	if m.Window > 0 {
		window = min(m.Window, longest)
	}
	return Spec{
		Name: m.Name, Revision: m.Revision, Dims: dims, MaxTokens: longest, Window: window, Pooling: Pooling(m.Pooling),
		QueryPrefix: m.QueryPrefix, PassagePrefix: m.PassagePrefix, SymmetricPrefix: m.SymmetricPrefix,
	}
}
