package lexical

import (
	"cmp"
	"slices"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// library is a small set of notes, each found by the probes below.
var library = map[string]string{
	"zh-key":     "备用钥匙放在门口花盆下面，别忘了告诉奶奶",
	"zh-step":    "第3步 重新运行build-idx后12条记录已清理",
	"zh-life":    "她在大学里研究生命科学",
	"zh-user":    "登录时用户身份验证失败了两次",
	"ja-dentist": "歯医者の予約を来週の火曜日に変更した",
	"ja-test":    "負荷テストのあとでｻｰﾊﾞｰを再起動した",
	"ko-budget":  "내년 홍보 예산을 다시 검토해야 한다",
	"ko-water":   "화분에 물을 주는 것을 잊지 말자",
	"th-laundry": "พรุ่งนี้ต้องไปรับเสื้อที่ร้านซักผ้าหน้าปากซอย",
	"km-key":     "ខ្ញុំទុកកូនសោនៅក្រោមកៅអីក្នុងសួន",
	"lo-key":     "ຂ້ອຍຝາກກະແຈໄວ້ກັບເພື່ອນບ້ານ",
	"my-table":   "သော့ကိုစားပွဲပေါ်မှာထားခဲ့တယ်",
	"bo-door":    "ལྡེ་མིག་སྒོ་འགྲམ་དུ་བཞག་ཡོད།",
	"de-tram":    "Die Straßenbahn hält jetzt vor dem Großmarkt",
	"tr-apricot": "Iğdır'daki kayısı bahçesini sulamayı unutma",
	"fr-hotel":   "Le café de l'hôtel ferme à dix-huit heures",
	"pl-mat":     "Łukasz zostawił klucz pod wycieraczką",
	"da-ferry":   "Søren mødte Ægir på færgen til Ærø",
	"is-bread":   "Þórður keypti brauð í Hafnarfirði",
	"ca-college": "El col·legi de l'Èlia obre dilluns",
	"vi-soup":    "Quán phở ngon nhất Đà Nẵng nằm gần cầu Rồng",
	"ru-tree":    "Ёлку нарядим в декабре, а ключи от дачи у соседей",
	"uk-mint":    "М'ята росте біля під'їзду",
	"el-drawer":  "Τα κλειδιά του γραφείου βρίσκονται στο συρτάρι",
	"ar-office":  "تَرَكْتُ مَفَاتِيحَ المَكْتَبِ عِنْدَ الجَارَةِ",
	"ar-school":  "زرنا المدرســـة القديمة أمس وأخذنا صورة",
	"fa-books":   "کتاب\u200cهای قدیمی را در سال ۱۴۰۳ به کتابخانه دادم",
	"he-peace":   "שָׁלוֹם לַשָּׁכֵן, הַסֻּלָּם בַּמַּחְסָן",
	"he-army":    `אחותי משרתת בצה"ל`,
	"hi-keys":    "चाबियाँ पड़ोसी के पास हैं, सब्ज़ी फ्रिज में",
	"ta-table":   "சாவி மேசையின் மேல் இருக்கிறது",
	"hy-why":     "Ինչո՞ւ եկար այսօր",
	"en-run":     "She runs along the canal every morning",
	"en-bought":  "Omar bought the café's old chairs on May 8th",
	"en-invoice": "Invoice OC-41252 of 2026-05-08 sent to ana.lopez@example.com",
	"en-code":    "The C++ part calls getUserName and reads max_retry_count, see v1.26.8",
	"en-near":    "NEAR the lake: content of the blue box, memory:safe, say \"hi\", (python) foo AND bar",
	"en-emoji":   "Great party 🎉 with the family 👨‍👩‍👧‍👦 ☕",
	"en-wide":    "Ｒｏｏｍ ４０７ on the third floor",
	"en-mark":    "Ticket A\u200fB-\u200e77 is for the Acme™ stand",
}

// probes are questions with the note that must come first.
var probes = []struct{ query, want string }{
	// Words inside a run of a script without spaces, and single characters.
	{"钥匙", "zh-key"}, {"备用钥匙", "zh-key"}, {"花盆", "zh-key"}, {"盆", "zh-key"}, {"钥", "zh-key"},
	{"记录", "zh-step"}, {"idx", "zh-step"}, {"build-idx", "zh-step"}, {"12条记录", "zh-step"}, {"第3步", "zh-step"}, {"步", "zh-step"},
	{"生命科学", "zh-life"}, {"研究", "zh-life"}, {"用户", "zh-user"}, {"用户身份", "zh-user"},
	{"歯医者", "ja-dentist"}, {"火曜日", "ja-dentist"}, {"歯", "ja-dentist"},
	{"テスト", "ja-test"}, {"サーバー", "ja-test"}, {"ﾃｽﾄ", "ja-test"},
	{"예산", "ko-budget"}, {"검토", "ko-budget"}, {"물", "ko-water"}, {norm.NFD.String("화분"), "ko-water"},
	{"เสื้อ", "th-laundry"}, {"ซักผ้า", "th-laundry"}, {"កូនសោ", "km-key"}, {"កៅអី", "km-key"},
	{"ກະແຈ", "lo-key"}, {"စားပွဲ", "my-table"}, {"ལྡེ་མིག", "bo-door"}, {"སྒོ", "bo-door"},
	// Letters that have no accent to take off, and letters of two spellings.
	{"strassenbahn", "de-tram"}, {"STRASSENBAHN", "de-tram"}, {"grossmarkt", "de-tram"}, {"hält großmarkt", "de-tram"},
	{"ığdır", "tr-apricot"}, {"IĞDIR", "tr-apricot"}, {"igdir", "tr-apricot"}, {"KAYISI", "tr-apricot"}, {"kayısı", "tr-apricot"},
	{"cafe hotel", "fr-hotel"}, {"HÔTEL", "fr-hotel"}, {"ho\u0302tel", "fr-hotel"}, {"dix huit", "fr-hotel"}, {"hotel’s", "fr-hotel"},
	{"lukasz", "pl-mat"}, {"wycieraczka", "pl-mat"}, {"soren", "da-ferry"}, {"færgen", "da-ferry"}, {"aero", "da-ferry"},
	{"thordur", "is-bread"}, {"ÞÓRÐUR", "is-bread"}, {"collegi", "ca-college"}, {"Elia", "ca-college"},
	{"da nang", "vi-soup"}, {"pho", "vi-soup"}, {"phở", "vi-soup"}, {norm.NFD.String("Đà Nẵng"), "vi-soup"},
	{"елка", "ru-tree"}, {"ёлки", "ru-tree"}, {"ключ", "ru-tree"}, {"дача", "ru-tree"}, {"м’ята", "uk-mint"}, {"під’їзд", "uk-mint"},
	{"κλειδι", "el-drawer"}, {"ΚΛΕΙΔΙΆ", "el-drawer"}, {"γραφείο", "el-drawer"}, {"συρταρι", "el-drawer"},
	// Points, marks and forms of right-to-left scripts.
	{"مفاتيح المكتب", "ar-office"}, {"مَفَاتِيح", "ar-office"}, {"مكتب", "ar-office"}, {"مدرسة", "ar-school"}, {"المدرسه", "ar-school"}, {"صوره", "ar-school"},
	{"كتاب", "fa-books"}, {"کتابخانه", "fa-books"}, {"1403", "fa-books"}, {"١٤٠٣", "fa-books"},
	{"שלום", "he-peace"}, {"סולם שכן שלום", "he-peace"}, {"צה״ל בצה״ל", "he-army"},
	{"चाबी", "hi-keys"}, {"सब्जी", "hi-keys"}, {norm.NFD.String("सब्ज़ी"), "hi-keys"}, {"சாவி", "ta-table"}, {"ինչու", "hy-why"},
	// English forms, signs, names and numbers.
	{"run", "en-run"}, {"running", "en-run"}, {"ran", "en-run"}, {"canals", "en-run"},
	{"buy", "en-bought"}, {"8 May", "en-bought"}, {"May 8", "en-bought"}, {"cafe chair", "en-bought"},
	{"OC-41252", "en-invoice"}, {"oc41252", "en-invoice"}, {"41252", "en-invoice"}, {"2026-05-08", "en-invoice"}, {"ana.lopez@example.com", "en-invoice"}, {"8 2026", "en-invoice"},
	{"C++", "en-code"}, {"user name", "en-code"}, {"getUserName", "en-code"}, {"retry", "en-code"}, {"maxRetryCount", "en-code"}, {"v1.26.8", "en-code"},
	{"NEAR", "en-near"}, {"content", "en-near"}, {"memory:safe", "en-near"}, {`say "hi`, "en-near"}, {"foo AND bar", "en-near"}, {"(python", "en-near"},
	{"🎉", "en-emoji"}, {"👧", "en-emoji"}, {"👨‍👩‍👧‍👦", "en-emoji"}, {"☕️", "en-emoji"},
	{"room 407", "en-wide"}, {"４０７", "en-wide"}, {"四〇七 407", "en-wide"}, {"AB-77", "en-mark"}, {"acme", "en-mark"},
}

func TestProbes(t *testing.T) {
	ids := make([]string, 0, len(library))
	for id := range library {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	docs := make(map[string][]string, len(ids))
	c := collect(docs, ids)
	for _, p := range probes {
		q := Query(p.query)
		if len(q) == 0 {
			t.Errorf("Query(%q) has no terms", p.query)
			continue
		}
		best := slices.MaxFunc(ids, func(a, b string) int {
			return cmp.Compare(Ranking.Score(q, docs[a], c), Ranking.Score(q, docs[b], c))
		})
		if score := Ranking.Score(q, docs[p.want], c); score == 0 {
			t.Errorf("%q %q does not find %s %q", p.query, q, p.want, docs[p.want])
		} else if best != p.want {
			t.Errorf("%q %q finds %s before %s", p.query, q, best, p.want)
		}
	}
}

// collect analyses the library into docs and returns its collection.
func collect(docs map[string][]string, ids []string) Collection {
	df := make(map[string]int)
	total := 0
	for _, id := range ids {
		terms := Terms(library[id])
		docs[id] = terms
		total += len(terms)
		distinct := slices.Compact(slices.Sorted(slices.Values(terms)))
		for _, t := range distinct {
			df[t]++
		}
	}
	return Collection{
		Size:       len(ids),
		MeanLength: float64(total) / float64(len(ids)),
		DF:         func(t string) int { return df[t] },
	}
}
