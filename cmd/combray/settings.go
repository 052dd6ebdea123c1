package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
	"github.com/pelletier/go-toml/v2"

	"combray/internal/local"
	"combray/internal/memory"
	"combray/internal/models"
)

// settings are those of contract/surface.md 7. "" means not given. The same
// names stand in config.toml; a flag beats the environment, which beats the file.
type settings struct {
	DB         string `toml:"db"`
	Profile    string `toml:"profile"`
	ReadOnly   bool   `toml:"read_only"`
	Model      string `toml:"model"`
	ModelsDir  string `toml:"models_dir"`
	OrtLib     string `toml:"ort_lib"`
	Secrets    string `toml:"secrets"`
	LimitCalls int    `toml:"limit_calls"`
	Log        string `toml:"log"`
}

// configPath is the file of settings in the user's configuration folder.
func configPath() string { return filepath.Join(xdg.ConfigHome, "combray", "config.toml") }

// readSettings joins flags, environment, file and defaults, and checks them.
func readSettings(flags settings) (settings, error) {
	file, err := readConfig(configPath())
	if err != nil {
		return settings{}, err
	}
	env, err := readEnvironment(os.Getenv)
	if err != nil {
		return settings{}, err
	}
	s := flags.or(env).or(file).or(settings{DB: filepath.Join(xdg.DataHome, "combray", "combray.db"), Log: "warn",
		Model: "bundled", Secrets: string(memory.SecretsFlag)})
	return s, s.check()
}

func readConfig(path string) (settings, error) {
	var s settings
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = toml.NewDecoder(strings.NewReader(string(data))).DisallowUnknownFields().Decode(&s)
	}
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) {
		var names []string
		for _, e := range unknown.Errors {
			names = append(names, strings.Join(e.Key(), "."))
		}
		return s, &failure{code: exitUsage, err: fmt.Errorf("%s has unknown settings: %s", path, strings.Join(names, ", ")),
			hint: "Known ones: db, profile, read_only, model, models_dir, ort_lib, secrets, limit_calls, log."}
	}
	if err != nil {
		return s, &failure{code: exitUsage, err: fmt.Errorf("%s cannot be read: %w", path, err), hint: "Correct it, or remove it to use the defaults."}
	}
	return s, nil
}

// readEnvironment reads the COMBRAY_ names. MEMORY_AS_HISTORY_TOOLS stands in
// for the profile, so that its users can switch (contract/surface.md 6).
func readEnvironment(get func(string) string) (settings, error) {
	s := settings{DB: get("COMBRAY_DB"), Profile: get("COMBRAY_PROFILE"), Model: get("COMBRAY_MODEL"),
		ModelsDir: get("COMBRAY_MODELS_DIR"), OrtLib: get("COMBRAY_ORT_LIB"), Secrets: get("COMBRAY_SECRETS"), Log: get("COMBRAY_LOG")}
	if s.Profile == "" {
		switch strings.ToLower(strings.TrimSpace(get("MEMORY_AS_HISTORY_TOOLS"))) {
		case "core":
			s.Profile = "history"
		case "full":
			s.Profile = "full"
		}
	}
	switch v := strings.ToLower(get("COMBRAY_READ_ONLY")); v {
	case "", "0", "false", "no", "off":
	case "1", "true", "yes", "on":
		s.ReadOnly = true
	default:
		return s, usage("COMBRAY_READ_ONLY is %q; on and off are allowed", v)
	}
	if v := get("COMBRAY_LIMIT_CALLS"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 {
			return s, usage("COMBRAY_LIMIT_CALLS is %q; a whole number of calls a minute is allowed, 0 for no limit", v)
		}
		s.LimitCalls = n
	}
	return s, nil
}

// or fills what s lacks from t.
func (s settings) or(t settings) settings {
	first := func(a, b string) string {
		if a != "" {
			return a
		}
		return b
	}
	s.DB, s.Profile, s.Model = first(s.DB, t.DB), first(s.Profile, t.Profile), first(s.Model, t.Model)
	s.ModelsDir, s.OrtLib = first(s.ModelsDir, t.ModelsDir), first(s.OrtLib, t.OrtLib)
	s.Secrets, s.Log = first(s.Secrets, t.Secrets), first(s.Log, t.Log)
	s.ReadOnly = s.ReadOnly || t.ReadOnly
	if s.LimitCalls == 0 {
		s.LimitCalls = t.LimitCalls
	}
	return s
}

func (s settings) check() error {
	if _, ok := logLevels[s.Log]; !ok {
		return usage("log is %q; error, warn, info and debug are allowed", s.Log)
	}
	if s.Model != local.ModelBundled && s.Model != local.ModelNone {
		if _, err := (models.Store{}).Model(s.Model); err != nil {
			return usage("model is %q; bundled, none, or a name of combray models list is allowed", s.Model)
		}
	}
	policies := []string{string(memory.SecretsFlag), string(memory.SecretsRedact), string(memory.SecretsRefuse)}
	if !slices.Contains(policies, s.Secrets) {
		return usage("secrets is %q; flag, redact and refuse are allowed", s.Secrets)
	}
	return nil
}

var logLevels = map[string]slog.Level{"error": slog.LevelError, "warn": slog.LevelWarn, "info": slog.LevelInfo, "debug": slog.LevelDebug}

func (a *app) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: logLevels[a.set.Log]}))
}
