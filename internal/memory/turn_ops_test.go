package memory_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"combray/internal/memory"
	"combray/internal/memtest"
)

func inSession(in *memory.RememberInput) { in.SessionID = memtest.Of("s") }

func atPosition(position int64) func(*memory.RememberInput) {
	return func(in *memory.RememberInput) { inSession(in); in.SessionPosition = &position }
}

// follows wants a memory to have the vectors of its text after another one's.
func (d *desk) follows(what string, m memory.Memory, before *memory.Memory) {
	d.Helper()
	want, err := d.encoder.Passage(d.ctx, memory.TurnLine(m, before))
	if err != nil {
		d.Fatal(err)
	}
	if got := d.vectors(m); !slices.EqualFunc(got, want, slices.Equal[[]float32]) {
		d.Errorf("%s: %q has other vectors than those of %q", what, m.Content, memory.TurnLine(m, before))
	}
}

// mended fills what is missing and says how many memories lacked their vectors.
func (d *desk) mended(want int) {
	d.Helper()
	if made, err := d.Backfill(d.ctx, nil); err != nil || made != want {
		d.Errorf("%d vectors made behind, want %d; %v", made, want, err)
	}
}

func TestATurnIsEncodedOnceWithTheOneBefore(t *testing.T) {
	d := newDesk(t)
	first := d.keep("when do you open the shop", inSession)
	d.keep("a note between", func(in *memory.RememberInput) {})
	passages := d.encoder.Passages.Load()
	second := d.keep("in june", inSession)
	if n := d.encoder.Passages.Load() - passages; n != 1 {
		t.Errorf("encoded %d times", n)
	}
	d.follows("alone", first, nil)
	d.follows("after the first", second, &first)
	batch := ok[[]memory.Remembered](d)(d.RememberMany(d.ctx, []memory.RememberInput{
		{Content: "a third", SessionID: memtest.Of("s")}, {Content: "elsewhere", SessionID: memtest.Of("t")}, {Content: "a fourth", SessionID: memtest.Of("s")}}))
	d.follows("in a batch", batch[0].Memory, &second)
	d.follows("of another session", batch[1].Memory, nil)
	d.follows("after one of the batch", batch[2].Memory, &batch[0].Memory)
	d.mended(0)
}

func TestPositionsOrderTurns(t *testing.T) {
	behind := 0
	d := newDesk(t, func(c *memory.Config) { c.Behind = func() { behind++ } })
	last := d.keep("last", atPosition(9))
	batch := ok[[]memory.Remembered](d)(d.RememberMany(d.ctx, []memory.RememberInput{
		{Content: "five", SessionID: memtest.Of("s"), SessionPosition: memtest.Of(int64(5))},
		{Content: "two", SessionID: memtest.Of("s"), SessionPosition: memtest.Of(int64(2))}}))
	if behind != 1 {
		t.Errorf("told %d times that vectors are missing", behind)
	}
	d.mended(2) // what came late stands before them
	five, two := batch[0].Memory, batch[1].Memory
	d.follows("first", two, nil)
	d.follows("second", five, &two)
	d.follows("last", last, &five)
}

// What is gone leaves nothing in the vectors of the turn after it.
func TestATurnForgetsWhatWasBeforeIt(t *testing.T) {
	d := newDesk(t)
	first, second := d.keep("the code is 4711", inSession), d.keep("thank you", inSession)
	third := d.keep("goodbye", inSession)
	gone := func(what string, want *memory.Memory) {
		t.Helper()
		if v, err := d.store.Vectors(d.ctx, []int64{third.Number}, memory.LineIdentity(d.encoder.Identity())); err != nil || v[0] != nil {
			t.Errorf("%s: the turn after keeps its vectors; %v", what, err)
		}
		d.mended(1)
		d.follows(what, third, want)
	}
	ok[memory.Memory](d)(d.Forget(d.ctx, second.ID, "wrong"))
	gone("forgotten", nil)
	ok[memory.Memory](d)(d.Restore(d.ctx, second.ID, "right after all"))
	gone("restored", &second)
	ok[memory.Memory](d)(d.SetHistoryContext(d.ctx, memory.HistoryContextInput{MemoryID: second.ID, Reason: "of another talk", SessionID: memtest.Of("t")}))
	gone("moved away", &first)
	ok[memory.ID](d)(d.Erase(d.ctx, first.ID, "secret", true))
	gone("erased", nil)
}

// A turn that is forgotten itself keeps nothing either of what is erased before it.
func TestAForgottenTurnKeepsNothingOfAnErasedOne(t *testing.T) {
	d := newDesk(t)
	first, second := d.keep("the code is 4711", inSession), d.keep("thank you", inSession)
	ok[memory.Memory](d)(d.Forget(d.ctx, second.ID, "wrong"))
	d.mended(0)
	ok[memory.ID](d)(d.Erase(d.ctx, first.ID, "secret", true))
	d.mended(1)
	d.follows("forgotten", second, nil)
}

// interrupted is an encoder that lets something happen while it works.
type interrupted struct {
	memory.Encoder
	then func()
}

func (i *interrupted) Passage(ctx context.Context, text string) ([][]float32, error) {
	if i.then != nil {
		i.then()
	}
	return i.Encoder.Passage(ctx, text)
}

// A vector made behind is not stored when what was before has gone meanwhile.
func TestAVectorMadeBehindFollowsWhatIsThere(t *testing.T) {
	encoder := &interrupted{}
	d := newDesk(t, func(c *memory.Config) { encoder.Encoder, c.Encoder = c.Encoder, encoder })
	d.encoder.Fail("broken")
	first, second := d.keep("the code is 4711", inSession), d.keep("thank you", inSession)
	d.encoder.Fail("")
	encoder.then = sync.OnceFunc(func() { ok[memory.ID](d)(d.Erase(d.ctx, first.ID, "secret", true)) })
	if _, err := d.Backfill(d.ctx, nil); err != nil {
		t.Fatal(err)
	}
	d.follows("erased while it was encoded", second, nil)
}
