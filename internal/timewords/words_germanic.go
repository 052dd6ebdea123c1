package timewords

const english = `
months january|jan?, february|feb?, march?!|mar?^, april?|apr?, may?!, june?|jun?, july|jul?, august?|aug?, september|sept?|sep?, october|oct?, november|nov?, december|dec?
weekdays monday|mon?^, tuesday|tues?^|tue?^, wednesday|wed?^, thursday|thurs?^|thur?^|thu?^, friday|fri?^, saturday|sat?^, sunday|sun?^
numbers one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve
one a, an
few a few, few, several, some, a couple of, couple of, a couple, couple
units minute|minutes|min|mins, hour|hours, day|days, week|weeks, month|months, year|years, decade|decades, weekend|weekends, night|nights, quarter|quarters
seasons spring?|springs?, summer?|summers?, autumn?|autumns?|fall?|falls?, winter?|winters?
parts morning, noon|midday, afternoon, evening, night
holidays christmas?|at christmas|over christmas|christmas day?|christmas eve?|xmas?, new year?|new year's?|new year's eve?|new year's day?|new years eve?, halloween?
day0 today
day-1 yesterday
day-2 the day before yesterday, day before yesterday
day+1 tomorrow
day+2 the day after tomorrow, day after tomorrow
day0.evening tonight
day-1.night last night
rel-1 last, previous
rel0 this, current
rel+1 next, coming, upcoming
past past
ago> ago
in in, from, during, over, within, throughout, early, late, mid, beginning, end, middle, start
on on
of the, of
partof of, of the
from from
between between
and and
to to, through, till, until, thru
since since, ever since
before before, prior to
after after
until until, till, up to
year< year
decade> s, 's
each every, each, good
measure people, persons, steps, words, dollars, euros, pounds, items, files, lines, users, times, things, pieces, copies, members, students, books, miles, meters, metres, feet, calories, points, hours, minutes, seconds, days, weeks, months, years, g, kg, mg, km, m, cm, mm, ml, l, mb, gb, kb, tb, ms, px, hz, w, kwh, rpm, percent, usd, eur
glued 's
ordinal st, nd, rd, th
first first of, the first of
none may i, may we, may you, may he, may she, may they, may it, may the, may be, may not, may have, march on, march of, black friday, good friday, spring water, spring roll, spring rolls, spring onion, spring onions, spring boot, in fall of, may day
cues i'm, i've, i'd, i'll, be, will, would, can, could, should, there, been, out, up, by, my, them, their, any, all, the, what, did, do, does, is, are, was, were, i, my, we, our, you, your, when, where, who, how, have, had, has, and, which, with, about, that, for, me, it, he, she, they, his, her, on, in, of, at, to, from, why, tell, show, find
`

const german = `
months januar|jänner|jan?, februar|feber|feb?, märz|maerz, april|apr?, mai?, juni|jun?, juli|jul?, august|aug?, september|sept?|sep?, oktober|okt?, november|nov?, dezember|dez?
weekdays montag, dienstag, mittwoch, donnerstag, freitag, samstag|sonnabend, sonntag
numbers ein|eine|einer|einem|einen|eins, zwei, drei, vier, fünf|fuenf, sechs, sieben, acht, neun, zehn, elf, zwölf|zwoelf
few ein paar, paar, einige, einigen, wenigen, mehreren, mehrere
units minute|minuten, stunde|stunden, tag|tage|tagen|tages, woche|wochen, monat|monate|monaten|monats, jahr|jahre|jahren|jahres, jahrzehnt|jahrzehnte|jahrzehnten, wochenende|wochenenden|wochenendes, nacht|nächte|nächten, quartal|quartale|quartalen
seasons frühling?|frühjahr?|frühlings?, sommer?|sommern?|sommers?, herbst?|herbsten?, winter?|wintern?|winters?
parts morgen|vormittag|früh, mittag, nachmittag, abend, nacht
holidays weihnachten?|heiligabend?, silvester?|neujahr?, halloween?
day0 heute
day-1 gestern
day-2 vorgestern
day+1 morgen~
day+2 übermorgen, uebermorgen
day0.morning heute morgen, heute früh, heute vormittag
day-1.morning gestern morgen, gestern früh
day-1.night letzte nacht, vergangene nacht
rel-1 letzte, letzten, letzter, letztes, letztem, vorige, vorigen, voriger, voriges, vorigem, vergangene, vergangenen, vergangener, vergangenes, vergangenem
rel-2 vorletzte, vorletzten, vorletzter, vorletztes, vorletztem
rel0 diese, dieser, dieses, diesen, diesem
rel+1 nächste, nächsten, nächster, nächstes, nächstem, kommende, kommenden, kommender, kommendes, kommendem
ago< vor
in im, in, während, seit, anfang, mitte, ende
on am, an, zu, vom, den
of der, die, das, des, dem, den, von, vom
partof des, der, vor
from von, vom, ab
between zwischen
and und
to bis, bis zum
since seit, ab
before vor, bevor
after nach
until bis, bis zum
year< jahr, jahre, jahres
decade> er, er jahre, er jahren
each jeden, jede, jedes, jeder, guten, gute
measure gramm, kilo, meter, kilometer, euro, leute, personen, mal, stück, seiten, schritte, wörter, zeilen, jahre, tage, stunden
cues hier, der, die, das, den, dem, ist, war, was, wer, wo, wann, wie, ich, wir, habe, hat, haben, hatte, mein, meine, mit, und, nicht, von, für, auf, ein, eine, zu, es, sie, er, im, am, bei, mich, mir, du, aus, nach, vor, auch, als, an, wurde, wird, sind, waren, welche, welcher, welches, wem, uns, unser, unsere, sich, dass, noch, wieder, bin, bist, sein, ihr, ihre, mal, gibt, sagte
`

