package timewords

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
)

// ask fails the test when the question is not understood.
func ask(t *testing.T, question string, now time.Time) (since, until string) {
	t.Helper()
	i, ok := Reader{}.Understand(question, now)
	if !ok {
		t.Fatalf("%q is not understood", question)
	}
	if !strings.Contains(question, i.Text) {
		t.Errorf("%q: the words %q do not stand there", question, i.Text)
	}
	const layout = "2006-01-02 15:04:05.999999"
	return i.Since.Format(layout), i.Until.Format(layout)
}

// askDays asks and compares whole days.
func askDays(t *testing.T, question string, now time.Time, since, until string) {
	t.Helper()
	a, b := ask(t, question, now)
	if a != since+" 00:00:00" || b != until+" 23:59:59.999999" {
		t.Errorf("%q: %s – %s, want %s – %s", question, a, b, since, until)
	}
}

func TestDays(t *testing.T) {
	for _, c := range []struct{ question, since, until string }{
		{"What did I eat today?", "2024-05-15", "2024-05-15"},
		{"What is planned for tomorrow?", "2024-05-16", "2024-05-16"},
		{"What is planned for the day after tomorrow?", "2024-05-17", "2024-05-17"},
		{"Who called this week?", "2024-05-13", "2024-05-19"},
		{"Who will call next week?", "2024-05-20", "2024-05-26"},
		{"Where were we last weekend?", "2024-05-11", "2024-05-12"},
		{"Where were we two weekends ago?", "2024-05-04", "2024-05-05"},
		{"What did we plan this month?", "2024-05-01", "2024-05-31"},
		{"What did we spend last quarter?", "2024-01-01", "2024-03-31"},
		{"What did we spend this year?", "2024-01-01", "2024-12-31"},
		{"What was new in the last decade?", "2010-01-01", "2019-12-31"},
		{"Where did I live ten years ago?", "2014-01-01", "2014-12-31"},
		{"Whom did I meet a few weeks ago?", "2024-04-01", "2024-05-05"},
		{"What did Sam say on Monday?", "2024-05-13", "2024-05-13"},
		{"What did Sam say on Wednesday?", "2024-05-08", "2024-05-08"},
		{"What did Sam say this Monday?", "2024-05-13", "2024-05-13"},
		{"What will Sam say next Monday?", "2024-05-20", "2024-05-20"},
		{"Wer kam am Montag vorbei?", "2024-05-13", "2024-05-13"},
		{"What broke in June?", "2023-06-01", "2023-06-30"},
		{"What broke in May?", "2024-05-01", "2024-05-31"},
		{"What broke last May?", "2023-05-01", "2023-05-31"},
		{"What broke on 16 May?", "2023-05-16", "2023-05-16"},
		{"What broke on May 15th?", "2024-05-15", "2024-05-15"},
		{"What broke on 29 February?", "2024-02-29", "2024-02-29"},
		{"What did we plant in the spring of 2022?", "2022-03-01", "2022-05-31"},
		{"What did we burn last winter?", "2023-12-01", "2024-02-29"},
		{"What did we burn in the winter of 2021?", "2021-12-01", "2022-02-28"},
		{"What did I get for Christmas last year?", "2023-12-24", "2023-12-26"},
		{"What did I get last Christmas?", "2023-12-24", "2023-12-26"},
		{"What did the note of 2023-05-08 say?", "2023-05-08", "2023-05-08"},
		{"What did the note of 2023/5/8 say?", "2023-05-08", "2023-05-08"},
		{"Where is the photo from 5/8/2023?", "2023-05-08", "2023-05-08"},
		{"Where is the photo from 25/12/2022?", "2022-12-25", "2022-12-25"},
		{"Wo ist das Bild vom 5/8/2023?", "2023-08-05", "2023-08-05"},
		{"Wo ist das Bild vom 5.8.23?", "2023-08-05", "2023-08-05"},
		{"Where is the photo from 12/24/99?", "1999-12-24", "1999-12-24"},
		{"Was schrieb ich am 8. Mai?", "2024-05-08", "2024-05-08"},
		{"¿Qué pasó el 22-ene-2016?", "2016-01-22", "2016-01-22"},
		{"上个月5号我在哪里？", "2024-04-05", "2024-04-05"},
		{"二〇二三年五月八日有什么？", "2023-05-08", "2023-05-08"},
		{"What did I read from Monday to Wednesday?", "2024-05-13", "2024-05-15"},
		{"What did I read between March and April?", "2024-03-01", "2024-04-30"},
		{"What did I read from November to February?", "2023-11-01", "2024-02-29"},
		{"What is planned from March to July?", "2024-03-01", "2024-07-31"},
		{"What did Ana say on Sun?", "2024-05-12", "2024-05-12"},
		{"What did I say on 12 sept. 2022?", "2022-09-12", "2022-09-12"},
		{"上周一谁来了？", "2024-05-06", "2024-05-06"},
		{"מה קרה ובמרץ 2022?", "2022-03-01", "2022-03-31"},
		{"What did we do in May, 2023?", "2023-05-01", "2023-05-31"},
		{"What did I read from 2019 to 2021?", "2019-01-01", "2021-12-31"},
		{"What did I read in May - July 2022?", "2022-05-01", "2022-07-31"},
		{"What did I read between 3 and 5 May 2023?", "2023-05-03", "2023-05-05"},
		{"What did I read on May 3-5, 2023?", "2023-05-03", "2023-05-05"},
		{"What did I read from May 3 to June 2, 2023?", "2023-05-03", "2023-06-02"},
		{"What did I read on 3-5 May 2023?", "2023-05-03", "2023-05-05"},
		{"What did I read on 3 and 4 May 2023?", "2023-05-03", "2023-05-04"},
		{"2023年3月3日から5日まで何を読みましたか？", "2023-03-03", "2023-03-05"},
		{"Qu'ai-je fait le premier mai 2023 ?", "2023-05-01", "2023-05-01"},
		{"¿Qué hice en abril pasado?", "2024-04-01", "2024-04-30"},
		{"¿Qué comimos la Navidad pasada?", "2023-12-24", "2023-12-26"},
		{"What did we do on Halloween?", "2023-10-31", "2023-10-31"},
		{"What did we do last New Year's Eve?", "2023-12-31", "2024-01-01"},
		{"What will we do next summer?", "2024-06-01", "2024-08-31"},
		{"What did we do in the last two quarters of the year 2019?", "2019-01-01", "2019-12-31"},
		{"What did I do the month before 8 May 2023?", "2023-04-08", "2023-05-07"},
		{"What did I do in the year after 8 May 2023?", "2023-05-09", "2024-05-08"},
		{"What did I do one month before 31 March 2023?", "2023-02-01", "2023-02-28"},
		{"What did we do the weekend after 28 October 2023?", "2023-11-04", "2023-11-05"},
		{"What did we do on the Monday before July 24, 2023?", "2023-07-17", "2023-07-17"},
		{"What did we do the Saturday after 28 October 2023?", "2023-11-04", "2023-11-04"},
		{"What did we do the weekend before 4 October 2023?", "2023-09-30", "2023-10-01"},
		{"What did we do the week before 9 June 2023?", "2023-06-02", "2023-06-08"},
		{"What did we do two days after 8 May 2023?", "2023-05-10", "2023-05-10"},
		{"What did we do two days before yesterday?", "2024-05-12", "2024-05-12"},
		{"What did they play in the 1980s?", "1980-01-01", "1989-12-31"},
		{"What did I write in early 2020?", "2020-01-01", "2020-12-31"},
		{"What did I see last week in Paris, and what in 2021?", "2024-05-06", "2024-05-12"},
		{"What happened in the last week of July 2023?", "2023-07-01", "2023-07-31"},
		{"What happened on 31 April 2023?", "2023-04-01", "2023-04-30"}, // no such day, but a month
	} {
		askDays(t, c.question, asked, c.since, c.until)
	}
}

