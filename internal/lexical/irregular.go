package lexical

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem/english"
)

// irregular maps an English form that no ending rule reaches to the stem of its
// base. Forms that are names or words of their own more often than not (rose,
// drew, ground, lives) are left out.
var irregular = sync.OnceValue(func() map[string]string {
	m := make(map[string]string)
	for line := range strings.Lines(irregularForms) {
		f := strings.Fields(line)
		base := snowball(f[0], english.Stem)
		for _, form := range f[1:] {
			m[form] = base
		}
	}
	return m
})

// irregularForms holds a base and its forms a line.
const irregularForms = `be am is are was were been being
become became
begin began begun
bite bit bitten
blow blew blown
break broke broken
bring brought
build built
buy bought
catch caught
child children
choose chose chosen
come came
do does did done doing
draw drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feel felt
fight fought
find found
fly flew flown
foot feet
forget forgot forgotten
freeze froze frozen
get got gotten
give gave given
go goes went gone
goose geese
grow grew grown
have has had having
hear heard
hide hid hidden
hold held
keep kept
know knew known
leave left leaves
lead led
lose lost
make made
man men
mean meant
meet met
mouse mice
pay paid
person people
ride rode ridden
rise risen
run ran
see saw seen
seek sought
sell sold
send sent
shake shook shaken
shoot shot
sing sang sung
sit sat
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
swim swam swum
take took taken
teach taught
tell told
think thought
throw threw thrown
tooth teeth
understand understood
wake woke woken
wear wore worn
wife wives
win won
woman women
write wrote written
`
