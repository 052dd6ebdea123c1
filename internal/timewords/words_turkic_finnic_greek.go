package timewords

const turkish = `
months ocak?|ocakta|ocaktan|ocak ayında, şubat|şubatta|şubattan, mart|martta|marttan, nisan?|nisanda|nisandan, mayıs|mayısta|mayıstan, haziran|haziranda|hazirandan, temmuz|temmuzda|temmuzdan, ağustos|ağustosta|ağustostan, eylül?|eylülde|eylülden, ekim?|ekimde|ekimden, kasım|kasımda|kasımdan, aralık?|aralıkta|aralıktan
weekdays pazartesi|pazartesi günü, salı|salı günü, çarşamba|çarşamba günü, perşembe|perşembe günü, cuma|cuma günü, cumartesi|cumartesi günü, pazar?|pazar günü
numbers bir, iki, üç, dört, beş, altı, yedi, sekiz, dokuz, on, on bir, on iki
few birkaç, bir kaç
units dakika|dakikada, saat|saatte, gün|günde|günlerde, hafta|haftada|haftaki, ay|ayda|ayki, yıl|yılda|yılki|sene|senede, on yıl|on yılda, hafta sonu|hafta sonunda, gece, çeyrek|çeyrekte
seasons ilkbahar?|ilkbaharda|bahar?|baharda, yaz?|yazın, sonbahar?|sonbaharda|güz?, kış?|kışın
parts sabah, öğle|öğlen, öğleden sonra, akşam, gece
holidays noel?|noelde, yılbaşı?|yılbaşında|yeni yıl?, cadılar bayramı
day0 bugün
day-1 dün
day-2 evvelsi gün, önceki gün, dünden önceki gün
day+1 yarın
day+2 öbür gün, yarından sonraki gün
rel-1 geçen, son, önceki, geçtiğimiz
rel0 bu
rel+1 gelecek, önümüzdeki, sonraki
ago> önce
in> 'de, 'da, 'te, 'ta, ayında, sırasında, boyunca
to ile
since> 'den, 'dan, 'ten, 'tan, beri, 'den beri, 'dan beri, 'ten beri, 'tan beri, 'den bu yana, 'dan bu yana, bu yana
before> 'den önce, 'dan önce, 'ten önce, 'tan önce, önce, öncesinde, öncesi
after> 'den sonra, 'dan sonra, 'ten sonra, 'tan sonra, sonra, sonrasında
until> 'e kadar, 'a kadar, 'ye kadar, 'ya kadar, kadar
between> arasında, arası, arasındaki
and ve
year> yılında, yılı, yılındaki, senesinde, yılından, yılının
decade> 'lar, 'ler, 'larda, 'lerde, 'lardaki, 'lerdeki, 'lı yıllar, 'li yıllar, 'lu yıllar, 'lü yıllar, 'lı yıllarda, 'li yıllarda, lar, ler, larda, lerde
glued 'a, 'e, 'ya, 'ye, 'ı, 'i, 'u, 'ü, 'ın, 'in, 'un, 'ün, 'daki, 'deki, 'taki, 'teki
each her, iyi
measure gram, kilo, metre, kilometre, lira, euro, kişi, kez, adet, sayfa, adım, kelime, satır, gün, saat
cues ne, zaman, nerede, kim, nasıl, hangi, ben, biz, benim, bir, ve, için, ile, mi, mı, mu, da, de, neler, nedir, vardı, yaptım, olarak, olan, kaç, bana, bizi, sana, onun, gibi, çok, daha, var, yok, değil, mıydı, ki, kadar, nereye, nereden, hangisi, neydi, dedi, oldu, ettik, ettim
`

