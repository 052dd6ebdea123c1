package tokenizer

import (
	"crypto/sha256"
	"strings"
	"testing"
)

// sentence has 30 tokens with the bundled vocabulary.
const sentence = "Ana told me on Tuesday that the green notebook is in the second drawer of the old kitchen table, under all the bills of last winter."

func BenchmarkSentence(b *testing.B) {
	json, flat := bundled(b)
	for _, c := range []struct {
		name, text string
		tok        *Tokenizer
	}{
		{"flat", sentence, flat},
		{"json", sentence, json},
		{"flat/Russian", "Анна сказала мне во вторник, что зелёная тетрадь лежит во втором ящике старого кухонного стола.", flat},
		{"flat/Hindi", "अन्ना ने मुझे मंगलवार को बताया कि हरी नोटबुक पुरानी रसोई की मेज की दूसरी दराज में है।", flat},
		{"flat/Japanese", "アナは火曜日に、緑のノートは古い台所のテーブルの二番目の引き出しにあると教えてくれました。", flat},
		{"flat/Thai", "แอนนาบอกฉันเมื่อวันอังคารว่าสมุดสีเขียวอยู่ในลิ้นชักที่สองของโต๊ะครัวเก่า", flat},
		{"flat/Vietnamese", "Thứ Ba Anna nói với tôi rằng cuốn sổ màu xanh lá nằm trong ngăn kéo thứ hai của chiếc bàn bếp cũ.", flat},
	} {
		b.Run(c.name, func(b *testing.B) {
			ids := c.tok.Append(nil, c.text)
			b.ReportAllocs()
			for b.Loop() {
				ids = c.tok.Append(ids[:0], c.text)
			}
			b.ReportMetric(float64(len(ids)), "tokens")
		})
	}
}

func BenchmarkOpenFlat(b *testing.B) {
	data := readFile(b, bundledFlat)
	b.Run("open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := OpenFlat(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("hash", func(b *testing.B) {
		for b.Loop() {
			sha256.Sum256(data)
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	data := readFile(b, bundledJSON)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMegabyteWithoutSpace(b *testing.B) {
	_, flat := bundled(b)
	for _, unit := range []string{"a", "remember", "記憶", "\u0301", "👩🏽‍💻"} {
		b.Run(unit, func(b *testing.B) {
			text := strings.Repeat(unit, 1<<20/len(unit))
			for b.Loop() {
				flat.Append(nil, text)
			}
		})
	}
}