const dutch = `
months januari|jan?, februari|feb?, maart|mrt?, april|apr?, mei, juni|jun?, juli|jul?, augustus|aug?, september|sept?|sep?, oktober|okt?, november|nov?, december|dec?
weekdays maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag
numbers een|één, twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf
few een paar, paar, enkele, enige, meerdere
units minuut|minuten, uur|uren, dag|dagen, week|weken, maand|maanden, jaar|jaren, decennium|decennia, weekend|weekenden|weekeinde, nacht|nachten, kwartaal|kwartalen
seasons lente?|voorjaar?, zomer?|zomers?, herfst?|najaar?, winter?|winters?
parts ochtend|voormiddag, , middag|namiddag, avond, nacht
holidays kerst?|kerstmis?, oud en nieuw?|nieuwjaar?|oudejaarsavond?, halloween?
day0 vandaag
day-1 gisteren
day-2 eergisteren
day+1 morgen~
day+2 overmorgen
day0.morning vanochtend, vanmorgen
day0.afternoon vanmiddag
day0.evening vanavond
day-1.morning gisterochtend, gistermorgen
day-1.afternoon gistermiddag, gisterenmiddag
day-1.evening gisteravond, gisterenavond
day-1.night vannacht, gisternacht
rel-1 vorige, vorig, voorgaande, afgelopen, laatste, voorbije
rel0 deze, dit, huidige
rel+1 volgende, volgend, komende, komend, aanstaande
past afgelopen
ago> geleden
in in, tijdens, gedurende, binnen, begin, eind, einde, halverwege
on op, om
of de, het, van, in
partof van de, van het
from van, vanaf
between tussen
and en
to tot, tot en met, t/m
since sinds, vanaf, sedert
before voor, vóór
after na
until tot, tot en met, t/m
year< jaar
decade< jaren
ordinal e, de, ste
each elke, ieder, iedere, goede
measure gram, kilo, meter, kilometer, euro, mensen, personen, keer, stuks, bladzijden, stappen, woorden, regels, dagen, uur
cues hier, de, het, een, is, was, wat, wie, waar, wanneer, hoe, ik, wij, we, heb, heeft, hebben, had, mijn, met, en, niet, van, voor, op, aan, te, zijn, er, dat, die, mij, in, ons, onze, hij, ze, zij, je, jij, bij, om, uit, als, ook, nog, toen, welke, worden, werd, dan, maar, over, naar, kwam, zei
`