func TestHours(t *testing.T) {
	for _, c := range []struct{ question, since, until string }{
		{"What is on tonight?", "2024-05-15 17:00:00", "2024-05-15 23:59:59.999999"},
		{"What did I eat this morning?", "2024-05-15 05:00:00", "2024-05-15 11:59:59.999999"},
		{"What did I dream last night?", "2024-05-14 18:00:00", "2024-05-15 05:59:59.999999"},
		{"Who came on Friday afternoon?", "2024-05-10 12:00:00", "2024-05-10 17:59:59.999999"},
		{"Who came on the morning of 8 May 2023?", "2023-05-08 05:00:00", "2023-05-08 11:59:59.999999"},
		{"Who called two hours ago?", "2024-05-15 09:30:00", "2024-05-15 10:30:00"},
		{"Who called ten minutes ago?", "2024-05-15 11:49:00", "2024-05-15 11:51:00"},
		{"Who called in the last hour?", "2024-05-15 11:00:00", "2024-05-15 12:00:00"},
		{"Who called in the last 24 hours?", "2024-05-14 12:00:00", "2024-05-15 12:00:00"},
		{"Who called in the past week?", "2024-05-08 00:00:00", "2024-05-15 12:00:00"},
		{"Who called in the last few days?", "2024-05-09 00:00:00", "2024-05-15 12:00:00"},
		{"ماذا فعلت في آخر أسبوعين؟", "2024-05-01 00:00:00", "2024-05-15 12:00:00"},
		{"What is planned for the next three days?", "2024-05-15 12:00:00", "2024-05-18 23:59:59.999999"},
		{"What did I do in the last two quarters?", "2023-11-15 00:00:00", "2024-05-15 12:00:00"},
		{"What did I do in the last three decades?", "1994-05-15 00:00:00", "2024-05-15 12:00:00"},
		{"Who called a few hours ago?", "2024-05-15 05:30:00", "2024-05-15 10:30:00"},
		{"What have I done since Monday?", "2024-05-13 00:00:00", "9999-12-29 00:00:00"},
		{"What have I done since 8 May 2023?", "2023-05-08 00:00:00", "9999-12-29 00:00:00"},
		{"What did I do after March 2023?", "2023-04-01 00:00:00", "9999-12-29 00:00:00"},
		{"What did I do before last week?", "0001-01-03 00:00:00", "2024-05-05 23:59:59.999999"},
		{"What did I do until 2019?", "0001-01-03 00:00:00", "2019-12-31 23:59:59.999999"},
	} {
		if a, b := ask(t, c.question, asked); a != c.since || b != c.until {
			t.Errorf("%q: %s – %s, want %s – %s", c.question, a, b, c.since, c.until)
		}
	}
}

