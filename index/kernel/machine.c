//go:build cgo

/* Choice of a kernel by number, and the loops in plain C that any processor
 * can run and any compiler can vectorise. */
#include "machine.h"

static void plain_hamming(const struct combray_hamming *block)
{
	const uint64_t *row = block->signs;
	for (size_t i = 0; i < block->count; i++, row += block->words) {
		unsigned distance = 0;
		for (size_t j = 0; j < block->words; j++)
			distance += (unsigned)__builtin_popcountll(block->query[j] ^ row[j]);
		block->dst[i] = (uint16_t)distance;
	}
}

static void plain_dot_int8(const struct combray_dot *block)
{
	for (size_t i = 0; i < block->count; i++) {
		combray_fetch_ahead(block, i);
		const int8_t *row = combray_row(block, i);
		int32_t sum = 0;
		for (size_t j = 0; j < block->width; j++)
			sum += (int32_t)block->query[j] * row[j];
		block->dst[i] = sum;
	}
}

static size_t plain_within(const struct combray_within *block)
{
	return combray_within_from(block, 0, 0);
}

static size_t plain_at_least(const struct combray_at_least *block)
{
	return combray_at_least_from(block, 0, 0);
}

static const struct combray_kernel plain = { "c", plain_hamming, plain_dot_int8, plain_within, plain_at_least, NULL };

static const struct combray_kernel *kernel_at(size_t number)
{
	return number < combray_machine_count ? &combray_machine[number] : &plain;
}

size_t combray_kernels(void)
{
	return combray_machine_count + 1;
}

const char *combray_kernel_name(size_t number)
{
	const struct combray_kernel *kernel = kernel_at(number);
	return !kernel->supported || kernel->supported() ? kernel->name : NULL;
}

void combray_hamming(size_t number, struct combray_hamming block)
{
	kernel_at(number)->hamming(&block);
}

void combray_dot_int8(size_t number, struct combray_dot block)
{
	kernel_at(number)->dot_int8(&block);
}

size_t combray_within(size_t number, struct combray_within block)
{
	return kernel_at(number)->within(&block);
}

size_t combray_at_least(size_t number, struct combray_at_least block)
{
	return kernel_at(number)->at_least(&block);
}
