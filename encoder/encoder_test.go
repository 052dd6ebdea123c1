package encoder_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"combray/encoder"
	"combray/encoder/bundled"
	"combray/encoder/encodertest"
)

func TestConcurrentCallsGiveTheSameVectors(t *testing.T) {
	e := openBundled(t)
	all := readGolden(t)[:20]
	want := make([][]float32, len(all))
	for i, g := range all {
		want[i] = encodeGolden(t, e, g)
	}
	var group sync.WaitGroup
	for g := range 6 {
		group.Go(func() {
			for i := range all {
				i = (i*7 + g*5) % len(all)
				if got := encodeGolden(t, e, all[i]); !slices.Equal(got, want[i]) {
					t.Errorf("text %d has another vector beside others", i)
				}
			}
		})
	}
	group.Wait()
}

// long returns a text of n words of everyday English, none about keys.
func long(n int) string {
	sentences := strings.SplitAfter("The train was forty minutes late and the restaurant car was closed. "+
		"My brother plans to paint the kitchen next month. We met the design team to talk about colours. "+
		"The children had a school play on Thursday. A storm broke two branches off the apple tree. "+
		"The numbers of the quarter look fine although marketing spent more. ", ". ")
	var b strings.Builder
	for i, words := 0, 0; words < n; i++ {
		s := sentences[i%len(sentences)]
		b.WriteString(s)
		words += len(strings.Fields(s))
	}
	return b.String()
}

const keyFact = "The spare key lies under the blue flowerpot behind the shed."

