package timewords

const chinese = `
weekdays 周一|星期一|礼拜一, 周二|星期二|礼拜二, 周三|星期三|礼拜三, 周四|星期四|礼拜四, 周五|星期五|礼拜五, 周六|星期六|礼拜六, 周日|周天|星期日|星期天|礼拜日|礼拜天
few 几, 几个, 好几, 好几个, 数
units 分钟, 小时|个小时|个钟头, 天, 周|星期|个星期|礼拜|个礼拜, 月|个月, 年, , 周末|个周末, 晚, 季度|个季度
seasons 春天?|春季?, 夏天?|夏季?, 秋天?|秋季?, 冬天?|冬季?
parts 早上|上午|早晨|清晨, 中午, 下午, 晚上|傍晚, 夜里|深夜|夜晚|半夜
holidays 圣诞节|圣诞, 元旦|跨年, 万圣节
day0 今天, 今日
day-1 昨天, 昨日
day-2 前天
day-3 大前天
day+1 明天, 明日
day+2 后天
day-1.night 昨晚, 昨夜
day0.evening 今晚
day0.morning 今早, 今天早上
rel-1 上, 上个, 上一个, 上一
rel-2 上上, 上上个
rel0 这, 这个, 本, 这一, 今
rel+1 下, 下个, 下一个, 下一
rel-1.year 去年
rel-2.year 前年
rel0.year 今年
rel+1.year 明年
past 过去, 过去的, 过去这, 最近, 最近这, 近, 这
ago> 前, 以前, 之前
in 在, 于
in> 里, 期间, 份
on 在
of 的
from 从, 自
and 和, 与
to 到, 至
since 自, 自从, 从
since> 以来, 开始, 起, 至今
before> 之前, 以前
after> 之后, 以后
until 直到, 截至
until> 为止
between> 之间, 间
year> 年
month> 月, 月份
day> 日, 号
decade> 年代
each 每, 每个, 每逢
measure 元, 块, 人, 个, 公里, 米, 克, 斤, 次, 页, 步, 字, 行
none 后天条件, 后天性, 年级, 月亮, 号码, 号线, 号楼, 天气, 日本, 上海, 下载, 前面, 后面
cues 的, 了, 我, 什么, 是, 在, 吗, 哪, 谁, 有, 和, 他, 她, 们, 你
`

const japanese = `
weekdays 月曜日|月曜, 火曜日|火曜, 水曜日|水曜, 木曜日|木曜, 金曜日|金曜, 土曜日|土曜, 日曜日|日曜
few 数, 何
units 分|分間, 時間, 日|日間, 週間|週, か月|ヶ月|カ月|ヵ月|ケ月|か月間|ヶ月間|カ月間|ヵ月間, 年|年間, , 週末, 晩, 四半期
seasons 春?, 夏?, 秋?, 冬?
parts 朝|午前, 昼|正午, 午後, 夕方|夕, 夜|晩
holidays クリスマス|クリスマスイブ, お正月|正月|元日|元旦|大晦日, ハロウィン|ハロウィーン
day0 今日, 本日, きょう
day-1 昨日, きのう
day-2 一昨日, おととい
day+1 明日, あした
day+2 明後日, あさって
day-1.night 昨夜, 昨晩, ゆうべ
day0.evening 今夜, 今晩
day0.morning 今朝
rel-1 前の, この前の, この間の, 先の, 昨
rel0 この
rel+1 次の, 今度の
rel-1.week 先週
rel-2.week 先々週
rel0.week 今週
rel+1.week 来週
rel-1.weekend 先週末, この前の週末
rel0.weekend 今週末
rel-1.month 先月
rel-2.month 先々月
rel0.month 今月
rel+1.month 来月
rel-1.year 去年, 昨年
rel-2.year 一昨年, おととし
rel0.year 今年
rel+1.year 来年
past 過去, ここ, 直近, 最近, この
ago> 前, 前の, 前に
in> に, には, の, で, 中
of の, ,
and と
to から
since> から, 以来, 以降
before> より前, 以前, 前に, まえに
after> より後, の後, 以後
until> まで
between> の間, の間に, 間
year> 年
month> 月
day> 日
decade> 年代
era2018 令和
era1988 平成
era1925 昭和
era1911 大正
each 毎, 毎年の
measure 円, 人, 個, キロ, メートル, グラム, 回, ページ, 歩, 字, 行
none 年生, 日本, 月曜日の, 名前, 前回
cues の, は, を, が, に, た, で, て, と, か, も
`
