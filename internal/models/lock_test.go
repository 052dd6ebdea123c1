package models

import (
	"strings"
	"testing"
)

func TestEmbeddedLock(t *testing.T) {
	lock, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bundled", "multilingual-e5-small", "embeddinggemma-2-q4", "embeddinggemma-2-q8", "granite-97m-r2"} {
		m, err := lock.Model(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, ok := m.File(RoleModel); !ok {
			t.Errorf("%s has no graph", name)
		}
		if _, ok := m.File(RoleTokenizer); !ok {
			t.Errorf("%s has no tokenizer", name)
		}
	}
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64", "windows/arm64"} {
		row, err := lock.Runtime(platform)
		if err != nil {
			t.Error(err)
			continue
		}
		if last := row.Sources[len(row.Sources)-1]; last.Client != clientPublisher {
			t.Errorf("%s: the publisher's archive must be the last source, it is %s", platform, last.Client)
		}
	}
	if got := len(lock.Platforms()); got != 5 {
		t.Errorf("%d platforms, want 5", got)
	}
}

func TestUnknownNamesListTheKnown(t *testing.T) {
	lock, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.Model("nope"); err == nil || !strings.Contains(err.Error(), "granite-97m-r2") {
		t.Errorf("unknown model: %v", err)
	}
	if _, err := lock.Runtime("plan9/mips"); err == nil || !strings.Contains(err.Error(), "COMBRAY_ORT_LIB") {
		t.Errorf("unknown platform: %v", err)
	}
}

// sampleLock is a small valid lock; the cases below break one thing each.
const sampleLock = `version = 1

[[model]]
name = "sample"
title = "a sample"
kind = "text"
licence = "MIT"
origin = "owner/sample"
revision = "abc"
address = "https://hub.invalid/owner/sample/abc"
dims = 384
cuts = [256, 128]
pooling = "mean"
max_tokens = 512

[[model.file]]
role = "model"
path = "onnx/model.onnx"
bytes = 5
sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

[[runtime]]
platform = "linux/amd64"
licence = "MIT"
origin = "microsoft/onnxruntime"

[[runtime.source]]
client = "pip"
package = "onnxruntime"
version = "1.24.3"
tag = "manylinux_2_28_x86_64"
member = "onnxruntime/capi/libonnxruntime.so.1.24.3"
bytes = 7
sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

[[runtime.source]]
client = "publisher"
package = "onnxruntime"
version = "1.24.2"
address = "https://publisher.invalid/ort.tgz"
archive_bytes = 7
archive_sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
member = "ort/lib/libonnxruntime.so.1.24.2"
`

func TestParseSample(t *testing.T) {
	if _, err := Parse(sampleLock); err != nil {
		t.Fatal(err)
	}
}

