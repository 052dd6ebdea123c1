package encoder

import (
	"context"
	"fmt"
	"slices"

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
	if dims != m.Dims && !slices.Contains(m.Cuts, dims) {
		return Files{}, fmt.Errorf("model %s gives vectors of %d values, which may be cut to %v; %d is none of them", name, m.Dims, m.Cuts, dims)
	}
	paths, err := store.Installed(ctx, name)
	if err != nil {
		return Files{}, err
	}
	files := Files{Spec: specOf(m, dims)}
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
		QueryPrefix: m.QueryPrefix, PassagePrefix: m.PassagePrefix,
	}
}