const finnish = `
months tammikuu|tammikuuta|tammikuussa|tammikuun|tammikuusta, helmikuu|helmikuuta|helmikuussa|helmikuun|helmikuusta, maaliskuu|maaliskuuta|maaliskuussa|maaliskuun|maaliskuusta, huhtikuu|huhtikuuta|huhtikuussa|huhtikuun|huhtikuusta, toukokuu|toukokuuta|toukokuussa|toukokuun|toukokuusta, kesäkuu|kesäkuuta|kesäkuussa|kesäkuun|kesäkuusta, heinäkuu|heinäkuuta|heinäkuussa|heinäkuun|heinäkuusta, elokuu|elokuuta|elokuussa|elokuun|elokuusta, syyskuu|syyskuuta|syyskuussa|syyskuun|syyskuusta, lokakuu|lokakuuta|lokakuussa|lokakuun|lokakuusta, marraskuu|marraskuuta|marraskuussa|marraskuun|marraskuusta, joulukuu|joulukuuta|joulukuussa|joulukuun|joulukuusta
weekdays maanantai|maanantaina|maanantain|maanantaista, tiistai|tiistaina|tiistain|tiistaista, keskiviikko|keskiviikkona|keskiviikon|keskiviikosta, torstai|torstaina|torstain|torstaista, perjantai|perjantaina|perjantain|perjantaista, lauantai|lauantaina|lauantain|lauantaista, sunnuntai|sunnuntaina|sunnuntain|sunnuntaista
numbers yksi|yhden, kaksi|kahden, kolme|kolmen, neljä|neljän, viisi|viiden, kuusi|kuuden, seitsemän, kahdeksan, yhdeksän, kymmenen, yksitoista, kaksitoista
few muutama, muutaman, pari, parin, useita
units minuutti|minuuttia|minuutin, tunti|tuntia|tunnin, päivä|päivää|päivän|päivänä, viikko|viikkoa|viikon|viikolla, kuukausi|kuukautta|kuukauden|kuussa, vuosi|vuotta|vuoden|vuonna, vuosikymmen|vuosikymmentä|vuosikymmenen|vuosikymmenellä, viikonloppu|viikonloppuna|viikonlopun|viikonloppua, yö|yötä|yönä, vuosineljännes|vuosineljänneksellä|vuosineljänneksen
span1.hour tunti
span1.day päivä
span1.week viikko
span1.month kuukausi
span1.year vuosi
seasons kevät?|keväällä|kevättä?|keväänä, kesä?|kesällä|kesää?|kesänä, syksy?|syksyllä|syksyä?|syksynä, talvi?|talvella|talvea?|talvena
parts aamu|aamulla|aamuna|aamupäivällä, keskipäivällä, iltapäivä|iltapäivällä|iltapäivänä, ilta|illalla|iltana, yö|yöllä|yönä
holidays joulu?|jouluna|jouluaattona, uusivuosi?|uutenavuotena|uudenvuodenaattona, halloween?
day0 tänään
day-1 eilen
day-2 toissapäivänä
day+1 huomenna
day+2 ylihuomenna
rel-1 viime, edellinen, edellisenä, edellisellä
rel-2 toissa
rel-2.year toissavuonna
rel0 tämä, tämän, tänä, tällä, tässä
rel+1 ensi, seuraava, seuraavana, seuraavalla, tuleva, tulevana, tulevalla
past viimeisen, viimeisten, viimeiset, kuluneen, kuluneiden
ago> sitten
in> aikana, alussa, lopussa
on viime
and ja
since> lähtien, alkaen
before ennen
after> jälkeen
until> asti, saakka, mennessä
between> välillä
year< vuonna, vuosi, vuoden, vuodesta, vuoteen, vuotta
decade> -luvulla, -luku, -luvun, luvulla
each joka, hyvää, hyvä
measure grammaa, kiloa, metriä, kilometriä, euroa, ihmistä, henkilöä, kertaa, kappaletta, sivua, askelta, sanaa, riviä, päivää, tuntia
cues mitä, mikä, missä, milloin, kuka, miten, minä, minun, me, on, oli, ja, ei, se, olen, että, kun, tein, kanssa, oliko, minulle, mitkä, teimme, minut, meille, hän, he, te, sinä, joka, mutta, myös, olivat, olin, mistä, minne, mihin, kuinka, paljonko, montako, onko, sanoi, siitä, tästä
`