func TestParseRefuses(t *testing.T) {
	const hash = `"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"`
	secondModel := sampleLock[strings.Index(sampleLock, "[[model]]"):strings.Index(sampleLock, "[[runtime]]")]
	secondFile := secondModel[strings.Index(secondModel, "[[model.file]]"):]
	secondRuntime := sampleLock[strings.Index(sampleLock, "[[runtime]]"):]
	cases := map[string]struct{ old, new, says string }{
		"no version":             {"version = 1\n", "", "version is 0"},
		"newer version":          {"version = 1", "version = 2", "version is 2"},
		"unknown key":            {"dims = 384", "dims = 384\ndimensions = 3", "unknown key"},
		"unknown table":          {"version = 1", "version = 1\n[mirror]\nx = 1", "unknown key"},
		"key in capitals":        {"dims = 384", "Dims = 384", "lower case"},
		"key twice":              {"dims = 384", "dims = 384\ndims = 384", "line"},
		"no TOML":                {"version = 1", "version", "line 1"},
		"short hash":             {hash, `"0123"`, "64 lower-case"},
		"hash in capitals":       {hash, strings.ToUpper(hash), "64 lower-case"},
		"hash with a space":      {hash, `" 123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"`, "64 lower-case"},
		"no size":                {"bytes = 5\n", "", "bytes is 0"},
		"negative size":          {"bytes = 5", "bytes = -5", "bytes is -5"},
		"size as text":           {"bytes = 5", `bytes = "5"`, "line"},
		"name twice":             {"[[runtime]]", secondModel + "[[runtime]]", "twice"},
		"reserved name":          {`name = "sample"`, `name = "onnxruntime"`, "reserved"},
		"name as path":           {`name = "sample"`, `name = "../sample"`, "model name"},
		"path twice":             {"[[runtime]]", secondFile + "[[runtime]]", "stands twice"},
		"path twice by case":     {"[[runtime]]", strings.Replace(secondFile, "onnx/model", "ONNX/model", 1) + "[[runtime]]", "stands twice"},
		"two graphs":             {"[[runtime]]", strings.Replace(secondFile, "model.onnx", "other.onnx", 1) + "[[runtime]]", "exactly one"},
		"path upwards":           {"onnx/model.onnx", "../model.onnx", "relative"},
		"path upwards inside":    {"onnx/model.onnx", "onnx/../../model.onnx", "relative"},
		"absolute path":          {"onnx/model.onnx", "/etc/passwd", "relative"},
		"backslash":              {"onnx/model.onnx", `onnx\\model.onnx`, "relative"},
		"drive":                  {"onnx/model.onnx", "C:model.onnx", "relative"},
		"device":                 {"onnx/model.onnx", "onnx/aux.onnx", "relative"},
		"hidden file":            {"onnx/model.onnx", "onnx/.model", "relative"},
		"control character":      {"onnx/model.onnx", `onnx/mo\u0000del`, "relative"},
		"empty path":             {"onnx/model.onnx", "", "relative"},
		"unknown role":           {`role = "model"`, `role = "weights"`, "allowed are model, data, tokenizer"},
		"unknown pooling":        {`pooling = "mean"`, `pooling = "max"`, "allowed are graph"},
		"unknown kind":           {`kind = "text"`, `kind = "smell"`, "allowed are text"},
		"space as path":          {"dims = 384", "dims = 384\nspace = \"../a\"", "space"},
		"text fields of a voice": {`kind = "text"`, `kind = "voice"`, "no cuts, pooling"},
		"no licence":             {`licence = "MIT"` + "\norigin = \"owner", "origin = \"owner", "licence"},
		"no dims":                {"dims = 384\n", "", "dims is 0"},
		"huge dims":              {"dims = 384", "dims = 1000000000", "dims is"},
		"cut too long":           {"[256, 128]", "[512, 128]", "cuts"},
		"cuts not falling":       {"[256, 128]", "[128, 256]", "cuts"},
		"few tokens":             {"max_tokens = 512", "max_tokens = 2", "max_tokens"},
		"window over maximum":    {"max_tokens = 512", "max_tokens = 512\nwindow = 513", "window"},
		"bundled and address":    {"dims = 384", "dims = 384\nbundled = true", "not both"},
		"golden without cosine":  {"[[runtime]]", strings.NewReplacer(`"model"`, `"golden"`, "model.onnx", "golden.jsonl").Replace(secondFile) + "[[runtime]]", "golden_cosine is 0 with 1"},
		"cosine without golden":  {"dims = 384", "dims = 384\ngolden_cosine = 0.99", "golden_cosine is 0.99 with 0"},
		"plain http":             {"https://hub", "http://hub", "https://"},
		"file address":           {"https://hub.invalid/owner", "file:///owner", "https"},
		"address with password":  {"https://hub", "https://me:pass@hub", "plain https"},
		"address with query":     {"sample/abc\"", "sample/abc?x=1\"", "plain https"},
		"unknown client":         {`client = "pip"`, `client = "curl"`, "allowed are pip"},
		"package as option":      {`package = "onnxruntime"`, `package = "--index-url"`, "package or version"},
		"tag as option":          {`tag = "many`, `tag = "-many`, "tag"},
		"pip without tag":        {"tag = \"manylinux_2_28_x86_64\"\n", "", "tag"},
		"pip with address":       {"bytes = 7\nsha", "address = \"https://a.invalid\"\nbytes = 7\nsha", "only a publisher"},
		"member upwards":         {"onnxruntime/capi/lib", "../capi/lib", "relative"},
		"archive without hash":   {"archive_sha256 = " + hash + "\n", "", "64 lower-case"},
		"platform twice":         {"[[runtime]]", secondRuntime + "[[runtime]]", "stand once"},
		"platform as path":       {"linux/amd64", "../amd64", "GOOS/GOARCH"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			broken := strings.Replace(sampleLock, c.old, c.new, 1)
			if broken == sampleLock {
				t.Fatalf("the case changes nothing: %q is not in the sample", c.old)
			}
			_, err := Parse(broken)
			if err == nil {
				t.Fatal("was accepted")
			}
			if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "restore the file") {
				t.Errorf("error %q does not contain %q and the next step", err, c.says)
			}
		})
	}
}

func TestParseRefusesHugeLock(t *testing.T) {
	if _, err := Parse(strings.Repeat("#\n", maxLockBytes)); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("error %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sampleLock)
	f.Add("version = 1")
	f.Add("version = 1\n[[model]]\nname = \"a\"\n[[model.file]]\npath = \"..\"")
	f.Add("version = 1\nmodel = 3")
	f.Add("version = 1\nmodel = [{name = \"a\", Name = \"b\"}]")
	f.Add("\xff\xfe")
	f.Fuzz(func(t *testing.T, text string) {
		lock, err := Parse(text)
		if err != nil {
			return
		}
		names := map[string]bool{}
		for _, m := range lock.Models {
			if names[m.Name] {
				t.Fatalf("name %q twice", m.Name)
			}
			names[m.Name] = true
			for _, file := range m.Files {
				if len(file.SHA256) != 64 || file.SHA256 != strings.ToLower(file.SHA256) || file.Bytes < 1 {
					t.Fatalf("digest %+v accepted", file)
				}
				if strings.Contains(file.Path, "..") && checkPath(file.Path) != nil {
					t.Fatalf("path %q accepted", file.Path)
				}
			}
		}
	})
}
