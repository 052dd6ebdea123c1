package timewords

const russian = `
months январь|января|январе|янв?, февраль|февраля|феврале|фев?, март|марта?|марте, апрель|апреля|апреле, май|мая|мае, июнь|июня|июне, июль|июля|июле, август|августа|августе|авг?, сентябрь|сентября|сентябре|сен?, октябрь|октября|октябре|окт?, ноябрь|ноября|ноябре, декабрь|декабря|декабре|дек?
weekdays понедельник|понедельника, вторник|вторника, среду?|среда?|среды?, четверг|четверга, пятница|пятницу|пятницы, суббота|субботу|субботы, воскресенье|воскресенья
numbers один|одну|одна|одного, два|две|двух, три|трёх, четыре|четырёх, пять|пяти, шесть|шести, семь|семи, восемь|восьми, девять|девяти, десять|десяти, одиннадцать, двенадцать
few несколько, нескольких, пару, пара, пары
units минута|минуту|минуты|минут, час|часа|часов, день|дня|дней|дни, неделя|неделю|недели|недель|неделе, месяц|месяца|месяцев|месяце|месяцы, год|года|лет|году|годы|годов, десятилетие|десятилетия|десятилетий|десятилетии, выходные|выходных, ночь|ночи|ночей, квартал|квартала|квартале|кварталов
span1.hour час
span1.day день
span1.week неделю
span1.month месяц
span1.year год
seasons весна?|весной|весны?|весну?|вёсны?, лето?|летом|лета?, осень?|осенью|осени?, зима?|зимой|зимы?|зиму?
parts утро|утром|утра, полдень|днём, , вечер|вечером|вечера, ночью
holidays рождество?, новый год?, хэллоуин?
day0 сегодня
day-1 вчера
day-2 позавчера
day+1 завтра
day+2 послезавтра
day-1.night прошлой ночью
day0.morning сегодня утром
rel-1 прошлый, прошлая, прошлое, прошлой, прошлую, прошлом, прошлого, прошлые, прошлых, минувший, минувшей, минувшую, минувшем, последний, последняя, последнее, последней, последнюю, последние, последних, последнем, предыдущий, предыдущей, предыдущую, предыдущем
rel-2 позапрошлый, позапрошлая, позапрошлое, позапрошлой, позапрошлую, позапрошлом, позапрошлые, позапрошлых
rel0 этот, эта, это, этой, эту, этом, этого, эти, этим, этих, нынешний, нынешнем, текущий, текущем
rel+1 следующий, следующая, следующее, следующей, следующую, следующем, следующие, следующих, будущий, будущем, будущей
ago> назад, тому назад
in в, во, за, на, в начале, в конце, в середине, к
on в, во, на, от, под
from с, со, от
between между
and и
to до, по
since с, со, начиная с
before до, перед
after после
until до
year> год, года, году, г.
decade> -е, -х, -е годы, -х годов, -х годах
ordinal -го, -ого, -е число
each каждый, каждую, каждое, каждые, доброе, добрый
measure г, гр, кг, мл, л, м, км, см, грамм, килограмм, метров, километров, рублей, рубля, евро, долларов, человек, раз, страниц, шагов, слов, строк, дней, часов
cues в, во, с, за, при, кого, чего, какую, каком, каким, каких, что, когда, где, кто, как, какой, какая, какие, я, мы, ты, он, она, они, мой, моя, мне, меня, был, была, было, были, и, не, с, о, об, у, это, ли, моей, моего, нас, нам, наш, наша, его, её, их, от, для, из, к, по, на, же, бы, но, а, то, так, сколько, каких, чем, быть, есть, этот
`

const ukrainian = `
months січень|січня|січні, лютий?|лютого|лютому, березень|березня|березні, квітень|квітня|квітні, травень|травня|травні, червень|червня|червні, липень|липня|липні, серпень|серпня|серпні, вересень|вересня|вересні, жовтень|жовтня|жовтні, листопад|листопада|листопаді, грудень|грудня|грудні
weekdays понеділок|понеділка, вівторок|вівторка, середу?|середа?|середи?, четвер|четверга, п'ятниця|п'ятницю|п'ятниці, субота|суботу|суботи, неділя|неділю|неділі
numbers один|одну|одна|одного, два|дві|двох, три|трьох, чотири|чотирьох, п'ять|п'яти, шість|шести, сім|семи, вісім|восьми, дев'ять, десять|десяти, одинадцять, дванадцять
few кілька, кількох, декілька, пару
units хвилина|хвилину|хвилини|хвилин, година|годину|години|годин, день|дня|днів|дні, тиждень|тижня|тижні|тижнів, місяць|місяця|місяці|місяців, рік|року|роки|років|році, десятиліття|десятиліть, вихідні|вихідних, ніч|ночі|ночей, квартал|кварталу|кварталі|кварталів
span1.hour годину
span1.day день
span1.week тиждень
span1.month місяць
span1.year рік
seasons весна?|весни?|весну?|навесні, літо?|літа?|влітку, осінь?|осені?|восени, зима?|зими?|зиму?|взимку
parts ранок|вранці|ранку|зранку, , , вечір|ввечері|увечері|вечора, вночі
holidays різдво?, новий рік?, хелловін?
day0 сьогодні
day-1 вчора, учора
day-2 позавчора
day+1 завтра
day+2 післязавтра
day-1.night минулої ночі
rel-1 минулий, минула, минуле, минулого, минулої, минулу, минулому, минулій, минулі, минулих, останній, остання, останнє, останнього, останньої, останню, останні, останніх, попередній, попереднього, попередньому
rel-2 позаминулий, позаминулого, позаминулої, позаминулому, позаминулу
rel0 цей, ця, це, цього, цієї, цю, цьому, цій, ці, цих, нинішній
rel+1 наступний, наступна, наступне, наступного, наступної, наступну, наступному, наступні, майбутній, майбутнього
ago> тому
in в, у, за, на, протягом, під час, на початку, наприкінці
on в, у, на
from з, із, від
between між
and і, та, й
to до, по
since з, із, зі, від, починаючи з
before до, перед
after після
until до
year> рік, року, році, р.
decade> -ті, -х, -ті роки, -х років, -х роках
ordinal -го, -те
each кожен, кожний, кожного, кожну, кожне, добрий, доброго
measure г, кг, мл, л, м, км, см, грам, кілограм, метрів, кілометрів, гривень, євро, доларів, людей, осіб, разів, сторінок, кроків, слів, рядків, днів, годин
cues що, коли, де, хто, як, який, яка, які, я, ми, ти, він, вона, мій, моя, мені, мене, був, була, було, були, і, й, та, не, про, це, чи, з, у, мої, нас, нам, наш, наша, його, її, їх, від, для, із, до, по, на, ж, б, але, а, то, так, скільки, яких, чим, бути, є, цей, в
`