const swedish = `
months januari|jan?, februari|feb?, mars?, april|apr?, maj, juni|jun?, juli|jul?, augusti|aug?, september|sept?|sep?, oktober|okt?, november|nov?, december|dec?
weekdays måndag|måndagen|måndags, tisdag|tisdagen|tisdags, onsdag|onsdagen|onsdags, torsdag|torsdagen|torsdags, fredag|fredagen|fredags, lördag|lördagen|lördags, söndag|söndagen|söndags
numbers en|ett, två, tre, fyra, fem, sex, sju, åtta, nio, tio, elva, tolv
few några, ett par, flera, par
units minut|minuter|minuterna, timme|timmar|timmarna, dag|dagar|dagen|dagarna, vecka|veckor|veckan|veckorna, månad|månader|månaden|månaderna, år|året|åren, decennium|decenniet|decennier|årtionde|årtionden, helg|helgen|helger|veckoslut, natt|natten|nätter, kvartal|kvartalet|kvartalen
seasons våren?, sommar?|somrar?|sommaren?, höst?|hösten?|höstar?, vinter?|vintern?|vintrar?
parts morgon|morgonen|förmiddag|förmiddagen, , eftermiddag|eftermiddagen, kväll|kvällen, natt|natten
holidays jul?|julen?|julafton?|juldagen?, nyår?|nyårsafton?|nyårsdagen?, halloween?
day0 idag, i dag
day-1 igår, i går
day-2 i förrgår, förrgår
day+1 imorgon, i morgon
day+2 i övermorgon, övermorgon
day0.morning i morse, imorse
day0.evening ikväll, i kväll
day-1.night i natt, inatt
rel-1 förra, senaste, föregående
rel0 denna, detta, den här, det här, innevarande
rel+1 nästa, kommande
rel-1.spring i våras
rel-1.summer i somras
rel-1.autumn i höstas
rel-1.winter i vintras
rel0.summer i sommar
rel0.autumn i höst
rel0.winter i vinter
rel-1.year i fjol, ifjol
rel0.year i år
past de senaste, de sista, den senaste, det senaste
ago> sedan, sen
in i, under, inom, på, till, om
on på, den, i
of den, det, de, i, av
from från
between mellan
and och
to till
since sedan, sen, från och med
before före, innan
after efter
until till, tills, fram till
year< år, året
decade> -talet, talet
ordinal :e, :a, e
each varje, varannan, god, alla
measure gram, kilo, meter, kilometer, kronor, euro, personer, gånger, stycken, sidor, steg, ord, rader, dagar, timmar
cues vad, var, när, vem, hur, jag, vi, har, hade, är, min, mitt, mina, med, och, inte, av, för, på, till, en, ett, det, den, som, att, mig, gjorde, om, i, oss, vår, vårt, våra, han, hon, de, du, från, vilken, vilket, vilka, så, men, också, där, här, blev, kan, ska, sa, ha, fick
`

const danish = `
months januar|jan?, februar|feb?, marts, april|apr?, maj, juni|jun?, juli|jul?, august|aug?, september|sept?|sep?, oktober|okt?, november|nov?, december|dec?
weekdays mandag|mandagen|mandags, tirsdag|tirsdagen|tirsdags, onsdag|onsdagen|onsdags, torsdag|torsdagen|torsdags, fredag|fredagen|fredags, lørdag|lørdagen|lørdags, søndag|søndagen|søndags
numbers en|et|én, to, tre, fire, fem, seks, syv, otte, ni, ti, elleve, tolv
few nogle, et par, flere, par, få
units minut|minutter, time|timer, dag|dage|dagen|dagene, uge|uger|ugen|ugerne, måned|måneder|måneden|månederne, år|året|årene, årti|årtier|årtiet, weekend|weekender|weekenden, nat|natten|nætter, kvartal|kvartaler|kvartalet
seasons forår?|foråret?, sommer?|somre?|sommeren?, efterår?|efteråret?, vinter?|vintre?|vinteren?
parts morgen|morgenen|formiddag|formiddagen, , eftermiddag|eftermiddagen, aften|aftenen, nat|natten
holidays jul?|julen?|juleaften?, nytår?|nytårsaften?, halloween?
day0 i dag, idag
day-1 i går, igår
day-2 i forgårs, forgårs
day+1 i morgen, imorgen
day+2 i overmorgen, overmorgen
day0.morning i morges, i formiddags
day0.evening i aften
day-1.evening i aftes, i går aftes
day-1.night i nat
rel-1 sidste, forrige, seneste, foregående
rel0 denne, dette, indeværende
rel+1 næste, kommende
rel-1.summer i sommers
rel0.summer i sommer
rel0.winter i vinter
rel-1.year i fjor
rel0.year i år
past de seneste, de sidste, den seneste
ago> siden
in i, under, inden for, til, om
on på, den, om, i
of den, det, de, i, af
from fra
between mellem
and og
to til
since siden, fra og med
before før, inden
after efter
until til, indtil
year< år, året
decade> 'erne, erne
each hver, hvert, god, alle
measure gram, kilo, meter, kilometer, kroner, euro, personer, gange, stykker, sider, skridt, ord, linjer, dage, timer
cues hvad, hvor, hvornår, hvem, hvordan, jeg, vi, har, havde, er, var, min, mit, mine, med, og, ikke, af, for, på, til, en, et, det, den, som, at, mig, gjorde, om, i, os, vores, han, hun, de, du, fra, hvilken, hvilket, hvilke, så, men, også, der, her, blev, kan, skal, sagde, fik, hos
`
