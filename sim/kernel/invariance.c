#include "sim/kernel/invariance.h"

#include "sim/base/units.h"
#include "sim/kernel/version.h"

#define SHIFT 10
#define KHZ_PER_MHZ 1000

/* Frequencies of capacity and pressure became kHz, and their products 64 bits wide. */
#define VERSION_KHZ KVER(6, 8, 0)

static uint64_t limited(uint64_t scale)
{
	return scale < CAPACITY_SCALE ? scale : CAPACITY_SCALE;
}

uint64_t freq_scale_of(uint64_t prev, uint64_t cur, uint64_t max)
{
	return cur == 0 || max == 0 ? prev : (cur << SHIFT) / max;
}

bool x86_freq_scale(uint64_t aperf, uint64_t mperf, uint64_t max_ratio, uint64_t *scale)
{
	uint64_t quotient;

	if (aperf > UINT64_MAX >> (2 * SHIFT))
		return false;
	if (max_ratio != 0 && mperf > UINT64_MAX / max_ratio)
		return false;
	if (mperf * max_ratio == 0)
		return false;
	quotient = (aperf << (2 * SHIFT)) / (mperf * max_ratio);
	if (quotient == 0)
		return false;
	*scale = limited(quotient);
	return true;
}

uint64_t amu_max_scale(uint64_t ref_hz, uint64_t max_hz)
{
	return (ref_hz << (2 * SHIFT)) / max_hz;
}

void amu_freq_scale(
	struct amu_counters prev, struct amu_counters now, uint64_t max_scale, uint64_t *scale)
{
	if (now.core <= prev.core || now.constant <= prev.constant)
		return;
	*scale = limited(
		((now.core - prev.core) * max_scale >> SHIFT) / (now.constant - prev.constant));
}

static uint64_t raw_capacity(uint64_t raw, uint64_t freq, unsigned version)
{
	uint64_t product = raw * freq;

	return version < VERSION_KHZ ? (uint32_t)product : product;
}

void capacity_normalize(
	const uint64_t *raw, const uint64_t *freq, uint64_t *capacity, int nr, unsigned version)
{
	uint64_t largest = 1;

	for (int i = 0; i < nr; i++) {
		uint64_t product = raw_capacity(raw[i], freq[i], version);

		largest = product > largest ? product : largest;
	}
	for (int i = 0; i < nr; i++)
		capacity[i] = (raw_capacity(raw[i], freq[i], version) << SHIFT) / largest;
}

uint64_t capacity_pressure(uint64_t capacity, uint64_t max, uint64_t capped_khz, unsigned version)
{
	uint64_t capped = version < VERSION_KHZ ? capped_khz / KHZ_PER_MHZ : capped_khz;

	if (max <= capped)
		return 0;
	return capacity - ((capacity / max) * capped + (capacity % max) * capped / max);
}
