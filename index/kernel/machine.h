/* The C side of the package: kernels are known by their number, the fastest
 * first. Lengths are checked by the Go caller and never again here. */
#ifndef COMBRAY_KERNEL_MACHINE_H
#define COMBRAY_KERNEL_MACHINE_H

#include <stddef.h>
#include <stdint.h>

/* count rows of words 64-bit words, one after the other in signs. */
struct combray_hamming {
	uint16_t *dst;
	const uint64_t *query;
	const uint64_t *signs;
	size_t count;
	size_t words;
};

/* count rows of width codes: row rows[i] of codes, or row i where rows is NULL. */
struct combray_dot {
	int32_t *dst;
	const int8_t *query;
	const int8_t *codes;
	const uint32_t *rows;
	size_t count;
	size_t width;
};

/* count distances, of which those up to limit are wanted: dst, which has room for
 * all, gets their positions, ascending. */
struct combray_within {
	uint32_t *dst;
	const uint16_t *distances;
	size_t count;
	uint16_t limit;
};

/* count scores, of which those from least on are wanted; dst as above. */
struct combray_at_least {
	uint32_t *dst;
	const float *scores;
	size_t count;
	float least;
};

/* One implementation of the loops; supported is NULL where every processor
 * of the architecture can run it. */
struct combray_kernel {
	const char *name;
	void (*hamming)(const struct combray_hamming *);
	void (*dot_int8)(const struct combray_dot *);
	size_t (*within)(const struct combray_within *);
	size_t (*at_least)(const struct combray_at_least *);
	int (*supported)(void);
};

/* combray_machine lists the kernels written for this architecture. */
extern const struct combray_kernel combray_machine[];
extern const size_t combray_machine_count;

/* combray_kernels counts the kernels of this architecture, plain C included. */
size_t combray_kernels(void);

/* combray_kernel_name names a kernel, or returns NULL where this processor
 * cannot run it. */
const char *combray_kernel_name(size_t number);

void combray_hamming(size_t number, struct combray_hamming block);
void combray_dot_int8(size_t number, struct combray_dot block);
size_t combray_within(size_t number, struct combray_within block);
size_t combray_at_least(size_t number, struct combray_at_least block);

/* combray_within_from is within from a position on, with found positions in dst. Each is
 * written and kept only if it is wanted, as a branch would be guessed wrong. */
static inline size_t combray_within_from(const struct combray_within *block, size_t i, size_t found)
{
	for (; i < block->count; i++) {
		block->dst[found] = (uint32_t)i;
		found += block->distances[i] <= block->limit;
	}
	return found;
}

/* combray_at_least_from is the same for at_least. */
static inline size_t combray_at_least_from(const struct combray_at_least *block, size_t i, size_t found)
{
	for (; i < block->count; i++) {
		block->dst[found] = (uint32_t)i;
		found += block->scores[i] >= block->least;
	}
	return found;
}

/* combray_row returns where the codes of result i begin. */
static inline const int8_t *combray_row(const struct combray_dot *block, size_t i)
{
	return block->codes + (block->rows ? block->rows[i] : i) * block->width;
}

/* Rows ask for memory this many results ahead: the rows of a shortlist lie
 * apart, and the processor cannot guess the next one. Of 4, 8, 16, 32 and 64,
 * 16 was best or near it: 3 % of 1,000,000 rows in 0.6 ms against 1.5 ms without
 * (avx512-vnni) and 1.2 against 3.4 (avx2), BenchmarkDotInt8OfShortlist. */
#define COMBRAY_AHEAD 16

/* combray_fetch_ahead asks for the row of a later result. It must be inlined:
 * gcc 12 takes a function that only asks for memory for one that does nothing,
 * and drops its calls. */
static inline __attribute__((always_inline)) void combray_fetch_ahead(const struct combray_dot *block, size_t i)
{
	if (!block->rows || block->count - i <= COMBRAY_AHEAD)
		return;
	const int8_t *row = combray_row(block, i + COMBRAY_AHEAD);
	for (size_t j = 0; j < block->width; j += 64)
		__builtin_prefetch(row + j);
}

#endif
