/* invariance: frequency scale, capacity, pressure, CPPC. */
#include "sim/kernel/cppc.h"
#include "sim/kernel/invariance.h"
#include "sim/kernel/version.h"
#include "tests/golden/golden.h"

#define CPUS_MAX 4

static const unsigned v5_10 = KVER(5, 10, 255), v6_1 = KVER(6, 1, 192), v6_12 = KVER(6, 12, 117);

#define FREQ_SCALE(X) \
	X(prev_scale) \
	X(cur_freq)   \
	X(max_freq)   \
	X(scale)
GOLDEN_ROW(freq_scale, FREQ_SCALE);

static void check_freq_scale(struct golden *g)
{
	const struct freq_scale *r;

	while ((r = golden_next(g)) != NULL)
		GOLDEN_EQ(g, r, scale, freq_scale_of(r->prev_scale, r->cur_freq, r->max_freq));
}

/* The reference column has another name and unit in 6.12. */
struct pressure {
	uint64_t capacity, max, capped_freq_khz, pressure;
};

static void check_pressure(struct golden *g)
{
	const unsigned *version = golden_arg(g);
	const struct pressure *r;

	while ((r = golden_next(g)) != NULL)
		GOLDEN_EQ(g, r, pressure,
			capacity_pressure(r->capacity, r->max, r->capped_freq_khz, *version));
}

struct normalize {
	uint64_t n_cpus, raw[CPUS_MAX], ff[CPUS_MAX], scale[CPUS_MAX];
};

static void check_normalize(struct golden *g)
{
	const unsigned *version = golden_arg(g);
	const struct normalize *r;

	while ((r = golden_next(g)) != NULL) {
		uint64_t capacity[CPUS_MAX] = { 0 };

		if (r->n_cpus > CPUS_MAX) {
			golden_fail(g, "%d CPUs", (int)r->n_cpus);
			return;
		}
		capacity_normalize(r->raw, r->ff, capacity, (int)r->n_cpus, *version);
		for (int i = 0; i < CPUS_MAX; i++)
			golden_eq(g, "scale", r->scale[i], capacity[i]);
	}
}

#define X86(X)            \
	X(acnt)           \
	X(mcnt)           \
	X(max_freq_ratio) \
	X(prev_scale)     \
	X(o_scale)        \
	X(o_disabled)
GOLDEN_ROW(x86, X86);

static void check_x86(struct golden *g)
{
	const struct x86 *r;

	while ((r = golden_next(g)) != NULL) {
		uint64_t scale = r->prev_scale;
		bool works = x86_freq_scale(r->acnt, r->mcnt, r->max_freq_ratio, &scale);

		GOLDEN_EQ(g, r, o_scale, scale);
		GOLDEN_EQ(g, r, o_disabled, !works);
	}
}

struct amu {
	uint64_t prev_core, prev_const, core, constant, max_freq_scale, prev_scale, o_scale;
};

static void check_amu(struct golden *g)
{
	const struct amu *r;

	while ((r = golden_next(g)) != NULL) {
		struct amu_counters prev = { r->prev_core, r->prev_const };
		struct amu_counters now = { r->core, r->constant };
		uint64_t scale = r->prev_scale;

		amu_freq_scale(prev, now, r->max_freq_scale, &scale);
		GOLDEN_EQ(g, r, o_scale, scale);
	}
}

struct perf_khz {
	uint64_t highest_perf, nominal_perf, lowest_perf, lowest_freq, nominal_freq, dmi_max_mhz,
		in_perf, perf_to_khz, in_khz, khz_to_perf;
};

