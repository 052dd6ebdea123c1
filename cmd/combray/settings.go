package main

import (
	"cmp"
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

	"combray/encoder"
	"combray/internal/local"
	"combray/internal/memory"
	"combray/internal/models"
)

// settings are those of contract/surface.md 7. "" means not given; a model that is
// not given is the one chosen for the store (docs/guide/models.md). The same
// names stand in config.toml; a flag beats the environment, which beats the file.
type settings struct {
	DB         string `toml:"db"`
	Profile    string `toml:"profile"`
	ReadOnly   bool   `toml:"read_only"`
	Model      string `toml:"model"`
	ModelsDir  string `toml:"models_dir"`
	OrtLib     string `toml:"ort_lib"`
	Secrets    string `toml:"secrets"`
	Neighbours string `toml:"neighbours"`
	LimitCalls int    `toml:"limit_calls"`
	Log        string `toml:"log"`

	HTTP         string `toml:"http"`          // address to listen on
	TokenFile    string `toml:"token_file"`    // of the doors over HTTP
	AllowedHosts string `toml:"allowed_hosts"` // names joined by commas, besides the loopback ones

	SenseValue      any         `toml:"sense"` // as the file has it
	sense           senseChoice // as it was read
	Channels        string      `toml:"channels"` // joined by commas; "": all
	StoreRaw        bool        `toml:"store_raw"`
	AllowLocalFiles bool        `toml:"allow_local_files"`
	Voice           bool        `toml:"voice"` // tell voices apart: such a vector identifies a person
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
	s := flags.or(env).or(file).or(defaults())
	return s, s.check()
}

// defaults are the settings of a machine on which nothing was set.
func defaults() settings {
	return settings{DB: filepath.Join(dataFolder(), "combray.db"), Log: "warn", Secrets: string(memory.SecretsFlag), Neighbours: local.NeighboursScan}
}

// dataFolder is where the store lies unless another path is given.
func dataFolder() string { return filepath.Join(xdg.DataHome, "combray") }

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
			hint: "Known ones: db, profile, read_only, model, models_dir, ort_lib, secrets, neighbours, limit_calls, log, http, token_file, allowed_hosts, sense, channels, store_raw, allow_local_files, voice."}
	}
	if err != nil {
		return s, &failure{code: exitUsage, err: fmt.Errorf("%s cannot be read: %w", path, inWords(err)), hint: "Correct it, or remove it to use the defaults."}
	}
	if s.SenseValue != nil {
		if s.sense, err = readSense(s.SenseValue); err != nil {
			return s, &failure{code: exitUsage, err: fmt.Errorf("%s: %w", path, err), hint: "Correct it, or remove it to use the defaults."}
		}
	}
	return s, nil
}

// kindsOfSettings are the types of the fields of settings, in words.
var kindsOfSettings = map[string]string{"string": "a text in quotes", "bool": "true or false", "int": "a whole number"}

// inWords says of a value of the wrong kind what it must be; the decoder speaks of Go.
func inWords(err error) error {
	var wrong *toml.DecodeError
	if !errors.As(err, &wrong) || len(wrong.Key()) == 0 {
		return err
	}
	line, _ := wrong.Position()
	kind := kindsOfSettings[wrong.Error()[strings.LastIndexByte(wrong.Error(), ' ')+1:]]
	return fmt.Errorf("line %d: %s must be %s", line, strings.Join(wrong.Key(), "."), cmp.Or(kind, "of another kind"))
}

// readEnvironment reads the COMBRAY_ names. MEMORY_AS_HISTORY_TOOLS stands in
// for the profile, MADELEINE_ALLOWED_HOSTS for the further hosts and
// MADELEINE_CHANNELS for the channels, so that their users can switch
// (contract/surface.md 6).
func readEnvironment(get func(string) string) (settings, error) {
	s := settings{DB: get("COMBRAY_DB"), Profile: get("COMBRAY_PROFILE"), Model: get("COMBRAY_MODEL"),
		ModelsDir: get("COMBRAY_MODELS_DIR"), OrtLib: get("COMBRAY_ORT_LIB"), Secrets: get("COMBRAY_SECRETS"), Neighbours: get("COMBRAY_NEIGHBOURS"), Log: get("COMBRAY_LOG"),
		HTTP: get("COMBRAY_HTTP"), TokenFile: get("COMBRAY_TOKEN_FILE"), AllowedHosts: get("COMBRAY_ALLOWED_HOSTS"),
		Channels: cmp.Or(get("COMBRAY_CHANNELS"), get("MADELEINE_CHANNELS")), sense: senseChoice{threshold: get("COMBRAY_SENSE")}}
	if s.AllowedHosts == "" {
		s.AllowedHosts = get("MADELEINE_ALLOWED_HOSTS")
	}
	if s.Profile == "" {
		switch strings.ToLower(strings.TrimSpace(get("MEMORY_AS_HISTORY_TOOLS"))) {
		case "core":
			s.Profile = "history"
		case "full":
			s.Profile = "full"
		}
	}
	for _, b := range []struct {
		name string
		to   *bool
	}{{"COMBRAY_READ_ONLY", &s.ReadOnly}, {"COMBRAY_STORE_RAW", &s.StoreRaw}, {"COMBRAY_ALLOW_LOCAL_FILES", &s.AllowLocalFiles}, {"COMBRAY_VOICE", &s.Voice}} {
		switch v := strings.ToLower(get(b.name)); v {
		case "", "0", "false", "no", "off":
		case "1", "true", "yes", "on":
			*b.to = true
		default:
			return s, usage("%s is %q; on and off are allowed", b.name, v)
		}
	}
	if v := get("COMBRAY_LIMIT_CALLS"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 {
			return s, usage("COMBRAY_LIMIT_CALLS is %q; a whole number of calls a minute is allowed, 0 for the default: none on stdio, 600 over HTTP", v)
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
	s.Secrets, s.Neighbours, s.Log = first(s.Secrets, t.Secrets), first(s.Neighbours, t.Neighbours), first(s.Log, t.Log)
	s.HTTP, s.TokenFile, s.AllowedHosts = first(s.HTTP, t.HTTP), first(s.TokenFile, t.TokenFile), first(s.AllowedHosts, t.AllowedHosts)
	s.Channels, s.sense = first(s.Channels, t.Channels), s.sense.or(t.sense)
	s.ReadOnly, s.StoreRaw, s.AllowLocalFiles = s.ReadOnly || t.ReadOnly, s.StoreRaw || t.StoreRaw, s.AllowLocalFiles || t.AllowLocalFiles
	s.Voice = s.Voice || t.Voice
	if s.LimitCalls == 0 {
		s.LimitCalls = t.LimitCalls
	}
	return s
}

func (s settings) check() error {
	if _, err := s.senseSettings(); err != nil {
		return err
	}
	if _, ok := logLevels[s.Log]; !ok {
		return usage("log is %q; error, warn, info and debug are allowed", s.Log)
	}
	if s.Model != "" && s.Model != local.ModelBundled && s.Model != local.ModelNone {
		name, _, err := encoder.SplitName(s.Model)
		if err == nil {
			_, err = models.Store{}.Model(name)
		}
		if err != nil {
			return usage("model is %q; bundled, none, or a name of combray models list is allowed, with @256 behind it for vectors of 256 values where the model may be cut", s.Model)
		}
	}
	if s.Neighbours != local.NeighboursScan && s.Neighbours != local.NeighboursGraph {
		return usage("neighbours is %q; scan and graph are allowed", s.Neighbours)
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
