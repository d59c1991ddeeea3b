/*
 * The two fixed-point formats of intel_pstate: signed with 8 fractional bits in 32, and, from 4.8
 * on, unsigned with 14 in 64 ("ext"). Knows arithmetic only. Results wrap where the kernel's do:
 * shifts and products are done unsigned, right shifts of negative values round down.
 */
#pragma once

#include <assert.h>
#include <stdint.h>

#define FP_ONE (1 << 8)
#define FP_EXT_BITS 14

static inline int32_t s32_of(int64_t x)
{
	return (int32_t)(uint32_t)(uint64_t)x;
}

static inline int32_t s32_add(int32_t a, int32_t b)
{
	return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline int32_t s32_sub(int32_t a, int32_t b)
{
	return (int32_t)((uint32_t)a - (uint32_t)b);
}

static inline int64_t fp_of(int64_t x)
{
	return (int64_t)((uint64_t)x << 8);
}

static inline int32_t fp_floor(int32_t x)
{
	return x >> 8;
}

static inline int32_t fp_mul(int32_t a, int32_t b)
{
	return s32_of((int64_t)a * b >> 8);
}

/* Truncates toward zero. */
static inline int32_t fp_div(int64_t n, int64_t d)
{
	assert(d > 0);
	return s32_of(fp_of(n) / d);
}

static inline uint64_t ext_mul(uint64_t a, uint64_t b)
{
	return a * b >> FP_EXT_BITS;
}

static inline uint64_t ext_div(uint64_t n, uint64_t d)
{
	assert(d > 0);
	return (n << FP_EXT_BITS) / d;
}