static void check_perf_khz(struct golden *g)
{
	const unsigned *version = golden_arg(g);
	const struct perf_khz *r;

	while ((r = golden_next(g)) != NULL) {
		struct cppc_caps caps = {
			.highest_perf = (uint32_t)r->highest_perf,
			.nominal_perf = (uint32_t)r->nominal_perf,
			.lowest_perf = (uint32_t)r->lowest_perf,
			.lowest_freq = (uint32_t)r->lowest_freq,
			.nominal_freq = (uint32_t)r->nominal_freq,
			.dmi_max_mhz = (uint32_t)r->dmi_max_mhz,
		};

		GOLDEN_EQ(
			g, r, perf_to_khz, cppc_perf_to_khz(&caps, (uint32_t)r->in_perf, *version));
		GOLDEN_EQ(
			g, r, khz_to_perf, cppc_khz_to_perf(&caps, (uint32_t)r->in_khz, *version));
	}
}

#define DELTA(X) \
	X(t1)    \
	X(t0)    \
	X(delta)
GOLDEN_ROW(delta, DELTA);

static void check_delta(struct golden *g)
{
	const struct delta *r;

	while ((r = golden_next(g)) != NULL)
		GOLDEN_EQ(g, r, delta, cppc_delta(r->t1, r->t0));
}

#define FIE(X)            \
	X(seq)            \
	X(step)           \
	X(highest_perf)   \
	X(desired_perf)   \
	X(reference)      \
	X(delivered)      \
	X(reference_perf) \
	X(o_freq_scale)
GOLDEN_ROW(fie, FIE);

static void check_fie(struct golden *g)
{
	const unsigned *version = golden_arg(g);
	const struct fie *r, *prev = NULL;
	struct cppc_counters counters = { 0, 0, 0 };
	uint64_t scale = 0;

	for (; (r = golden_next(g)) != NULL; prev = r) {
		struct cppc_counters now = { r->reference, r->delivered, r->reference_perf };

		if (r->highest_perf == 0) {
			golden_fail(g, "highest_perf is 0");
			return;
		}
		if ((int64_t)r->step == -1) {
			counters = now;
			scale = r->o_freq_scale;
			continue;
		}
		if (prev == NULL || prev->seq != r->seq) {
			golden_fail(g, "seq %d has no first row", (int)r->seq);
			return;
		}
		cppc_freq_scale(
			&counters, &now, r->highest_perf, r->desired_perf, *version, &scale);
		GOLDEN_EQ(g, r, o_freq_scale, scale);
	}
}

static const char normalize_columns[] = "n_cpus,raw0..raw3,ff0..ff3,scale0..scale3";
static const char
	amu_columns[] = "prev_core,prev_const,core,const,max_freq_scale,prev_scale,o_scale";
#define PERF_KHZ_COLUMNS(unit)                                                          \
	"highest_perf,nominal_perf,lowest_perf,lowest_freq_" unit ",nominal_freq_" unit \
	",dmi_max_mhz,in_perf,perf_to_khz,in_khz,khz_to_perf"

static const struct golden_file files[] = {
	{ "freq_scale", freq_scale_columns, check_freq_scale, NULL },
	{ "thermal_pressure_v6.1", "capacity,freq_factor_mhz,capped_freq_khz,pressure",
		check_pressure, &v6_1 },
	{ "hw_pressure_v6.12", "capacity,capacity_freq_ref_khz,capped_freq_khz,pressure",
		check_pressure, &v6_12 },
	{ "normalize_cpu_scale_v6.1", normalize_columns, check_normalize, &v6_1 },
	{ "normalize_cpu_scale_v6.12", normalize_columns, check_normalize, &v6_12 },
	{ "x86_aperfmperf", x86_columns, check_x86, NULL },
	{ "arm64_amu", amu_columns, check_amu, NULL },
	{ "cppc_perf_khz_v5.10", PERF_KHZ_COLUMNS("khz"), check_perf_khz, &v5_10 },
	{ "cppc_perf_khz_v6.1", PERF_KHZ_COLUMNS("mhz"), check_perf_khz, &v6_1 },
	{ "cppc_get_delta", delta_columns, check_delta, NULL },
	{ "cppc_fie_seq_v6.1", fie_columns, check_fie, &v6_1 },
	{ "cppc_fie_seq_v6.12", fie_columns, check_fie, &v6_12 },
	{ NULL, NULL, NULL, NULL },
};
const struct golden_area golden_area_invariance = { "invariance", files };
