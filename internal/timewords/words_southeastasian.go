package timewords

const vietnamese = `
months tháng một|tháng giêng, tháng hai, tháng ba, tháng tư, tháng năm, tháng sáu, tháng bảy, tháng tám, tháng chín, tháng mười, tháng mười một, tháng mười hai|tháng chạp
weekdays thứ hai?|thứ 2?, thứ ba?|thứ 3?, thứ tư?|thứ 4?, thứ năm?|thứ 5?, thứ sáu?|thứ 6?, thứ bảy?|thứ 7?, chủ nhật
numbers một, hai, ba, bốn, năm, sáu, bảy, tám, chín, mười, mười một, mười hai
few vài, mấy, một vài
units phút, giờ|tiếng, ngày, tuần, tháng, năm, thập kỷ|thập niên, cuối tuần, đêm, quý
seasons mùa xuân?, mùa hè?|mùa hạ?, mùa thu?, mùa đông?
parts sáng|buổi sáng, trưa|buổi trưa, chiều|buổi chiều, tối|buổi tối, đêm|ban đêm
holidays giáng sinh?|noel?, năm mới?|giao thừa?, halloween?
day0 hôm nay
day-1 hôm qua
day-2 hôm kia
day+1 ngày mai
day+2 ngày kia, ngày mốt
day0.morning sáng nay
day0.noon trưa nay
day0.afternoon chiều nay
day0.evening tối nay
day0.night đêm nay
day-1.morning sáng qua
day-1.afternoon chiều qua
day-1.evening tối qua
day-1.night đêm qua
rel-1.year năm ngoái
rel-2.year năm kia
rel0.year năm nay
post-1 trước, qua, vừa qua, vừa rồi, rồi
post0 này
post+1 sau, tới
ago< cách đây
ago> trước
in trong, vào, hồi, đầu, cuối
on vào, hôm, ngày
of ngày, của, năm
from từ
between giữa
and và
to đến, tới
since từ, kể từ
before trước
after sau
until đến, cho đến
year< năm
month< tháng
decade< những năm, thập niên
each mỗi, hàng
measure gam, ký, mét, cây, đồng, euro, người, lần, trang, bước, từ, dòng, ngày, giờ
none lần thứ hai, lần thứ ba, lần thứ tư, người thứ hai, người thứ ba
cues gì, khi, nào, ở, đâu, ai, tôi, là, của, có, đã, và, cho, với, những, không, làm, thế, được, mình, chúng, một, này, đó, như, ra, vào, để, từ, bị, người, anh, em, bạn, nó, họ, sao, bao, nhiêu, cái, chuyện, đến
`

const indonesian = `
months januari, februari, maret, april, mei, juni, juli, agustus, september, oktober, november, desember
weekdays senin|hari senin, selasa|hari selasa, rabu|hari rabu, kamis|hari kamis, jumat|jum'at|hari jumat, sabtu|hari sabtu, hari minggu
numbers satu, dua, tiga, empat, lima, enam, tujuh, delapan, sembilan, sepuluh, sebelas, dua belas
few beberapa
units menit, jam, hari, minggu|pekan, bulan, tahun, dekade|dasawarsa, akhir pekan|akhir minggu, malam, kuartal|triwulan
span1.hour sejam
span1.day sehari
span1.week seminggu, sepekan
span1.month sebulan
span1.year setahun
seasons musim semi?, musim panas?, musim gugur?, musim dingin?
parts pagi, siang, sore, malam, tengah malam
holidays natal?, tahun baru?, halloween?
day0 hari ini
day-1 kemarin
day-2 kemarin lusa
day+1 besok
day+2 lusa
day0.morning pagi ini, tadi pagi
day0.afternoon siang ini, sore ini, tadi siang, tadi sore
day0.evening malam ini
day-1.night tadi malam, semalam
post-1 lalu, yang lalu, kemarin, terakhir
post0 ini
post+1 depan, mendatang, yang akan datang
ago> lalu, yang lalu, silam
in pada, di, selama, dalam, awal, akhir
on pada, tanggal
of bulan, tahun, hari, tanggal, pada
from dari, sejak
between antara
and dan
to sampai, hingga
since sejak
before sebelum
after setelah, sesudah
until sampai, hingga
year< tahun
decade< tahun
decade> -an
each setiap, tiap, selamat
measure gram, kilo, meter, kilometer, rupiah, euro, orang, kali, halaman, langkah, kata, baris, hari, jam
cues apa, kapan, di, mana, siapa, bagaimana, saya, aku, kami, kita, yang, dan, itu, dengan, untuk, dari, ke, adalah, telah, sudah, pada, ada, tidak, oleh, akan, bisa, dia, mereka, anda, kamu, berapa, apakah, mengapa, atau, juga, karena, sebagai, saat, dalam, tentang, kepada, para
`

