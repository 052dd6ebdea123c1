package timewords

const french = `
months janvier|janv?, février|fevrier|févr?, mars?, avril|avr?, mai, juin, juillet|juil?, août|aout, septembre, octobre|oct?, novembre|nov?, décembre|decembre|déc?
weekdays lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche
numbers un|une, deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze
few quelques, plusieurs
units minute|minutes, heure|heures, jour|jours|journée|journées, semaine|semaines, mois, an|ans|année|années, décennie|décennies, week-end|weekend|week-ends|weekends, nuit|nuits, trimestre|trimestres
seasons printemps?, été?|étés?, automne?|automnes?, hiver?|hivers?
parts matin|matinée, midi, après-midi, soir|soirée, nuit
holidays noël?|noel?, nouvel an?|jour de l'an?, halloween?
day0 aujourd'hui
day-1 hier
day-2 avant-hier, avant hier
day+1 demain
day+2 après-demain, après demain
day-1.night la nuit dernière
day0.evening ce soir
rel-1 dernier, dernière, derniers, dernières
post-1 dernier, dernière, derniers, dernières, passé, passée, passés, passées, précédent, précédente
rel0 ce, cet, cette
rel+1 prochain, prochaine, prochains, prochaines
post+1 prochain, prochaine, prochains, prochaines
ago< il y a, y a
in en, au, pendant, durant, dans, au mois de, à, au cours de, courant, fin, début
on le, du, au
of le, la, les, l', de, du, des, d', en, ces
partof de, du, des
from de, du, depuis, à partir de
between entre
and et
to à, au, jusqu'à, jusqu'au, jusqu'en
since depuis, dès, à partir de
before avant
after après
until jusqu'à, jusqu'au, jusqu'en
year< année, an
decade< années
ordinal er, ère, e, ème, eme, ième
first premier
each chaque, tous les, toutes les
measure grammes, kilos, mètres, kilomètres, euros, personnes, fois, pages, pas, mots, lignes, jours, heures
none a été, ai été, as été, ont été, avons été, avez été, avait été, avais été, avaient été, aura été, aurait été, pas été, jamais été, déjà été, ayant été, avoir été
cues le, la, les, des, est, était, que, qu', quoi, quel, quelle, quand, où, qui, comment, je, j', tu, il, elle, on, nous, vous, mon, ma, mes, avec, dans, pour, sur, pas, ai, a, et, un, une, ce, c', du, de, d', se, me, à, en, par, plus, aux, au, sont, étaient, avons, avez, ont, été, fait, avait, son, sa, ses, notre, nos, votre, leur, lui, elles, ils, cette, ces, quels, quelles, m', l', n', s', t'
`

const spanish = `
months enero|ene?, febrero|feb?, marzo|mar?~, abril|abr?, mayo|may?~, junio|jun?, julio?|jul?, agosto|ago?~, septiembre|setiembre|sept?|sep?, octubre|oct?, noviembre|nov?, diciembre|dic?
weekdays lunes, martes, miércoles|miercoles, jueves, viernes, sábado|sabado, domingo
numbers un|una|uno, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce
few unos, unas, unos pocos, unas pocas, algunos, algunas, varios, varias, un par de
units minuto|minutos, hora|horas, día|días|dia|dias, semana|semanas, mes|meses, año|años, década|décadas, fin de semana|fines de semana, noche|noches, trimestre|trimestres
seasons primavera?|primaveras?, verano?|veranos?, otoño?|otoños?, invierno?|inviernos?
parts mañana|madrugada, mediodía, tarde, , noche
holidays navidad?|nochebuena?|navidades?, año nuevo?|nochevieja?, halloween?
day0 hoy
day-1 ayer
day-2 anteayer, antier, antes de ayer, antes de anteayer
day+1 mañana~
day+2 pasado mañana
day-1.night anoche
day-2.night anteanoche
rel-1 último, última, últimos, últimas, pasado, pasada, pasados, pasadas
post-1 pasado, pasada, pasados, pasadas, anterior, anteriores
rel0 este, esta
rel+1 próximo, próxima, próximos, próximas
post+1 próximo, próxima, próximos, próximas, que viene
ago< hace
in en, durante, principios, finales, mediados
on el, los, del, al
of el, la, los, las, de, del, en, por
partof de, del
from de, del, desde
between entre
and y
to a, al, hasta
since desde, a partir de
before antes de, antes del
after después de, después del, tras
until hasta
year< año
decade< años, década
ordinal º, ª, er, o
each cada, todos los, todas las, buenas
measure gramos, kilos, metros, kilómetros, euros, pesos, personas, veces, páginas, pasos, palabras, líneas, días, horas
cues el, la, los, las, de, que, qué, en, y, a, mi, me, cuando, cuándo, donde, dónde, cómo, quién, cuál, es, fue, era, hice, hizo, con, por, para, se, un, una, del, lo, su, no, yo, al, sus, nos, nuestra, nuestro, ha, he, has, han, había, son, fueron, fui, cuáles, cuánto, cuántos, quiénes, dijo, muy, más, como, pero, este, esta, ese, eso, tu, te, le
`

