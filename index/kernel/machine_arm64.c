//go:build cgo

/* Kernels for arm64. NEON is part of the architecture, so nothing is asked of
 * the processor at run time. */
#include <arm_neon.h>

#include "machine.h"

/* One 16-byte load holds two words of a row; an odd last word goes alone. */
static unsigned neon_distance(const uint64_t *a, const uint64_t *b, size_t words)
{
	size_t j = 0;
	uint16x8_t sum = vdupq_n_u16(0);
	for (; j + 2 <= words; j += 2) {
		uint64x2_t differ = veorq_u64(vld1q_u64(a + j), vld1q_u64(b + j));
		sum = vpadalq_u8(sum, vcntq_u8(vreinterpretq_u8_u64(differ)));
	}
	unsigned distance = vaddlvq_u16(sum);
	if (j < words)
		distance += vaddlv_u8(vcnt_u8(vcreate_u8(a[j] ^ b[j])));
	return distance;
}

static void neon_hamming(const struct combray_hamming *block)
{
	const uint64_t *row = block->signs;
	for (size_t i = 0; i < block->count; i++, row += block->words)
		block->dst[i] = (uint16_t)neon_distance(block->query, row, block->words);
}

/* A product of two int8 fits in an int16, (-128)·(-128) included, and each pair
 * of products is added into an int32, so no step can overflow. */
static int32_t neon_dot(const int8_t *a, const int8_t *b, size_t width)
{
	size_t j = 0;
	int32x4_t low = vdupq_n_s32(0), high = vdupq_n_s32(0);
	for (; j + 16 <= width; j += 16) {
		int8x16_t x = vld1q_s8(a + j), y = vld1q_s8(b + j);
		low = vpadalq_s16(low, vmull_s8(vget_low_s8(x), vget_low_s8(y)));
		high = vpadalq_s16(high, vmull_high_s8(x, y));
	}
	int32_t sum = vaddvq_s32(vaddq_s32(low, high));
	for (; j < width; j++)
		sum += (int32_t)a[j] * b[j];
	return sum;
}

static void neon_dot_int8(const struct combray_dot *block)
{
	for (size_t i = 0; i < block->count; i++) {
		combray_fetch_ahead(block, i);
		block->dst[i] = neon_dot(block->query, combray_row(block, i), block->width);
	}
}

static size_t neon_within(const struct combray_within *block)
{
	return combray_within_from(block, 0, 0);
}

static size_t neon_at_least(const struct combray_at_least *block)
{
	return combray_at_least_from(block, 0, 0);
}

const struct combray_kernel combray_machine[] = {
	{ "neon", neon_hamming, neon_dot_int8, neon_within, neon_at_least, NULL },
};
const size_t combray_machine_count = sizeof combray_machine / sizeof *combray_machine;
