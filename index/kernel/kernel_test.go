package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// shapes are row lengths around the widths of the loops (8, 16, 32, 64, 128)
// and the dimensions of the encoders in use.
var shapes = []int{1, 2, 3, 6, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 200, 255, 256, 384, 768, 1000, 1023}

// withEach runs check once for every implementation this processor has.
func withEach(t *testing.T, check func(t *testing.T)) {
	t.Helper()
	for i, implementation := range implementations {
		t.Run(implementation.name, func(t *testing.T) {
			defer choose(i)()
			if Name() != implementation.name {
				t.Fatalf("Name() = %q, want %q", Name(), implementation.name)
			}
			check(t)
		})
	}
}

// wantHamming counts differing bits one by one.
func wantHamming(query, signs []uint64) []uint16 {
	want := make([]uint16, len(signs)/len(query))
	for i, word := range signs {
		for differ := word ^ query[i%len(query)]; differ != 0; differ >>= 1 {
			want[i/len(query)] += uint16(differ & 1)
		}
	}
	return want
}

// wantDot adds products one by one in 64 bits; rows nil means every row.
func wantDot(query, codes []int8, rows []uint32) []int32 {
	if rows == nil {
		rows = make([]uint32, len(codes)/len(query))
		for i := range rows {
			rows[i] = uint32(i)
		}
	}
	want := make([]int32, len(rows))
	for i, row := range rows {
		var sum int64
		for j, x := range query {
			sum += int64(x) * int64(codes[int(row)*len(query)+j])
		}
		want[i] = int32(sum)
	}
	return want
}

// wantWithin looks at one distance after the other.
func wantWithin(distances []uint16, limit uint16) []uint32 {
	want := []uint32{}
	for i, distance := range distances {
		if distance <= limit {
			want = append(want, uint32(i))
		}
	}
	return want
}

func randomWords(rng *rand.Rand, n int) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		words[i] = rng.Uint64()
	}
	return words
}

func randomCodes(rng *rand.Rand, n int) []int8 {
	codes := make([]int8, n)
	for i := range codes {
		codes[i] = int8(rng.Uint32())
	}
	return codes
}

func TestEveryKernelEqualsThePlainLoop(t *testing.T) {
	withEach(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for _, width := range shapes {
			for _, count := range []int{0, 1, 2, 3, 5, 17, 50} {
				query, signs := randomWords(rng, width), randomWords(rng, width*count)
				distances := make([]uint16, count)
				Hamming(distances, query, signs)
				if want := wantHamming(query, signs); !slices.Equal(distances, want) {
					t.Fatalf("Hamming, %d rows of %d words: %v, want %v", count, width, distances, want)
				}
				codes, codeRows := randomCodes(rng, width), randomCodes(rng, width*count)
				dots := make([]int32, count)
				DotInt8(dots, codes, codeRows, nil)
				if want := wantDot(codes, codeRows, nil); !slices.Equal(dots, want) {
					t.Fatalf("DotInt8, %d rows of %d codes: %v, want %v", count, width, dots, want)
				}
			}
		}
	})
}

func TestDotInt8OfChosenRows(t *testing.T) {
	withEach(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for _, width := range shapes {
			query, codes := randomCodes(rng, width), randomCodes(rng, width*37)
			for _, count := range []int{0, 1, 2, 16, 17, 100} {
				rows := make([]uint32, count)
				for i := range rows {
					rows[i] = rng.Uint32N(37) // out of order and more than once
				}
				dots := make([]int32, count)
				DotInt8(dots, query, codes, rows)
				if want := wantDot(query, codes, rows); !slices.Equal(dots, want) {
					t.Fatalf("rows %v of %d codes: %v, want %v", rows, width, dots, want)
				}
			}
		}
	})
}

func TestWithin(t *testing.T) {
	withEach(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 4))
		for _, count := range []int{0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 200} {
			for _, most := range []uint32{1, 4, 400, 1 << 16} { // of the distances
				distances := make([]uint16, count)
				for i := range distances {
					distances[i] = uint16(rng.Uint32N(most))
				}
				for _, limit := range []uint16{0, 1, 2, 200, 1<<15 - 1, 1 << 15, 1<<16 - 1} {
					got := make([]uint32, count)
					got = got[:Within(got, distances, limit)]
					if want := wantWithin(distances, limit); !slices.Equal(got, want) {
						t.Fatalf("up to %d of %v: %v, want %v", limit, distances, got, want)
					}
				}
			}
		}
	})
}

