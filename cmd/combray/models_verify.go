package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"combray/encoder"
	"combray/encoder/bundled"
	"combray/internal/models"
)

func (a *app) modelsVerifyCommand() *cobra.Command {
	var embed bool
	c := &cobra.Command{Use: "verify [NAME]", Short: "Read every file and compare its hash", Args: cobra.MaximumNArgs(1),
		Long: "Read every file of what is here, or of one model, and compare its hash. With --embed\n" +
			"each model that has golden vectors in models.lock encodes their inputs too, and must\n" +
			"give the same: that shows whether model, library and processor work together.",
		RunE: func(cmd *cobra.Command, given []string) error { return a.verifyModels(cmd.Context(), given, embed) }}
	c.Flags().BoolVar(&embed, "embed", false, "encode the golden inputs and compare the vectors")
	return c
}

// verified is a line of the answer of models verify.
type verified struct {
	Name    string   `json:"name"`
	Right   bool     `json:"right"`             // every file is what it should be
	Golden  int      `json:"golden"`            // vectors compared
	Worst   *float64 `json:"worst_cosine"`      // null: none was compared
	Least   *float64 `json:"least_cosine"`      // that is allowed
	At      string   `json:"worst_input"`       // that gave the worst
	Problem string   `json:"problem,omitempty"` // "": none
}

func (a *app) verifyModels(ctx context.Context, names []string, embed bool) error {
	store := a.modelStore()
	if len(names) == 0 {
		list, err := store.List(ctx)
		if err != nil {
			return err
		}
		for _, m := range list {
			if m.State != models.Missing {
				names = append(names, m.Name)
			}
		}
	}
	var failed error
	var all []verified
	for _, name := range names {
		v, next := a.verifyModel(ctx, name, embed)
		all = append(all, v)
		if v.Problem != "" {
			failed = &failure{code: exitFailed, err: fmt.Errorf("%s is not as it should be", name), hint: next}
		}
		if !a.json {
			fmt.Fprintf(a.out, "%s: %s\n", name, v)
		}
	}
	if a.json {
		if err := a.printJSON(all); err != nil {
			return err
		}
	}
	return failed
}

// String says in a sentence what was found.
func (v verified) String() string {
	switch {
	case v.Problem != "":
		return v.Problem
	case v.Worst != nil:
		return fmt.Sprintf("every file is right; %d golden vectors, worst cosine %.5f (%.3f is allowed)", v.Golden, *v.Worst, *v.Least)
	}
	return "every file is right"
}

// verifyModel checks one model, and gives the next step when something is wrong.
func (a *app) verifyModel(ctx context.Context, name string, embed bool) (v verified, next string) {
	v.Name = name
	store := a.modelStore()
	if err := store.Verify(ctx, name); err != nil {
		v.Problem = err.Error()
		return v, "combray models download " + name + " fetches it anew."
	}
	v.Right = true
	if !embed || name == models.RuntimeName {
		return v, ""
	}
	m, err := store.Model(name)
	if err == nil && m.GoldenCosine > 0 {
		err = a.compareGolden(ctx, m, &v)
	}
	if err != nil {
		v.Problem = err.Error()
		return v, "combray models verify says which file or library is at fault; without one of either, please report this with the processor's name."
	}
	return v, v.judge()
}

// judge says what is wrong with vectors that are not what they should be, and gives
// the next step.
func (v *verified) judge() (next string) {
	if v.Worst == nil || *v.Worst >= *v.Least {
		return ""
	}
	v.Problem = fmt.Sprintf("every file is right, but the vectors are not: the worst of %d has the cosine %.5f to what the model should give, at least %.3f is right; it was %.60q",
		v.Golden, *v.Worst, *v.Least, v.At)
	return "Library and processor do not work together: name another library in COMBRAY_ORT_LIB, or choose another model with combray models use."
}

// compareGolden encodes the golden inputs of a model that has some.
func (a *app) compareGolden(ctx context.Context, m models.Model, v *verified) error {
	golden, err := a.goldenOf(ctx, m)
	if err != nil {
		return err
	}
	library, err := a.modelStore().FindRuntime(ctx)
	if err != nil {
		return err
	}
	var got encoder.Agreement
	media := encoder.MediaConfig{Library: library, Logger: a.logger()}
	switch m.Kind {
	case models.KindPicture:
		got, err = encoder.ComparePicture(ctx, media, bundled.Picture(), golden)
	case models.KindVoice:
		got, err = encoder.CompareVoice(ctx, media, bundled.Voice(), golden)
	default:
		files := bundled.Files()
		if !m.Bundled {
			if files, err = encoder.FromStore(ctx, a.modelStore(), m.Name, 0); err != nil {
				return err
			}
		}
		got, err = encoder.CompareText(ctx, encoder.Config{Library: library, Model: files, Logger: a.logger()}, golden)
	}
	if err != nil {
		return err
	}
	v.Golden, v.Worst, v.Least, v.At = got.Vectors, &got.Worst, &m.GoldenCosine, got.At
	return nil
}

// goldenOf gives the file of golden vectors: in the program, or among the model's.
func (a *app) goldenOf(ctx context.Context, m models.Model) (encoder.Source, error) {
	if m.Bundled {
		if golden, known := bundled.Golden(m.Name); known {
			return golden, nil
		}
		return encoder.Source{}, fmt.Errorf("the golden vectors of %s are not in this program; install it again", m.Name)
	}
	f, _ := m.File(models.RoleGolden)
	paths, err := a.modelStore().Installed(ctx, m.Name)
	return encoder.Source{Path: paths[f.Path], Size: f.Bytes, SHA256: f.SHA256}, err
}
