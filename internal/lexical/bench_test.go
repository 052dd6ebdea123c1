package lexical

import (
	"strings"
	"testing"
)

// benchLines are lines of about 200 bytes of our own, a name each.
var benchLines = []struct{ name, text string }{
	{"english", "8 May 2023: Maria: I finally bought the old boat we looked at in spring, and my brother is going to help me repair the engine, paint the deck and sew new sails before the regatta starts in late August."},
	{"german", "8 May 2023: Jörg: Gestern haben wir für das Frühstück frische Brötchen geholt und über die größten Märkte geplaudert; außerdem möchte Käthe nächstes Jahr drei Wochen lang durch Österreich wandern."},
	{"russian", "8 мая: вчера мы купили лодку и чинили двигатель до самой ночи, а утром поехали на озеро ловить рыбу"},
	{"chinese", "昨天我们买了一条旧船，修理发动机一直到深夜，早上又去湖边钓鱼，晚饭以后在甲板上看星星，大家都很开心"},
	{"hindi", "कल हमने पुरानी नाव खरीदी और रात तक इंजन ठीक किया, सुबह झील पर मछली पकड़ने गए"},
}

// BenchmarkTerms reports megabytes a second; 20 MB/s are 100,000 lines of 200
// bytes.
func BenchmarkTerms(b *testing.B) {
	for _, l := range benchLines {
		b.Run(l.name, func(b *testing.B) {
			b.SetBytes(int64(len(l.text)))
			b.ReportAllocs()
			for b.Loop() {
				Terms(l.text)
			}
		})
	}
}

// BenchmarkTermsVaried has more words than the cache has slots.
func BenchmarkTermsVaried(b *testing.B) {
	var lines []string
	var sb strings.Builder
	for i := range 2000 {
		sb.Reset()
		for j := range 30 {
			n := i*30 + j
			for range 5 {
				sb.WriteByte(byte('a' + n%26))
				n = n/3 + 7
			}
			sb.WriteString("ing ")
		}
		lines = append(lines, sb.String())
	}
	b.SetBytes(int64(len(lines[0])))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		Terms(lines[i%len(lines)])
		i++
	}
}

func BenchmarkQuery(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Query("When did Maria's brother help her repair the engine of the old boat?")
	}
}