func TestAtLeast(t *testing.T) {
	none, infinite := float32(math.NaN()), float32(math.Inf(1))
	values := []float32{0, 1, 0.5, -1, none, infinite, -infinite, math.SmallestNonzeroFloat32, float32(math.Copysign(0, -1)), 2}
	withEach(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 5))
		for _, count := range []int{0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 200} {
			scores := make([]float32, count)
			for i := range scores {
				scores[i] = values[rng.IntN(len(values))]
			}
			for _, least := range values {
				want := []uint32{}
				for i, score := range scores {
					if score >= least {
						want = append(want, uint32(i))
					}
				}
				got := make([]uint32, count)
				if got = got[:AtLeast(got, scores, least)]; !slices.Equal(got, want) {
					t.Fatalf("from %v on of %v: %v, want %v", least, scores, got, want)
				}
			}
		}
	})
}

// TestExtremes uses the longest rows and the values that a saturating or
// narrow sum would get wrong.
func TestExtremes(t *testing.T) {
	withEach(t, func(t *testing.T) {
		for _, width := range []int{1, 16, 384, 1024, maxCodes} {
			for _, pair := range [][2]int8{{127, 127}, {-127, 127}, {-127, -127}, {-128, 127}, {-128, -128}} {
				query, codes := slices.Repeat([]int8{pair[0]}, width), slices.Repeat([]int8{pair[1]}, 2*width)
				got := make([]int32, 2)
				DotInt8(got, query, codes, nil)
				want := int32(pair[0]) * int32(pair[1]) * int32(width)
				if got[0] != want || got[1] != want {
					t.Errorf("%d codes of %d and %d: %v, want %d twice", width, pair[0], pair[1], got, want)
				}
			}
		}
		query, signs := make([]uint64, maxWords), slices.Repeat([]uint64{^uint64(0)}, 2*maxWords)
		got := make([]uint16, 2)
		Hamming(got, query, signs)
		if want := uint16(maxWords * 64); got[0] != want || got[1] != want {
			t.Errorf("%d words that all differ: %v, want %d twice", maxWords, got, want)
		}
	})
}

func TestPortableBringsBackWhatRanBefore(t *testing.T) {
	best := Name()
	restorePlain := Portable(true)
	if Name() != "go" {
		t.Errorf("Name() = %q under Portable(true), want \"go\"", Name())
	}
	restoreBest := Portable(false)
	if Name() != best {
		t.Errorf("Name() = %q under Portable(false), want %q", Name(), best)
	}
	restoreBest()
	if Name() != "go" {
		t.Errorf("Name() = %q after the inner restore, want \"go\"", Name())
	}
	restorePlain()
	if Name() != best {
		t.Errorf("Name() = %q after the outer restore, want %q", Name(), best)
	}
}

func TestBrokenLengthsPanicBeforeAnyMemoryIsRead(t *testing.T) {
	hamming := func(results, query, signs int) func() {
		return func() { Hamming(make([]uint16, results), make([]uint64, query), make([]uint64, signs)) }
	}
	dot := func(results, query, codes int, rows []uint32) func() {
		return func() { DotInt8(make([]int32, results), make([]int8, query), make([]int8, codes), rows) }
	}
	cases := []struct {
		name, want string
		call       func()
	}{
		{"hamming without a query", "1 to 1023 words, got 0", hamming(0, 0, 0)},
		{"hamming too wide", "1 to 1023 words, got 1024", hamming(1, 1024, 1024)},
		{"hamming short of a row", "2 rows of 6 values, got 6", hamming(2, 6, 6)},
		{"hamming with part of a row", "1 rows of 6 values, got 7", hamming(1, 6, 7)},
		{"hamming with a row too many", "1 rows of 6 values, got 12", hamming(1, 6, 12)},
		{"hamming without room for results", "0 rows of 6 values, got 6", hamming(0, 6, 6)},
		{"within without room", "room for 3 positions, got 2", func() { Within(make([]uint32, 2), make([]uint16, 3), 1) }},
		{"at least without room", "room for 3 positions, got 2", func() { AtLeast(make([]uint32, 2), make([]float32, 3), 1) }},
		{"dot without a query", "1 to 65535 codes, got 0", dot(0, 0, 0, nil)},
		{"dot too wide", "1 to 65535 codes, got 65536", dot(1, 1<<16, 1<<16, nil)},
		{"dot short of a row", "3 rows of 5 values, got 10", dot(3, 5, 10, nil)},
		{"dot with part of a row", "2 rows of 5 values, got 14", dot(2, 5, 14, nil)},
		{"dot of fewer rows than results", "got 1 rows for 2 results", dot(2, 5, 10, []uint32{0})},
		{"dot of more rows than results", "got 2 rows for 1 results", dot(1, 5, 10, []uint32{0, 1})},
		{"dot of no rows for a result", "got 0 rows for 1 results", dot(1, 5, 5, []uint32{})},
		{"dot of chosen rows in part of a row", "whole rows of 5 codes, got 9", dot(1, 5, 9, []uint32{0})},
		{"dot of a row that is not there", "row 2 of 2", dot(2, 5, 10, []uint32{2, 0})},
		{"dot of the highest row number", "row 4294967295 of 2", dot(1, 5, 10, []uint32{1<<32 - 1})},
		{"dot of a row of nothing", "row 0 of 0", dot(1, 5, 0, []uint32{0})},
	}
	withEach(t, func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				defer func() {
					if got := fmt.Sprint(recover()); !strings.Contains(got, c.want) {
						t.Errorf("panic %q, want %q in it", got, c.want)
					}
				}()
				c.call()
			})
		}
	})
}

