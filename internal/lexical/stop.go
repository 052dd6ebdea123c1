package lexical

import "sync"

// stopWords holds, a language each, words that say what kind of sentence it is
// and not what it is about. The English row has the words of the contract's
// lexical ranking and the question words. A word that means something in
// another large language is left out (German die and war, Dutch van, Romanian
// care, French car), because the language of a question is not known.
var stopWords = [...]string{
	// English
	`the a an of to in on for with and or is are was were be been this that it its as at by from
	we you i he she they them his her their our your
	am being do does did doing have has had having me my him hers ours yours theirs
	who whom whose what which when where why how these those there here if then than so but about into
	s t d m ll re ve`,
	// German
	`der das dem den und ist nicht ein eine einer einem einen mit von zu zum zur auf für sich im
	wie wer wann welche welcher welches`,
	// Spanish
	`el la los las del que en y un una con por para como cual cuales quién quiénes cuando donde`,
	// French
	`le les et est dans qui une du des aux l quel quelle quels quelles`,
	// Italian
	`il lo gli di della che per non sono cosa chi`,
	// Portuguese
	`os um uma com na da de do e o`,
	// Dutch
	`het een`,
	// Turkish
	`ve bir bu için ile hangi nedir ne kim kaç nasıl nerede`,
	// Romanian
	`cui ce cu din este pe și sunt unde când`,
	// Vietnamese
	`là của một những nào được trong cho có gì như ai ở đâu khi bao nhiêu với và các đã`,
	// Russian
	`и в на не что с по как это от из за для о к у я он она они мы вы кто где когда какой какая какие какое каких
	сколько почему был была было были быть а но`,
	// Greek
	`και το η ο τα την τον του της των τις τους στο στη στην στον στα τι ποιο ποια ποιος ποιες ποιοι πώς που πότε πόσα πόσοι
	από με για είναι σε να ήταν ένα μια ένας οι`,
	// Arabic
	`في من على إلى ما هو هي عن مع هذا هذه التي الذي كان كانت ماذا متى أين كيف لماذا كم هل أن و`,
	// Hindi
	`के का की में है और को से ने पर क्या कौन कब कहाँ कैसे कितने कितनी किस किसने किसके था थी थे एक यह हैं लिए ही`,
	// Chinese
	`什么 怎么 哪些 哪个 哪里 我们 你们 他们 这个 那个 一个 是什 的是 多少 谁 的 了 吗 是`,
	// Japanese
	`です ます した して いる ある こと これ それ どこ 何 なに れた ので ため たの のは とは は何 何で すか いつ 誰 どの`,
	// Thai
	`ที่ การ ของ และ เป็น อะไร ใคร เมื่อ ไหร่ ไหน อย่าง ไร ใน`,
}

// stopTerms holds the terms of the stop words.
var stopTerms = sync.OnceValue(func() map[string]struct{} {
	m := make(map[string]struct{})
	for _, words := range stopWords {
		for _, t := range scanText(words, true) {
			m[t] = struct{}{}
		}
	}
	return m
})
