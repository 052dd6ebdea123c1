package models

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// The values a lock may use.
var (
	modelKinds  = []string{KindText, KindPicture, KindSound, KindVoice}
	modelRoles  = []string{RoleModel, RoleData, RoleTokenizer, RoleLabels, RoleGolden}
	poolings    = []string{"graph", "mean", "cls", "last"}
	clients     = []string{clientPip, clientNpm, clientPublisher}
	namePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{0,63}$`)
	hashPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)
	// wordPattern holds for package names, versions and tags: they become
	// arguments of a package client, so none may look like an option.
	wordPattern     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	platformPattern = regexp.MustCompile(`^[a-z0-9]+/[a-z0-9]+$`)
)

// Kinds of models.
const (
	KindText    = "text"
	KindPicture = "picture"
	KindSound   = "sound"
	KindVoice   = "voice"
)

// Roles of a model's files.
const (
	RoleModel     = "model"     // the graph
	RoleData      = "data"      // weights the runtime opens beside the graph
	RoleTokenizer = "tokenizer" // tokenizer.json
	RoleLabels    = "labels"    // a name a line, in the order of the outputs
	RoleGolden    = "golden"    // vectors that the model is known to give, a JSON object a line
)

const (
	clientPip       = "pip"
	clientNpm       = "npm"
	clientPublisher = "publisher"
)

// maxDims and maxTokens bound what an encoder allocates from a lock row; the
// largest known today are 4,096 and 131,072.
const (
	maxDims   = 1 << 14
	maxTokens = 1 << 20
)

func (l *Lock) check() error {
	if l.Version != lockVersion {
		return fmt.Errorf("version is %d, this program reads %d", l.Version, lockVersion)
	}
	names := map[string]bool{RuntimeName: true} // reserved: Download and Remove take it too
	for _, m := range l.Models {
		if !namePattern.MatchString(m.Name) {
			return fmt.Errorf("model name %q must be 1 to 64 lower-case letters, digits, dots and hyphens", m.Name)
		}
		if names[m.Name] {
			return fmt.Errorf("model name %q is used twice or reserved", m.Name)
		}
		names[m.Name] = true
		if err := m.check(); err != nil {
			return fmt.Errorf("model %q: %w", m.Name, err)
		}
	}
	platforms := map[string]bool{}
	for _, r := range l.Runtimes {
		if !platformPattern.MatchString(r.Platform) || platforms[r.Platform] {
			return fmt.Errorf("runtime platform %q must be GOOS/GOARCH and stand once", r.Platform)
		}
		platforms[r.Platform] = true
		if err := r.check(); err != nil {
			return fmt.Errorf("runtime %q: %w", r.Platform, err)
		}
	}
	return nil
}

func (m Model) check() error {
	if m.Title == "" || m.Licence == "" || m.Origin == "" || m.Revision == "" {
		return errors.New("title, licence, origin and revision must be given")
	}
	if err := oneOf("kind", m.Kind, modelKinds); err != nil {
		return err
	}
	if m.Space != "" && !namePattern.MatchString(m.Space) {
		return fmt.Errorf("space %q must be 1 to 64 lower-case letters, digits, dots and hyphens", m.Space)
	}
	if m.Dims < 1 || m.Dims > maxDims {
		return fmt.Errorf("dims is %d, allowed are 1 to %d", m.Dims, maxDims)
	}
	check := m.checkText
	if m.Kind != KindText {
		check = m.checkMedia
	}
	if err := check(); err != nil {
		return err
	}
	if m.Bundled != (m.Address == "") {
		return errors.New("a model has an address or is bundled, not both and not neither")
	}
	if !m.Bundled {
		if err := checkAddress(m.Address); err != nil {
			return err
		}
	}
	return m.checkFiles()
}

// checkMedia checks what only encoders of pictures, sounds and voices are: part of the
// program, or of a space that text models share, and without anything that is said of
// texts.
func (m Model) checkMedia() error {
	texts := m.Pooling != "" || m.MaxTokens != 0 || m.Window != 0 || m.QueryPrefix+m.PassagePrefix+m.SymmetricPrefix != "" || len(m.Cuts) > 0
	if texts || m.Bundled != (m.Space == "") {
		return fmt.Errorf("a %s encoder is bundled or has a space, and has no cuts, pooling, tokens, window or prefixes", m.Kind)
	}
	return nil
}

// checkText checks what only encoders of texts have.
func (m Model) checkText() error {
	if err := oneOf("pooling", m.Pooling, poolings); err != nil {
		return err
	}
	longer := m.Dims
	for _, c := range m.Cuts {
		if c < 1 || c >= longer {
			return fmt.Errorf("cuts are %v, each must be at least 1 and less than the one before and dims", m.Cuts)
		}
		longer = c
	}
	if m.MaxTokens < 8 || m.MaxTokens > maxTokens {
		return fmt.Errorf("max_tokens is %d, allowed are 8 to %d", m.MaxTokens, maxTokens)
	}
	if m.Window != 0 && (m.Window < 8 || m.Window > m.MaxTokens) {
		return fmt.Errorf("window is %d, allowed are 8 to max_tokens (%d)", m.Window, m.MaxTokens)
	}
	return nil
}

func (m Model) checkFiles() error {
	paths := map[string]bool{}
	graphs, goldens := 0, 0
	for _, f := range m.Files {
		if err := oneOf("role", f.Role, modelRoles); err != nil {
			return err
		}
		if err := checkPath(f.Path); err != nil {
			return err
		}
		// Folded: the folder may lie on a file system that ignores case.
		if folded := strings.ToLower(f.Path); paths[folded] {
			return fmt.Errorf("path %q stands twice", f.Path)
		} else {
			paths[folded] = true
		}
		if f.Role == RoleModel {
			graphs++
		}
		if f.Role == RoleGolden {
			goldens++
		}
		if err := checkDigest(f.Digest()); err != nil {
			return fmt.Errorf("file %q: %w", f.Path, err)
		}
	}
	if graphs != 1 {
		return fmt.Errorf("%d files have the role model, exactly one must", graphs)
	}
	if goldens > 1 || (goldens == 1) != (m.GoldenCosine != 0) || !(m.GoldenCosine >= 0 && m.GoldenCosine <= 1) {
		return fmt.Errorf("golden_cosine is %v with %d golden files; a model has one such file and a cosine above 0 and at most 1, or neither", m.GoldenCosine, goldens)
	}
	return nil
}

func (r Runtime) check() error {
	if r.Licence == "" || r.Origin == "" || len(r.Sources) == 0 {
		return errors.New("licence, origin and at least one source must be given")
	}
	seen := map[string]bool{}
	for _, s := range r.Sources {
		if err := s.check(); err != nil {
			return err
		}
		if seen[s.folder()] {
			return fmt.Errorf("source %s %s stands twice", s.Client, s.Version)
		}
		seen[s.folder()] = true
	}
	return nil
}

func (s Source) check() error {
	if err := oneOf("client", s.Client, clients); err != nil {
		return err
	}
	for _, word := range []string{s.Package, s.Version} {
		if !wordPattern.MatchString(word) {
			return fmt.Errorf("package or version %q must be letters, digits, dots, hyphens and underscores", word)
		}
	}
	if err := checkPath(s.Member); err != nil {
		return err
	}
	if (s.Client == clientPip) != (s.Tag != "") || (s.Tag != "" && !wordPattern.MatchString(s.Tag)) {
		return fmt.Errorf("tag %q: a pip source has a platform tag, no other has", s.Tag)
	}
	if s.Client != clientPublisher {
		if s.Address != "" || s.ArchiveBytes != 0 || s.ArchiveSHA256 != "" {
			return errors.New("only a publisher source has an address and an archive hash")
		}
		return checkDigest(Digest{s.Bytes, s.SHA256})
	}
	if s.Bytes != 0 || s.SHA256 != "" {
		return errors.New("a publisher source is checked by its archive, not by its member")
	}
	if err := checkAddress(s.Address); err != nil {
		return err
	}
	return checkDigest(Digest{s.ArchiveBytes, s.ArchiveSHA256})
}

func oneOf(key, value string, allowed []string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return fmt.Errorf("%s is %q, allowed are %s", key, value, strings.Join(allowed, ", "))
}

func checkDigest(d Digest) error {
	if d.Bytes < 1 {
		return fmt.Errorf("bytes is %d, it must be at least 1", d.Bytes)
	}
	if !hashPattern.MatchString(d.SHA256) {
		return fmt.Errorf("sha256 %q must be 64 lower-case hexadecimal digits", d.SHA256)
	}
	return nil
}

// reservedNames are device names on Windows, with any extension.
var reservedNames = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// pathPattern is one element of a path: no separator of any system, no colon
// (drive or stream), no space or dot at an end.
var pathPattern = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9._+-]*[A-Za-z0-9_])?$`)

// checkPath accepts a relative path with slashes that stays below its folder on every system.
func checkPath(p string) error {
	bad := fmt.Errorf("path %q must be relative, with slashes, of letters, digits, dots, hyphens and underscores", p)
	if p == "" || len(p) > 200 || path.Clean(p) != p || path.IsAbs(p) {
		return bad
	}
	for element := range strings.SplitSeq(p, "/") {
		if !pathPattern.MatchString(element) || reservedNames.MatchString(element) {
			return bad
		}
	}
	return nil
}

// checkAddress accepts https, and plain http on the same machine.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("address %q must be a plain https address", address)
	}
	if !secure(u) {
		return fmt.Errorf("address %q must begin with https://", address)
	}
	return nil
}

// secure reports whether u is https, or http to this machine.
func secure(u *url.URL) bool {
	host := u.Hostname()
	loopback := host == "127.0.0.1" || host == "::1" || host == "localhost"
	return u.Scheme == "https" || (u.Scheme == "http" && loopback)
}