func TestNothingIsAllocated(t *testing.T) {
	withEach(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		signs, codes := randomWords(rng, 6*100), randomCodes(rng, 384*100)
		allocated := testing.AllocsPerRun(10, func() {
			// On the stack, so that a slice kept by a call would show too.
			var query [6]uint64
			var distances [100]uint16
			var codeQuery [384]int8
			var dots [100]int32
			rows := [2]uint32{7, 3}
			Hamming(distances[:], query[:], signs)
			DotInt8(dots[:], codeQuery[:], codes, nil)
			DotInt8(dots[:2], codeQuery[:], codes, rows[:])
			var near [100]uint32
			Within(near[:], distances[:], 190)
			var scores [100]float32
			AtLeast(near[:], scores[:], 1)
		})
		if allocated != 0 {
			t.Errorf("%v allocations a run, want none", allocated)
		}
	})
}

func FuzzKernelsAgree(f *testing.F) {
	f.Add([]byte{1}, uint16(1), uint64(0))
	f.Add(slices.Repeat([]byte{0x80}, 1000), uint16(7), uint64(1))
	f.Add([]byte(strings.Repeat("In search of lost time. ", 200)), uint16(384), uint64(2))
	f.Fuzz(func(t *testing.T, data []byte, width uint16, seed uint64) {
		size := int(width)%1100 + 1
		if len(data) < 2*size {
			return
		}
		values := make([]int8, len(data))
		for i, b := range data {
			values[i] = int8(b)
		}
		query, codes := values[:size], values[size:len(values)/size*size]
		rng := rand.New(rand.NewPCG(seed, 0))
		rows := make([]uint32, 20)
		for i := range rows {
			rows[i] = rng.Uint32N(uint32(len(codes) / size))
		}
		words := make([]uint64, len(data)/8)
		for i := range words {
			words[i] = uint64(data[8*i]) * 0x0101010101010101 << (i % 8)
		}
		for i := range implementations {
			agree(t, i, query, codes, rows)
			if n := (size-1)%maxWords + 1; len(words) >= 2*n {
				agreeWords(t, i, words[:n], words[n:len(words)/n*n])
			}
		}
	})
}

// agree compares DotInt8 of implementation i with the sum in 64 bits.
func agree(t *testing.T, i int, query, codes []int8, rows []uint32) {
	t.Helper()
	defer choose(i)()
	for _, chosen := range [][]uint32{nil, rows} {
		want := wantDot(query, codes, chosen)
		got := make([]int32, len(want))
		DotInt8(got, query, codes, chosen)
		if !slices.Equal(got, want) {
			t.Fatalf("%s, %d codes, rows %v: %v, want %v", Name(), len(query), chosen, got, want)
		}
	}
}

// agreeWords compares Hamming of implementation i with the count bit by bit.
func agreeWords(t *testing.T, i int, query, signs []uint64) {
	t.Helper()
	defer choose(i)()
	want := wantHamming(query, signs)
	got := make([]uint16, len(want))
	Hamming(got, query, signs)
	if !slices.Equal(got, want) {
		t.Fatalf("%s, %d words: %v, want %v", Name(), len(query), got, want)
	}
}