func TestTailOfLongTextIsFound(t *testing.T) {
	e := openBundled(t)
	question, err := e.Question(t.Context(), "Where is the spare key?")
	if err != nil {
		t.Fatal(err)
	}
	best := func(text string) float64 {
		vectors, err := e.Passage(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if len(vectors) != e.Windows(text) || len(vectors) < 6 {
			t.Errorf("%d vectors, %d windows", len(vectors), e.Windows(text))
		}
		top := -1.0
		for _, v := range vectors {
			top = max(top, cosine(question, v))
		}
		return top
	}
	with, without := best(long(3000)+keyFact), best(long(3000))
	if with < without+0.02 {
		t.Errorf("best window %.4f with the fact at the end, %.4f without: the end is not seen", with, without)
	}
}

func TestLongQuestionEnd(t *testing.T) {
	e := openBundled(t)
	memories := []string{
		keyFact,
		"Anna is allergic to hazelnuts.", "The car insurance must be renewed in March.", "The boiler needs two bars of pressure.",
		"The train to Leipzig leaves from platform nine.", "My brother owns a ladder and two paint rollers.",
		"The design team prefers a dark blue.", "The school play takes place every spring in the gym.",
		"The apple tree was planted when the house was built.", "The marketing budget was overspent in spring.",
		"The cat gets her pill every second evening.", "The tent is stored in the attic.",
	}
	for _, text := range []string{long(1800) + "Where is the spare key?", "Where is the spare key? " + long(1800)} {
		question, err := e.Question(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		var scores []float64
		for _, m := range memories {
			v, err := e.Passage(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			scores = append(scores, cosine(question, v[0]))
		}
		better := 0
		for _, s := range scores[1:] {
			if s > scores[0] {
				better++
			}
		}
		if better > 4 {
			t.Errorf("%d of %d memories come before the right one: %.3f", better, len(memories)-1, scores)
		}
	}
}

func TestAnyText(t *testing.T) {
	e := openBundled(t)
	texts := []string{
		"", " ", "\n\r\n\t", "\x00", "\xff\xfe broken \xc3(", "e\u0301\u0301\u0301", "a\r\nb", "\u200b\u200d\ufeff",
		"👩‍👩‍👧‍👦🏳️‍🌈", "<s></s><pad><mask><unk>", "ﷺ ﷽", "日本語のテキスト", "ภาษาไทย", "مرحبا بالعالم", "\U0010ffff\ufffd",
		strings.Repeat("x", 2000), strings.Repeat("漢", 1000),
	}
	for _, text := range texts {
		question, err := e.Question(t.Context(), text)
		if err != nil {
			t.Errorf("%.20q: %v", text, err)
			continue
		}
		symmetric, err := e.Symmetric(t.Context(), text)
		if err != nil {
			t.Errorf("%.20q: %v", text, err)
			continue
		}
		passage, err := e.Passage(t.Context(), text)
		if err != nil {
			t.Errorf("%.20q: %v", text, err)
			continue
		}
		for _, v := range append(passage, question, symmetric) {
			length := 0.0
			for _, x := range v {
				length += float64(x) * float64(x)
			}
			if len(v) != 384 || math.Abs(length-1) > 1e-5 {
				t.Errorf("%.20q: %d values of length %v", text, len(v), length)
			}
		}
	}
}

func TestCancelledBeforeARun(t *testing.T) {
	e := openBundled(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Question(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("question: %v", err)
	}
	if _, err := e.Passage(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("passage: %v", err)
	}
}

// A run under way ends early, and its worker works again.
func TestCancelledDuringARun(t *testing.T) {
	e := openBundled(t)
	text := strings.Repeat("x ", 500) // some 140 ms
	began := time.Now()
	want, err := e.Question(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	full := time.Since(began)
	least := full
	for range 5 { // the machine may be busy: the quickest counts
		began = time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), full/20)
		_, err := e.Question(ctx, text)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		least = min(least, time.Since(began))
		got, err := e.Question(t.Context(), text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("after a stopped run: %v, same vector: %t", err, slices.Equal(got, want))
		}
	}
	if least > full/2 {
		t.Errorf("a stopped run took %v, a whole one %v", least, full)
	}
}

func TestClose(t *testing.T) {
	e := openBundled(t)
	started := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		close(started)
		_, err := e.Passage(t.Context(), long(3000))
		done <- err
	}()
	<-started
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil && !errors.Is(err, encoder.ErrClosed) {
		t.Errorf("the call that was under way: %v", err)
	}
	if _, err := e.Question(t.Context(), "x"); !errors.Is(err, encoder.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}

func TestCorruptedModelIsRefused(t *testing.T) {
	for name, change := range map[string]func(*encoder.Files){
		"one bit of the graph":     func(m *encoder.Files) { m.Graph.Bytes = flip(m.Graph.Bytes, 30_000_000) },
		"graph cut off":            func(m *encoder.Files) { m.Graph.Bytes = m.Graph.Bytes[:1_000_000] },
		"one bit of the tokenizer": func(m *encoder.Files) { m.Tokenizer.Bytes = flip(m.Tokenizer.Bytes, 3_000_000) },
	} {
		m := bundled.Files()
		change(&m)
		m.Graph.Mapped, m.Tokenizer.Mapped = false, false
		_, err := encoder.Open(t.Context(), encoder.Config{Library: encodertest.Library(t), Model: m})
		if err == nil || !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), "install the program again") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func flip(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 1
	return b
}

func TestMissingLibrary(t *testing.T) {
	_, err := encoder.Open(t.Context(), encoder.Config{Library: t.TempDir() + "/libonnxruntime.so", Model: bundled.Files()})
	if err == nil || !strings.Contains(err.Error(), "make setup") {
		t.Errorf("error %v", err)
	}
}

// Stored vectors carry the identity: it may change only when their meaning does.
func TestIdentityIsStable(t *testing.T) {
	e := openBundled(t)
	if got, want := e.Identity(), "bundled:b8aac0582d706a83"; got != want {
		t.Errorf("identity %s, was %s: vectors in every store would be made anew", got, want)
	}
	seen := map[string]string{e.Identity(): "as it is"}
	changes := map[string]func(*encoder.Config){
		"query prefix":   func(c *encoder.Config) { c.Model.QueryPrefix = "question: " },
		"passage prefix": func(c *encoder.Config) { c.Model.PassagePrefix = "text: " },
		"tokens":         func(c *encoder.Config) { c.Model.MaxTokens = 256 },
		"window":         func(c *encoder.Config) { c.Model.Window = 128 },
		"graph":          func(c *encoder.Config) { c.Model.Graph.Origin = "" },
		"tokenizer":      func(c *encoder.Config) { c.Model.Tokenizer.Origin = "" },
	}
	for name, change := range changes {
		id := openBundled(t, change).Identity()
		if other, twice := seen[id]; twice {
			t.Errorf("%s: the same identity as %s", name, other)
		}
		seen[id] = name
	}
}

func TestDescribe(t *testing.T) {
	d := openBundled(t).Describe()
	if d.Model != "bundled" || d.Revision != "391278a2b5fd" || d.Device != "cpu" || d.MaxSequenceTokens != 512 || d.Dims != 384 ||
		d.QueryPrefix != "query: " || d.DocumentPrefix != "passage: " || !d.Normalized || !d.LocalFilesOnly || !strings.HasPrefix(d.Runtime, "1.") {
		t.Errorf("%+v", d)
	}
}
