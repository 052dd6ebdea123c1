package timewords

// languages are the tables of words, in the files words_*.go. The position of a
// language is its bit in langs.
var languages = []language{
	{"en", english}, {"de", german}, {"nl", dutch}, {"sv", swedish}, {"da", danish},
	{"fr", french}, {"es", spanish}, {"pt", portuguese}, {"it", italian}, {"ro", romanian},
	{"ru", russian}, {"uk", ukrainian}, {"pl", polish},
	{"zh", chinese}, {"ja", japanese}, {"ko", korean},
	{"ar", arabic}, {"he", hebrew}, {"hi", hindi},
	{"vi", vietnamese}, {"id", indonesian}, {"th", thai},
	{"tr", turkish}, {"fi", finnish}, {"el", greek},
}

// monthFirstLanguages write 5/8 for 8 May (Unicode CLDR 45, short dates of en, zh, ja
// and ko). British readers do not; a date of theirs with a day above 12 is safe.
var monthFirstLanguages = codes("en") | codes("zh") | codes("ja") | codes("ko")