const polish = `
months styczeń|stycznia|styczniu, luty|lutego|lutym, marzec|marca|marcu, kwiecień|kwietnia|kwietniu, maj?|maja?|maju, czerwiec|czerwca|czerwcu, lipiec|lipca|lipcu, sierpień|sierpnia|sierpniu, wrzesień|września|wrześniu, październik|października|październiku, listopad|listopada|listopadzie, grudzień|grudnia|grudniu
weekdays poniedziałek|poniedziałku|poniedziałku, wtorek|wtorku, środę|środa?|środy?, czwartek|czwartku, piątek|piątku, sobotę|sobota|soboty, niedzielę|niedziela|niedzieli
numbers jeden|jedna|jedną|jednego, dwa|dwie|dwóch, trzy|trzech, cztery|czterech, pięć|pięciu, sześć|sześciu, siedem|siedmiu, osiem|ośmiu, dziewięć, dziesięć|dziesięciu, jedenaście, dwanaście
few kilka, kilku, parę, paru
units minuta|minuty|minut|minutę, godzina|godziny|godzin|godzinę, dzień|dnia|dni, tydzień|tygodnia|tygodnie|tygodni|tygodniu, miesiąc|miesiąca|miesiące|miesięcy|miesiącu, rok|roku|lata|lat, dekada|dekady|dekad|dekadzie, weekend|weekendu|weekendy|weekendów, noc|nocy|noce, kwartał|kwartału|kwartale|kwartały|kwartałów
span1.hour godzinę
span1.day dzień
span1.week tydzień
span1.month miesiąc
span1.year rok
seasons wiosna?|wiosną|wiosnę?|wiosny?, lato?|latem|lata?, jesień?|jesienią|jesieni?, zima?|zimą|zimę?|zimy?
parts rano|ranek|poranek|ranka, południe, popołudnie|popołudniu|po południu, wieczór|wieczorem|wieczoru, nocą|w nocy
holidays boże narodzenie?|bożego narodzenia?|wigilia?|wigilię?, nowy rok?|sylwestra?, halloween?
day0 dzisiaj, dziś
day-1 wczoraj
day-2 przedwczoraj
day+1 jutro
day+2 pojutrze
day-1.night zeszłej nocy, ubiegłej nocy
rel-1.summer zeszłego lata, ubiegłego lata, minionego lata, ostatniego lata
rel0.summer tego lata
rel-1 zeszły, zeszła, zeszłe, zeszłego, zeszłej, zeszłą, zeszłym, zeszłych, ubiegły, ubiegła, ubiegłego, ubiegłej, ubiegłym, ubiegłą, poprzedni, poprzednia, poprzedniego, poprzedniej, poprzednim, ostatni, ostatnia, ostatnie, ostatniego, ostatniej, ostatnią, ostatnim, ostatnich, miniony, minionego, minionym, minionych, minione
rel0 ten, ta, to, tego, tej, tę, tym, te, tych, bieżący, bieżącego, bieżącym
rel+1 następny, następna, następnego, następnej, następnym, następne, przyszły, przyszła, przyszłego, przyszłej, przyszłym, najbliższy, najbliższe, najbliższego
ago> temu
in w, we, na, za, przez, podczas, w ciągu, na początku, pod koniec
on w, we, dnia, na
from od, z
between między, pomiędzy
and a, i
to do
since od
before przed
after po
until do
year< rok, roku
year> rok, roku, rokiem, r.
decade< lata, latach, lat
each każdy, każdego, każda, każdą, każde, co, dobry
measure gramów, kilo, metrów, kilometrów, złotych, euro, osób, ludzi, razy, stron, kroków, słów, linii, dni, godzin
cues co, kiedy, gdzie, kto, jak, jaki, jaka, jakie, ja, mój, moja, moje, mi, się, jest, był, była, było, były, i, nie, o, z, do, na, czy, w, że, mnie, nas, nam, nasz, nasza, jego, jej, ich, od, dla, ze, po, za, ale, a, tak, ile, które, który, która, być, są, ten, miałem, miałam, byłem, byłam
`
