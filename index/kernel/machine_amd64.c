//go:build cgo

/* Kernels for amd64. The target attribute compiles one function for one set of
 * instructions, so the file needs no compiler flags and the rest of the program
 * runs on any x86-64. */
#include <immintrin.h>

#include "machine.h"

#define AVX2 __attribute__((target("avx2,popcnt")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,avx512vpopcntdq,popcnt")))

AVX2 static inline __attribute__((always_inline)) void avx2_count(const struct combray_hamming *block, size_t words)
{
	const uint64_t *query = block->query, *row = block->signs;
	for (size_t i = 0; i < block->count; i++, row += words) {
		uint64_t distance = 0;
		for (size_t j = 0; j < words; j++)
			distance += (uint64_t)_mm_popcnt_u64(query[j] ^ row[j]);
		block->dst[i] = (uint16_t)distance;
	}
}

/* AVX2 cannot count bits, so one word at a time is counted. Where the compiler
 * knows the six words of 384 bits it unrolls them, which is 2.4 times as fast
 * (41 against 16 microseconds for the 10,000 rows of BenchmarkHamming). */
AVX2 static void avx2_hamming(const struct combray_hamming *block)
{
	if (block->words == 6)
		avx2_count(block, 6);
	else
		avx2_count(block, block->words);
}

AVX2 static inline __m256i avx2_wide(const int8_t *codes)
{
	return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)codes));
}

AVX2 static inline int32_t avx2_sum(__m256i v)
{
	__m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, _MM_SHUFFLE(1, 0, 3, 2)));
	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, _MM_SHUFFLE(2, 3, 0, 1)));
	return _mm_cvtsi128_si32(s);
}

/* Codes are widened to int16 first: the instruction that multiplies bytes
 * directly saturates. */
AVX2 static int32_t avx2_dot(const int8_t *query, const int8_t *row, size_t width)
{
	size_t j = 0;
	__m256i even = _mm256_setzero_si256(), odd = even;
	for (; j + 32 <= width; j += 32) {
		even = _mm256_add_epi32(even, _mm256_madd_epi16(avx2_wide(query + j), avx2_wide(row + j)));
		odd = _mm256_add_epi32(odd, _mm256_madd_epi16(avx2_wide(query + j + 16), avx2_wide(row + j + 16)));
	}
	int32_t sum = avx2_sum(_mm256_add_epi32(even, odd));
	for (; j < width; j++)
		sum += (int32_t)query[j] * row[j];
	return sum;
}

AVX2 static void avx2_dot_int8(const struct combray_dot *block)
{
	for (size_t i = 0; i < block->count; i++) {
		combray_fetch_ahead(block, i);
		block->dst[i] = avx2_dot(block->query, combray_row(block, i), block->width);
	}
}

/* A distance is wanted where the lower one of it and the limit is itself. Each has
 * two bits of the mask. */
AVX2 static size_t avx2_within(const struct combray_within *block)
{
	const __m256i limit = _mm256_set1_epi16((short)block->limit);
	size_t i = 0, found = 0;
	for (; i + 16 <= block->count; i += 16) {
		__m256i distances = _mm256_loadu_si256((const __m256i *)(block->distances + i));
		__m256i wanted = _mm256_cmpeq_epi16(_mm256_min_epu16(distances, limit), distances);
		uint32_t mask = (uint32_t)_mm256_movemask_epi8(wanted) & 0x55555555;
		for (; mask; mask &= mask - 1)
			block->dst[found++] = (uint32_t)(i + (size_t)__builtin_ctz(mask) / 2);
	}
	return combray_within_from(block, i, found);
}

AVX2 static size_t avx2_at_least(const struct combray_at_least *block)
{
	const __m256 least = _mm256_set1_ps(block->least);
	size_t i = 0, found = 0;
	for (; i + 8 <= block->count; i += 8) {
		__m256 wanted = _mm256_cmp_ps(_mm256_loadu_ps(block->scores + i), least, _CMP_GE_OQ);
		uint32_t mask = (uint32_t)_mm256_movemask_ps(wanted);
		for (; mask; mask &= mask - 1)
			block->dst[found++] = (uint32_t)(i + (size_t)__builtin_ctz(mask));
	}
	return combray_at_least_from(block, i, found);
}

static int avx2_supported(void)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

/* The last words of a row are loaded under a mask, which never touches the
 * memory behind them. */