const portuguese = `
months janeiro|jan?, fevereiro|fev?, março|mar?~, abril|abr?, maio|mai?~, junho|jun?, julho|jul?, agosto|ago?~, setembro|set?~, outubro|out?~, novembro|nov?, dezembro|dez?
weekdays segunda-feira|segunda feira, terça-feira|terça feira|terca-feira, quarta-feira|quarta feira, quinta-feira|quinta feira, sexta-feira|sexta feira, sábado, domingo
numbers um|uma, dois|duas, três|tres, quatro, cinco, seis, sete, oito, nove, dez, onze, doze
few uns, umas, alguns, algumas, vários, várias, poucos, poucas, um par de
units minuto|minutos, hora|horas, dia|dias, semana|semanas, mês|meses|mes, ano|anos, década|décadas, fim de semana|fins de semana|final de semana, noite|noites, trimestre|trimestres
seasons primavera?|primaveras?, verão?|verões?, outono?|outonos?, inverno?|invernos?
parts manhã|madrugada, meio-dia, tarde, , noite
holidays natal?, ano novo?|réveillon?, halloween?
day0 hoje
day-1 ontem
day-2 anteontem
day+1 amanhã
day+2 depois de amanhã
rel-1 último, última, últimos, últimas, passado, passada
post-1 passado, passada, passados, passadas, anterior
rel0 este, esta, neste, nesta, deste, desta, esse, essa, nesse, nessa
rel+1 próximo, próxima, próximos, próximas
post+1 próximo, próxima, próximos, próximas, que vem
ago< há, faz
ago> atrás
in em, no, na, nos, nas, durante, pelo, início, fim, final, meados
on em, no, na, dia
of o, a, os, as, de, do, da, dos, das, em, à, ao
partof de, do, da
from de, do, da, desde
between entre
and e
to a, ao, à, até
since desde, a partir de
before antes de, antes do, antes da
after depois de, depois do, depois da, após
until até
year< ano
decade< anos, década
ordinal º, ª, o
each cada, todo, toda, todos os, todas as, boa
measure gramas, quilos, metros, quilômetros, euros, reais, pessoas, vezes, páginas, passos, palavras, linhas, dias, horas
cues o, a, os, as, de, do, da, que, quê, em, no, na, e, eu, meu, minha, quando, onde, como, quem, qual, é, foi, era, fiz, fez, com, por, para, se, um, uma, não, me, ao, à, às, pela, pelo, dos, das, nos, nas, seu, sua, minhas, meus, nosso, nossa, são, foram, tem, tinha, está, estava, quais, quanto, quantos, você, ele, ela, isso, este, esta, disse, mais, mas, muito
`