const greek = `
months ιανουάριος|ιανουαρίου|ιανουάριο|γενάρη, φεβρουάριος|φεβρουαρίου|φεβρουάριο|φλεβάρη, μάρτιος|μαρτίου|μάρτιο|μάρτη, απρίλιος|απριλίου|απρίλιο|απρίλη, μάιος|μαΐου|μάιο|μάη, ιούνιος|ιουνίου|ιούνιο|ιούνη, ιούλιος|ιουλίου|ιούλιο|ιούλη, αύγουστος|αυγούστου|αύγουστο, σεπτέμβριος|σεπτεμβρίου|σεπτέμβριο|σεπτέμβρη, οκτώβριος|οκτωβρίου|οκτώβριο|οκτώβρη, νοέμβριος|νοεμβρίου|νοέμβριο|νοέμβρη, δεκέμβριος|δεκεμβρίου|δεκέμβριο|δεκέμβρη
weekdays δευτέρα?|δευτέρας?, τρίτη?|τρίτης?, τετάρτη?|τετάρτης?, πέμπτη?|πέμπτης?, παρασκευή|παρασκευής, σάββατο|σαββάτου, κυριακή|κυριακής
numbers ένα|μία|μια|έναν, δύο|δυο, τρεις|τρία, τέσσερις|τέσσερα, πέντε, έξι, επτά|εφτά, οκτώ|οχτώ, εννέα|εννιά, δέκα, έντεκα, δώδεκα
few λίγες, λίγους, λίγα, μερικές, μερικούς, μερικά, αρκετές
units λεπτό|λεπτά, ώρα|ώρες, μέρα|μέρες|ημέρα|ημέρες, εβδομάδα|εβδομάδες|βδομάδα|βδομάδες, μήνας|μήνα|μήνες, χρόνος|χρόνο|χρόνια|έτος|έτη|χρονιά, δεκαετία|δεκαετίες, σαββατοκύριακο|σαββατοκύριακα, νύχτα|νύχτες, τρίμηνο|τρίμηνα
seasons άνοιξη?, καλοκαίρι?|καλοκαίρια?, φθινόπωρο?|φθινόπωρα?, χειμώνα?|χειμώνας?|χειμώνες?
parts πρωί, μεσημέρι, απόγευμα, βράδυ, νύχτα
holidays χριστούγεννα?, πρωτοχρονιά?, χάλοουιν?
day0 σήμερα
day-1 χθες, χτες, εχθές
day-2 προχθές, προχτές
day+1 αύριο
day+2 μεθαύριο
day0.evening απόψε
day-1.evening χθες βράδυ, χθες το βράδυ
rel-1 προηγούμενη, προηγούμενο, προηγούμενος, περασμένη, περασμένο, περασμένος, περασμένες, τελευταία, τελευταίο, τελευταίες, τελευταίους, τελευταίων
rel0 αυτή, αυτό, αυτόν, αυτήν, αυτού, αυτής
rel+1 επόμενη, επόμενο, επόμενος, ερχόμενη, ερχόμενο
rel-1.year πέρσι, πέρυσι
rel-2.year πρόπερσι
rel0.year φέτος
rel+1.year του χρόνου
ago< πριν, πριν από
in το, τον, την, στο, στον, στη, στην, στα, τα, σε, κατά, κατά τη διάρκεια
on την, τη, το, στις, τις
of ο, η, το, τον, την, τη, του, της, των, τις, οι, τα, τους
from από
between μεταξύ, ανάμεσα
and και
to έως, μέχρι, ως
since από, εδώ και
before πριν, πριν από
after μετά, μετά από
until έως, μέχρι, ως
year< έτος, χρονιά
decade< δεκαετία του, δεκαετία του '
ordinal η, ης
each κάθε, καλή, καλό
measure γραμμάρια, κιλά, μέτρα, χιλιόμετρα, ευρώ, άτομα, φορές, σελίδες, βήματα, λέξεις, γραμμές, μέρες, ώρες
cues τι, πότε, πού, ποιος, ποια, ποιο, πώς, εγώ, μου, ήταν, είναι, και, να, με, για, από, έκανα, δεν, θα, στο, στην, που, το, τα, σε, του, της, η, ο, οι, των, τους, τις, μας, σας, ήμουν, είχα, έχω, πόσο, πόσα, ποιες, ποιοι, αυτό, στις, στους, ή, αλλά, πως
`
