package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// eachSize runs bench for every implementation at each number of rows.
func eachSize(b *testing.B, sizes []int, bench func(b *testing.B, count int)) {
	for i, implementation := range implementations {
		for _, count := range sizes {
			b.Run(fmt.Sprintf("%s/rows=%d", implementation.name, count), func(b *testing.B) {
				defer choose(i)()
				bench(b, count)
			})
		}
	}
}

// BenchmarkHamming scans the signs of rows of 384 dimensions.
func BenchmarkHamming(b *testing.B) {
	eachSize(b, []int{10_000, 100_000}, func(b *testing.B, count int) {
		rng := rand.New(rand.NewPCG(1, 1))
		query, signs, dst := randomWords(rng, 6), randomWords(rng, 6*count), make([]uint16, count)
		b.SetBytes(int64(len(signs)) * 8)
		for b.Loop() {
			Hamming(dst, query, signs)
		}
	})
}

// BenchmarkWithin picks 3 % of the distances of rows of 384 dimensions.
func BenchmarkWithin(b *testing.B) {
	eachSize(b, []int{10_000, 100_000}, func(b *testing.B, count int) {
		rng := rand.New(rand.NewPCG(1, 1))
		distances, dst := make([]uint16, count), make([]uint32, count)
		for i := range distances {
			distances[i] = uint16(rng.Uint32N(385))
		}
		b.SetBytes(int64(2 * count))
		for b.Loop() {
			Within(dst, distances, 385*3/100)
		}
	})
}

// BenchmarkDotInt8 scans the codes of rows of 384 dimensions.
func BenchmarkDotInt8(b *testing.B) {
	eachSize(b, []int{10_000, 100_000}, func(b *testing.B, count int) {
		rng := rand.New(rand.NewPCG(1, 1))
		query, codes, dst := randomCodes(rng, 384), randomCodes(rng, 384*count), make([]int32, count)
		b.SetBytes(int64(len(codes)))
		for b.Loop() {
			DotInt8(dst, query, codes, nil)
		}
	})
}

// BenchmarkDotInt8OfShortlist reads 3 % of the rows of 384 dimensions, in order,
// as a search does after the signs have chosen.
func BenchmarkDotInt8OfShortlist(b *testing.B) {
	eachSize(b, []int{100_000, 1_000_000}, func(b *testing.B, count int) {
		const step = 33
		rng := rand.New(rand.NewPCG(1, 1))
		query, codes := randomCodes(rng, 384), make([]int8, 384*count)
		for i := range codes {
			codes[i] = int8(i * 7)
		}
		rows, dst := make([]uint32, count/step), make([]int32, count/step)
		for i := range rows {
			rows[i] = uint32(step*i) + rng.Uint32N(step)
		}
		b.SetBytes(int64(384 * len(rows)))
		for b.Loop() {
			DotInt8(dst, query, codes, rows)
		}
	})
}