func TestNoTimes(t *testing.T) {
	for _, text := range []string{
		"", " ", "?", "May I have the recipe?", "Who may know it?", "March on!", "Did they march to Rome?",
		"one second", "the second house", "Where was the cat when it sat?", "What do I do with mar and dec?",
		"Is the sun out?", "Which sun cream is best?", "April's dog", "What did June say?", "Where does August live?",
		"spring water", "How do spring rolls taste?", "Which summer jacket is mine?", "winter tyres", "a Christmas tree",
		"the last key", "the last day of school", "Which is the next step?", "the last week of the project",
		"version 1.2.3", "go 1.26.3 and 10.4", "192.168.1.20", "issue #2021", "OC-41252", "room 2023", "2000 g of flour",
		"in 2000 steps", "in 1984 pages", "Is it 5/8 of an inch?", "Where is 2023-05-08.md?", "see april.js", "sun-dried",
		"May-Britt", "What costs $2020?", "v2023.1", "call +49 1990 2021", "every Monday", "each day", "good morning",
		"What do we do each summer?", "2023-13-40",
		"Black Friday", "the fall of Rome", "Guten Morgen!", "Was machst du hier?", "Ist der Mai Tai gut?",
		"der Winter Verlag", "Buenos días", "el mar y el sol", "do you like do re mi?", "¿Te gusta el mar Mediterráneo?",
		"la planète Mars", "J'ai été malade", "Où est l'hiver ?", "Che ora è?", "une fois par jour", "как дела", "один раз",
		"日本の春巻き", "天気はどう？", "三年级的学生", "일본은 어디야?", "세 번째 집", "người thứ hai", "วันละครั้ง",
		"vom 1.5 km entfernten Haus", "We lie on sun beds", "am Morgen", "¿Qué como por la mañana?",
		"in #2021", "Who closed ticket #5 May?", "Did in May 2000 people come?", "in $2020", "in A-2021", "in v2023", "3:45", "12,500", "100%", "20°", "the 5th element", "O 8 a 9", "a 90 b",
	} {
		if i, ok := (Reader{}).Understand(text, asked); ok {
			t.Errorf("%q: %q is no time", text, i.Text)
		}
	}
}