AVX512 static void avx512_hamming(const struct combray_hamming *block)
{
	const uint64_t *row = block->signs;
	size_t whole = block->words & ~(size_t)7;
	__mmask8 rest = (__mmask8)((1u << (block->words & 7)) - 1);
	__m512i last = _mm512_maskz_loadu_epi64(rest, block->query + whole);
	for (size_t i = 0; i < block->count; i++, row += block->words) {
		__m512i sum = _mm512_popcnt_epi64(_mm512_xor_si512(last, _mm512_maskz_loadu_epi64(rest, row + whole)));
		for (size_t j = 0; j < whole; j += 8) {
			__m512i differ = _mm512_xor_si512(_mm512_loadu_si512(block->query + j), _mm512_loadu_si512(row + j));
			sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(differ));
		}
		block->dst[i] = (uint16_t)_mm512_reduce_add_epi64(sum);
	}
}

/* The VNNI instruction multiplies unsigned by signed bytes. Flipping the top
 * bit of a code adds 128 to it and makes it unsigned, so every row comes out
 * too high by 128 times the sum of the query, which is taken off at the end.
 * The longest row the Go side lets through keeps even that sum in an int32. */
AVX512 static int32_t avx512_excess(const int8_t *query, size_t width)
{
	int32_t sum = 0;
	for (size_t j = 0; j < width; j++)
		sum += query[j];
	return sum * 128;
}

AVX512 static inline int32_t avx512_dot(const int8_t *query, const int8_t *row, size_t width)
{
	const __m512i top = _mm512_set1_epi8(-128);
	__m512i even = _mm512_setzero_si512(), odd = even;
	size_t j = 0;
	for (; j + 128 <= width; j += 128) {
		__m512i a = _mm512_xor_si512(top, _mm512_loadu_si512(row + j));
		__m512i b = _mm512_xor_si512(top, _mm512_loadu_si512(row + j + 64));
		even = _mm512_dpbusd_epi32(even, a, _mm512_loadu_si512(query + j));
		odd = _mm512_dpbusd_epi32(odd, b, _mm512_loadu_si512(query + j + 64));
	}
	for (; j < width; j += 64) {
		size_t left = width - j;
		__mmask64 mask = left >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << left) - 1;
		__m512i a = _mm512_xor_si512(top, _mm512_maskz_loadu_epi8(mask, row + j));
		even = _mm512_dpbusd_epi32(even, a, _mm512_maskz_loadu_epi8(mask, query + j));
	}
	return _mm512_reduce_add_epi32(_mm512_add_epi32(even, odd));
}

AVX512 static void avx512_dot_int8(const struct combray_dot *block)
{
	int32_t excess = avx512_excess(block->query, block->width);
	for (size_t i = 0; i < block->count; i++) {
		combray_fetch_ahead(block, i);
		block->dst[i] = avx512_dot(block->query, combray_row(block, i), block->width) - excess;
	}
}

/* Sixteen positions are written at once and those that are not wanted written over.
 * There is room: no more were found than were looked at. */
AVX512 static size_t avx512_within(const struct combray_within *block)
{
	const __m512i limit = _mm512_set1_epi16((short)block->limit);
	const __m512i half = _mm512_set1_epi32(16), step = _mm512_set1_epi32(32);
	__m512i low = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	size_t i = 0, found = 0;
	for (; i + 32 <= block->count; i += 32, low = _mm512_add_epi32(low, step)) {
		uint32_t mask = _mm512_cmple_epu16_mask(_mm512_loadu_si512(block->distances + i), limit);
		_mm512_storeu_si512(block->dst + found, _mm512_maskz_compress_epi32((__mmask16)mask, low));
		found += (size_t)_mm_popcnt_u32(mask & 0xffff);
		_mm512_storeu_si512(block->dst + found, _mm512_maskz_compress_epi32((__mmask16)(mask >> 16), _mm512_add_epi32(low, half)));
		found += (size_t)_mm_popcnt_u32(mask >> 16);
	}
	return combray_within_from(block, i, found);
}

AVX512 static size_t avx512_at_least(const struct combray_at_least *block)
{
	const __m512 least = _mm512_set1_ps(block->least);
	const __m512i step = _mm512_set1_epi32(16);
	__m512i at = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	size_t i = 0, found = 0;
	for (; i + 16 <= block->count; i += 16, at = _mm512_add_epi32(at, step)) {
		__mmask16 mask = _mm512_cmp_ps_mask(_mm512_loadu_ps(block->scores + i), least, _CMP_GE_OQ);
		_mm512_storeu_si512(block->dst + found, _mm512_maskz_compress_epi32(mask, at));
		found += (size_t)_mm_popcnt_u32(mask);
	}
	return combray_at_least_from(block, i, found);
}

static int avx512_supported(void)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni") &&
	       __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("popcnt");
}

const struct combray_kernel combray_machine[] = {
	{ "avx512-vnni", avx512_hamming, avx512_dot_int8, avx512_within, avx512_at_least, avx512_supported },
	{ "avx2", avx2_hamming, avx2_dot_int8, avx2_within, avx2_at_least, avx2_supported },
};
const size_t combray_machine_count = sizeof combray_machine / sizeof *combray_machine;