const thai = `
months มกราคม|ม.ค., กุมภาพันธ์|ก.พ., มีนาคม|มี.ค., เมษายน|เม.ย., พฤษภาคม|พ.ค., มิถุนายน|มิ.ย., กรกฎาคม|ก.ค., สิงหาคม|ส.ค., กันยายน|ก.ย., ตุลาคม|ต.ค., พฤศจิกายน|พ.ย., ธันวาคม|ธ.ค.
weekdays วันจันทร์, วันอังคาร, วันพุธ, วันพฤหัสบดี|วันพฤหัส, วันศุกร์, วันเสาร์, วันอาทิตย์
numbers หนึ่ง, สอง, สาม, สี่, ห้า, หก, เจ็ด, แปด, เก้า, สิบ, สิบเอ็ด, สิบสอง
few ไม่กี่, หลาย, สองสาม
units นาที, ชั่วโมง, วัน, สัปดาห์|อาทิตย์, เดือน, ปี, ทศวรรษ, สุดสัปดาห์|วันหยุดสุดสัปดาห์, คืน, ไตรมาส
seasons ฤดูใบไม้ผลิ?, ฤดูร้อน?|หน้าร้อน?, ฤดูใบไม้ร่วง?, ฤดูหนาว?|หน้าหนาว?
parts เช้า|ตอนเช้า, เที่ยง|ตอนเที่ยง, บ่าย|ตอนบ่าย, เย็น|ตอนเย็น|ค่ำ, กลางคืน|คืน|ตอนกลางคืน
holidays คริสต์มาส, ปีใหม่, ฮาโลวีน
day0 วันนี้
day-1 เมื่อวาน, เมื่อวานนี้
day-2 เมื่อวานซืน, วานซืน
day+1 พรุ่งนี้, วันพรุ่งนี้
day+2 มะรืน, มะรืนนี้, วันมะรืน
day0.morning เช้านี้, เมื่อเช้า
day0.evening เย็นนี้
day0.night คืนนี้
day-1.night เมื่อคืน, เมื่อคืนนี้
post-1 ที่แล้ว, ที่ผ่านมา, ก่อน
post0 นี้
post+1 หน้า, ถัดไป
ago> ที่แล้ว, ก่อน, มาแล้ว
in ใน, เมื่อ, ช่วง, ตอน
on เมื่อ, ใน, วันที่
of วันที่, เดือน, ปี, ของ
from ตั้งแต่, จาก
between ระหว่าง
and และ, กับ
to ถึง, จนถึง
since ตั้งแต่
before ก่อน
after หลัง, หลังจาก
until จนถึง, จนกว่า
year< ปี, พ.ศ., ค.ศ., ปี พ.ศ., ปี ค.ศ.
each ทุก
measure บาท, คน, กิโลเมตร, เมตร, กรัม, ครั้ง, หน้า, ก้าว, คำ, บรรทัด
cues อะไร, เมื่อไหร่, ที่ไหน, ใคร, ฉัน, ผม, เรา, คือ, ได้, และ
`
