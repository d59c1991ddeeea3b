#include "sim/kernel/cppc.h"

#include "sim/base/units.h"
#include "sim/kernel/version.h"

#define SHIFT 10
#define KHZ_PER_MHZ UINT64_C(1000)

/* The conversions moved to the ACPI code and got one line through the nominal point. */
#define VERSION_LINE KVER(6, 1, 0)
/* A sample that comes out as no performance is left out, and the next one spans both. */
#define VERSION_SKIP KVER(6, 12, 0)

/* A quotient and what to add to it. */
struct line {
	uint64_t mul, div;
	uint64_t offset; /* two's complement */
};

static uint64_t dmi_max_khz(const struct cppc_caps *caps)
{
	return KHZ_PER_MHZ * (caps->dmi_max_mhz != 0 ? caps->dmi_max_mhz : 1);
}

static bool knows_freq(const struct cppc_caps *caps)
{
	return caps->lowest_freq != 0 && caps->nominal_freq != 0;
}

/* Perf and frequency span that give the slope; just the nominal point when they are one. */
static void span(const struct cppc_caps *caps, uint64_t *perf, uint64_t *mhz)
{
	bool point = caps->lowest_freq == caps->nominal_freq;

	*perf = point ? caps->nominal_perf : caps->nominal_perf - caps->lowest_perf;
	*mhz = point ? caps->nominal_freq : caps->nominal_freq - caps->lowest_freq;
}

static struct line perf_to_khz(const struct cppc_caps *caps)
{
	struct line line = { dmi_max_khz(caps), caps->highest_perf, 0 };

	if (!knows_freq(caps))
		return line;
	span(caps, &line.div, &line.mul);
	line.mul *= KHZ_PER_MHZ;
	line.offset = caps->nominal_freq * KHZ_PER_MHZ - caps->nominal_perf * line.mul / line.div;
	return line;
}

static struct line khz_to_perf(const struct cppc_caps *caps)
{
	struct line line = { caps->highest_perf, dmi_max_khz(caps), 0 };

	if (!knows_freq(caps))
		return line;
	span(caps, &line.mul, &line.div);
	line.offset = caps->nominal_perf - caps->nominal_freq * line.mul / line.div;
	line.div *= KHZ_PER_MHZ;
	return line;
}

/* 5.10: two slopes, both without offset, and not the same ones in the two directions. */
static struct line perf_to_khz_5_10(const struct cppc_caps *caps, uint32_t perf)
{
	if (!knows_freq(caps))
		return (struct line){ dmi_max_khz(caps), caps->highest_perf, 0 };
	if (perf >= caps->nominal_perf)
		return (struct line){ caps->nominal_freq, caps->nominal_perf, 0 };
	return (struct line){ caps->nominal_freq - caps->lowest_freq,
		caps->nominal_perf - caps->lowest_perf, 0 };
}

static struct line khz_to_perf_5_10(const struct cppc_caps *caps, uint32_t khz)
{
	if (!knows_freq(caps))
		return (struct line){ caps->highest_perf, dmi_max_khz(caps), 0 };
	if (khz >= caps->nominal_freq)
		return (struct line){ caps->nominal_perf, caps->nominal_freq, 0 };
	return (struct line){ caps->lowest_perf, caps->lowest_freq, 0 };
}

/* Never below 0; the result is cut to the width the kernel returns. */
static uint32_t along(struct line line, uint32_t value)
{
	uint64_t result = line.offset + value * line.mul / line.div;

	return result >> 63 ? 0 : (uint32_t)result;
}

uint32_t cppc_perf_to_khz(const struct cppc_caps *caps, uint32_t perf, unsigned version)
{
	return along(
		version < VERSION_LINE ? perf_to_khz_5_10(caps, perf) : perf_to_khz(caps), perf);
}

uint32_t cppc_khz_to_perf(const struct cppc_caps *caps, uint32_t khz, unsigned version)
{
	return along(version < VERSION_LINE ? khz_to_perf_5_10(caps, khz) : khz_to_perf(caps), khz);
}

uint64_t cppc_delta(uint64_t now, uint64_t then)
{
	if (now > then || then > UINT32_MAX)
		return now - then;
	return (uint32_t)((uint32_t)now - (uint32_t)then);
}

void cppc_freq_scale(struct cppc_counters *prev, const struct cppc_counters *now,
	uint64_t highest_perf, uint64_t desired_perf, unsigned version, uint64_t *scale)
{
	uint64_t reference = cppc_delta(now->reference, prev->reference);
	uint64_t delivered = cppc_delta(now->delivered, prev->delivered);
	uint64_t perf = 0;
	uint64_t result;

	if (reference != 0 && delivered != 0)
		perf = prev->reference_perf * delivered / reference;
	else if (version < VERSION_SKIP)
		perf = desired_perf;
	/* The kernel passes it on as a signed 32-bit number. */
	perf = (uint32_t)perf;
	if (perf == 0 && version >= VERSION_SKIP)
		return;
	if (perf > INT32_MAX)
		perf |= ~(uint64_t)UINT32_MAX;
	result = (perf << SHIFT) / highest_perf;
	*scale = result < CAPACITY_SCALE ? result : CAPACITY_SCALE;
	*prev = *now;
}