func TestWords(t *testing.T) {
	for question, want := range map[string]string{
		"Ce que j'ai fait l'année dernière":    "année dernière",
		"WHAT DID WE EAT  LAST\tWEEK?":         "LAST\tWEEK",
		"What did Ana’s note of May 8th say?":  "May 8th",
		"Was war im Ma\u0308rz 2022?":          "Ma\u0308rz 2022",
		"２０２３年５月８日の写真":                         "２０２３年５月８日",
		"Qué pasó antes de 2020 en casa":       "antes de 2020",
		"Where was I, from May to July, 2022?": "from May to July, 2022",
		"bad \xff bytes, yesterday \xfe":       "yesterday",
	} {
		if i, ok := (Reader{}).Understand(question, asked); !ok || i.Text != want {
			t.Errorf("%q: %q, want %q", question, i.Text, want)
		}
	}
}

// at is a wall clock in a zone.
func at(t *testing.T, zone, wall string) time.Time {
	t.Helper()
	l, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	now, err := time.ParseInLocation("2006-01-02 15:04", wall, l)
	if err != nil {
		t.Fatal(err)
	}
	return now
}

// A day that the clock makes shorter or longer is one day.
func TestClockChanges(t *testing.T) {
	for _, c := range []struct {
		zone, now string
		since     string
		hours     float64
	}{
		{"Europe/Berlin", "2024-04-01 09:00", "2024-03-31T00:00:00+01:00", 23},
		{"Europe/Berlin", "2024-10-28 09:00", "2024-10-27T00:00:00+02:00", 25},
		{"Europe/Berlin", "2024-07-02 09:00", "2024-07-01T00:00:00+02:00", 24},
		{"America/Santiago", "2024-09-09 09:00", "2024-09-08T01:00:00-03:00", 23}, // midnight is skipped
		{"America/Havana", "2024-11-04 09:00", "2024-11-03T00:00:00-04:00", 25},   // midnight comes twice
		{"Asia/Amman", "2021-03-27 09:00", "2021-03-26T01:00:00+03:00", 23},       // the same, east of Greenwich
		{"Asia/Amman", "2021-10-30 09:00", "2021-10-29T00:00:00+03:00", 25},
		{"Pacific/Apia", "2011-12-31 09:00", "2011-12-31T00:00:00+14:00", 0}, // 30 December is skipped
	} {
		i, ok := Reader{}.Understand("yesterday", at(t, c.zone, c.now))
		if c.hours == 0 {
			if ok {
				t.Errorf("%s: there was no day before, got %v", c.zone, i)
			}
			continue
		}
		hours := i.Until.Add(time.Microsecond).Sub(i.Since).Hours()
		if got := i.Since.Format(time.RFC3339); !ok || got != c.since || hours != c.hours {
			t.Errorf("%s: since %s, %v hours, want %s, %v", c.zone, got, hours, c.since, c.hours)
		}
	}
}

// The day is that of the asker's place.
func TestZones(t *testing.T) {
	evening := time.Date(2024, 5, 15, 23, 30, 0, 0, time.UTC)
	for zone, want := range map[string]string{
		"Asia/Tokyo":          "2024-05-15T00:00:00+09:00",
		"UTC":                 "2024-05-14T00:00:00Z",
		"America/Los_Angeles": "2024-05-14T00:00:00-07:00",
		"Asia/Kathmandu":      "2024-05-15T00:00:00+05:45",
	} {
		l, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		i, _ := Reader{}.Understand("What was yesterday?", evening.In(l))
		if got := i.Since.Format(time.RFC3339); got != want || i.Since.Location() != l {
			t.Errorf("%s: %s, want %s", zone, got, want)
		}
	}
}