const italian = `
months gennaio, febbraio, marzo, aprile, maggio, giugno, luglio, agosto, settembre, ottobre, novembre, dicembre
weekdays lunedì|lunedi, martedì|martedi, mercoledì|mercoledi, giovedì|giovedi, venerdì|venerdi, sabato, domenica
numbers un|uno|una|un', due, tre, quattro, cinque, sei, sette, otto, nove, dieci, undici, dodici
few alcuni, alcune, qualche, pochi, poche, un paio di, diversi, diverse
units minuto|minuti, ora|ore, giorno|giorni, settimana|settimane, mese|mesi, anno|anni, decennio|decenni, fine settimana|weekend|week-end, notte|notti, trimestre|trimestri
seasons primavera?|primavere?, estate?|estati?, autunno?|autunni?, inverno?|inverni?
parts mattina|mattino|mattinata, mezzogiorno, pomeriggio, sera|serata, notte
holidays natale?|vigilia di natale?, capodanno?, halloween?
day0 oggi
day-1 ieri
day-2 l'altro ieri, l'altroieri, altro ieri, ieri l'altro, avantieri
day+1 domani
day+2 dopodomani
day-1.night la notte scorsa
day0.evening stasera
day0.morning stamattina, stamane
day0.night stanotte
day-1.evening ieri sera
rel-1 ultimo, ultima, ultimi, ultime, scorso, scorsa, scorsi, scorse
post-1 scorso, scorsa, scorsi, scorse, passato, passata
rel0 questo, questa, quest'
rel+1 prossimo, prossima, prossimi, prossime
post+1 prossimo, prossima, prossimi, prossime
ago> fa
in in, a, nel, nell', nello, nella, nei, negli, nelle, durante, d', per
on il, l', lo, la, al, di, del
of il, lo, la, i, gli, le, l', di, del, dell', della, d', nel
partof di, del, della, dell'
from da, dal, dall', dalla
between tra, fra, tra il, fra il
and e, ed
to a, ad, al, all'
since da, dal, dall', dalla, a partire da, a partire dal
before prima di, prima del, prima dell', prima della
after dopo
until fino a, fino al, fino ad, fino all'
year< anno
decade< anni
ordinal º, ª
first primo
each ogni, tutti i, tutte le
measure grammi, chili, metri, chilometri, euro, persone, volte, pagine, passi, parole, righe, giorni, ore
cues il, lo, la, i, gli, le, di, che, cosa, in, e, è, era, mio, mia, quando, dove, come, chi, quale, ho, ha, con, per, si, un, una, del, della, non, mi, l', al, nel, a, da, dal, alla, ai, sono, siamo, abbiamo, hanno, hai, erano, stato, stata, fatto, ci, noi, nostro, nostra, quali, quanto, quanti, quella, quello, più, ma, anche, dov', cos', c', dell', all', nell', ed, o
`

const romanian = `
months ianuarie|ian?, februarie, martie, aprilie, mai?, iunie, iulie, august, septembrie|sept?, octombrie|oct?, noiembrie, decembrie|dec?
weekdays luni~|lunea, marți|marțea, miercuri|miercurea, joi|joia, vineri|vinerea, sâmbătă|sâmbăta, duminică|duminica
numbers un|o|una|unu, doi|două, trei, patru, cinci, șase, șapte, opt, nouă, zece, unsprezece, doisprezece|douăsprezece
few câteva, câțiva
units minut|minute|minute, oră|ore|ora|orele, zi|zile|ziua|zilele, săptămână|săptămâni|săptămâna|săptămânile, lună|luni|luna|lunile, an|ani|anul|anii, deceniu|decenii|deceniul, weekend|weekendul|weekenduri, noapte|nopți|noaptea, trimestru|trimestrul
span1.week o săptămână
span1.month o lună
span1.year un an
seasons primăvară?|primăvara?|primăveri?, vară?|vara?|veri?, toamnă?|toamna?|toamne?, iarnă?|iarna?|ierni?
parts dimineață|dimineața, prânz, după-amiază|după-amiaza, seară|seara, noapte|noaptea
holidays crăciun?, revelion?|anul nou?, halloween?
day0 azi, astăzi
day-1 ieri
day-2 alaltăieri
day+1 mâine
day+2 poimâine
day-1.evening aseară
day0.evening diseară
rel-1 ultima, ultimul, ultimele, ultimii
post-1 trecut, trecută, trecute, trecuți
post0 acesta, aceasta, curent, curentă
rel0 acest, această
rel+1 următoarea, următorul
post+1 viitor, viitoare, următor, următoare
ago< acum
in în, din, pe, prin, de
on pe, la
of de, al, a, din, în
partof a, al, din
from din, de la
between între
and și
to până în, până la
since din, de la, începând cu
before înainte de
after după
until până în, până la
year< anul
decade< anii
each fiecare, bună
measure grame, kilograme, metri, kilometri, lei, euro, persoane, oameni, ori, pagini, pași, cuvinte, rânduri, zile, ore
none ce mai, cel mai, cea mai, cei mai, cele mai, mai mult, mai puțin, mai mare, mai bine, mai bun
cues ce, care, cine, unde, când, cum, este, e, a, am, ai, au, și, în, la, cu, pe, din, de, mai, cel, cea, cele, cei, s-a, fost, era, eu, mi, mea, meu, un, o, nu, se, cât, ne, mi-a, ne-a, noi, nostru, despre, pentru, dar, sau, sunt, eram, erau, al, ale, ei, lui, lor, sa, său, prin, fi, le, i-a, câți, câte
`
