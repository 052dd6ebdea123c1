package timewords

const korean = `
weekdays 월요일, 화요일, 수요일, 목요일, 금요일, 토요일, 일요일
numbers 한, 두, 세|석, 네|넉, 다섯, 여섯, 일곱, 여덟, 아홉, 열, 열한, 열두
few 몇
units 분, 시간, 일, 주|주일, 달|개월, 년|해, , 주말, 밤, 분기
span1.day 하루
span2.day 이틀
span3.day 사흘
span4.day 나흘
span1.week 일주일
seasons 봄?, 여름?, 가을?, 겨울?
parts 아침|오전|새벽, 정오|점심, 오후, 저녁, 밤
holidays 크리스마스|성탄절, 설날|새해|신정, 핼러윈|할로윈
day0 오늘
day-1 어제
day-2 그저께, 그제, 엊그제
day+1 내일
day+2 모레
day-1.night 어젯밤
day0.night 오늘밤
rel-1 지난, 저번
rel-2 지지난, 저저번
rel0 이번
rel+1 다음, 오는
rel-1.week 지난주, 저번주
rel-2.week 지지난주, 저저번주
rel0.week 이번주, 금주
rel+1.week 다음주
rel-1.weekend 지난주말
rel0.weekend 이번주말
rel-1.month 지난달, 저번달
rel0.month 이번달, 이달
rel+1.month 다음달
rel-1.year 작년, 지난해
rel-2.year 재작년
rel0.year 올해, 금년
rel+1.year 내년
past 최근, 지난
ago> 전
in> 에, 동안, 때, 중
of 의
and 와, 과
to 에서
since> 부터, 이후, 이래
before> 이전, 전
after> 이후, 후, 뒤, 다음
until> 까지
between> 사이
year> 년, 년도
month> 월
day> 일
decade> 년대
each 매, 매년, 매주, 매일, 매월
measure 원, 명, 개, 킬로, 미터, 그램, 번, 쪽, 걸음, 자, 줄
glued 은, 는, 이, 가, 의, 도, 만, 을, 를, 로, 에, 에는, 엔, 까지의
cues 무엇, 무엇을, 뭐, 뭘, 언제, 어디, 어디에, 어디서, 누구, 누가, 내가, 나는, 우리, 우리가, 어떤, 했어, 했지, 했나요
`