func TestAroundNewYear(t *testing.T) {
	newYear, silvester := at(t, "Europe/Berlin", "2024-01-01 00:30"), at(t, "Europe/Berlin", "2024-12-31 23:59")
	for _, c := range []struct {
		question     string
		now          time.Time
		since, until string
	}{
		{"yesterday", newYear, "2023-12-31", "2023-12-31"},
		{"last week", newYear, "2023-12-25", "2023-12-31"},
		{"this week", newYear, "2024-01-01", "2024-01-07"},
		{"last month", newYear, "2023-12-01", "2023-12-31"},
		{"two months ago", newYear, "2023-11-01", "2023-11-30"},
		{"in December", newYear, "2023-12-01", "2023-12-31"},
		{"in January", newYear, "2024-01-01", "2024-01-31"},
		{"on 2 January", newYear, "2023-01-02", "2023-01-02"},
		{"last year", newYear, "2023-01-01", "2023-12-31"},
		{"last winter", newYear, "2022-12-01", "2023-02-28"},
		{"from December to January", newYear, "2023-12-01", "2024-01-31"},
		{"last quarter", newYear, "2023-10-01", "2023-12-31"},
		{"this week", silvester, "2024-12-30", "2025-01-05"},
		{"next month", silvester, "2025-01-01", "2025-01-31"},
		{"three months ago", silvester, "2024-09-01", "2024-09-30"},
		{"on 31 December", silvester, "2024-12-31", "2024-12-31"},
	} {
		askDays(t, "What was "+c.question+"?", c.now, c.since, c.until)
	}
}

// TestLongTexts would not end if the time were not linear in the text.
func TestLongTexts(t *testing.T) {
	for _, piece := range []string{
		"may ", "from may to ", "last ", "of ", "1.", "1-", "2023-", "三", "上", "五月", "지난", "ב", "ו", "sept. ", "'", "before ",
		"3 days before ", "May 3 and 4 ", "the Monday after the ", "\u0301", "วัน", "a",
	} {
		Reader{}.Understand(strings.Repeat(piece, 200_000/len(piece)), asked)
	}
}

func FuzzUnderstand(f *testing.F) {
	for line := range strings.Lines(questions) {
		f.Add(line, int64(1_715_774_400), 0)
	}
	for _, s := range []string{"\xff\xfe last week", "९९९९९ दिन पहले", "0000-00-00", "between and to", "令和99年", "㈀ 어제", "쉐\u302e", "१२/१२/१२", "5/", "ב-", "上上上周五"} {
		f.Add(s, int64(0), 0)
	}
	f.Add("yesterday", int64(-62_135_596_800), -12*3600)
	f.Add("next decade", int64(253_402_300_799), 14*3600)
	f.Fuzz(func(t *testing.T, text string, seconds int64, offset int) {
		const years = 9998 * 365 * 86400 // from 1 to 9999
		now := time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC).Add(0).AddDate(0, 0, int(uint64(seconds)%years/86400)).
			Add(time.Duration(uint64(seconds)%86400) * time.Second).In(time.FixedZone("", offset%(14*3600)))
		i, ok := Reader{}.Understand(text, now)
		if !ok {
			if i.Text != "" {
				t.Errorf("%q: no interval, but %q", text, i.Text)
			}
			return
		}
		if i.Text == "" || !strings.Contains(text, i.Text) {
			t.Errorf("%q: the words %q do not stand there", text, i.Text)
		}
		if i.Until.Before(i.Since) || i.Since.Location() != now.Location() || i.Until.Location() != now.Location() {
			t.Errorf("%q at %v: %v – %v", text, now, i.Since, i.Until)
		}
		if again, _ := (Reader{}).Understand(text, now); again != i {
			t.Errorf("%q: %v, then %v", text, i, again)
		}
	})
}
