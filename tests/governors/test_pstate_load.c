#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "governors/pstate_load.h"
#include "sim/kernel/version.h"

#define START_NS 8854908068

static struct pstate_load_params params_of(unsigned version)
{
	return (struct pstate_load_params){
		.rules = pstate_rules(version),
		.levels = { .min = 8, .max = 28, .turbo = 41, .max_physical = 28 },
		.ratios = { 8, 41 },
		.tick_ns = 4000000,
	};
}

/* A CPU whose last sample is @ms old, at level @pstate. */
static struct pstate_load_cpu cpu_at(int32_t pstate, uint64_t ms)
{
	return (struct pstate_load_cpu){ .pstate = pstate,
		.sample.time_ns = START_NS - ms * 1000000 };
}

Test(pstate_load, eighty_percent_busy_asks_for_the_top)
{
	struct pstate_load_params params = params_of(KVER(6, 1, 0));
	struct pstate_load_cpu cpu = cpu_at(8, 10);
	const struct perf_counters counters = { 6407000, 22428000, 28000000 };
	struct pstate_load_outcome outcome;

	outcome = pstate_load_step(&params, &cpu, &counters, START_NS, false);
	cr_assert(eq(int, outcome.taken, SAMPLE_TAKEN));
	cr_assert(eq(i32, outcome.raw, 40));
	cr_assert(eq(i32, cpu.pstate, 40));
	cr_assert(eq(u64, outcome.write.value, 40 << 8));
}

Test(pstate_load, a_level_above_the_target_is_left_by_half)
{
	struct pstate_load_params params = params_of(KVER(6, 1, 0));
	struct pstate_load_cpu cpu = cpu_at(41, 10);
	/* busy for a tenth at 41 / 28 of the base clock */
	const struct perf_counters counters = { 4100000, 2800000, 28000000 };
	struct pstate_load_outcome outcome;

	outcome = pstate_load_step(&params, &cpu, &counters, START_NS, false);
	cr_assert(eq(i32, cpu.average, 40));
	cr_assert(eq(i32, outcome.raw, 24));
}

Test(pstate_load, the_boost_doubles_and_halves_with_every_call)
{
	struct pstate_load_params params = params_of(KVER(5, 11, 0));
	struct pstate_load_cpu cpu = cpu_at(8, 1);
	const struct perf_counters counters = { 0 };
	static const uint32_t up[] = { 32, 64, 128, 256, 256 };
	static const uint32_t down[] = { 128, 64, 32, 16 };
	uint64_t now_ns = START_NS;

	for (int i = 0; i < 5; i++, now_ns += 700000) {
		pstate_load_step(&params, &cpu, &counters, now_ns, true);
		cr_assert(eq(u32, cpu.iowait_boost_fp, up[i]));
	}
	for (int i = 0; i < 4; i++, now_ns += 700000) {
		pstate_load_step(&params, &cpu, &counters, now_ns, false);
		cr_assert(eq(u32, cpu.iowait_boost_fp, down[i]));
	}
	/* what is left of an old boost does not count as one */
	pstate_load_step(&params, &cpu, &counters, now_ns, true);
	cr_assert(eq(u32, cpu.iowait_boost_fp, 32));
	now_ns += 4000001;
	pstate_load_step(&params, &cpu, &counters, now_ns, false);
	cr_assert(eq(u32, cpu.iowait_boost_fp, 0));
}

Test(pstate_load, the_boost_is_a_least_share)
{
	struct pstate_load_params params = params_of(KVER(6, 1, 0));
	struct pstate_load_cpu cpu = cpu_at(8, 10);
	const struct perf_counters counters = { 240000, 280000, 28000000 };
	struct pstate_load_outcome outcome;

	cpu.iowait_boost_fp = 64;
	cpu.last_update_ns = START_NS - 1300000;
	outcome = pstate_load_step(&params, &cpu, &counters, START_NS, true);
	cr_assert(eq(i32, cpu.busy_scaled_fp, 12800));
	cr_assert(eq(i32, outcome.raw, 25));
}

Test(pstate_load, the_firmware_flag_counts_again_and_again_before_6_1)
{
	const struct perf_counters counters = { 28000000, 28000000, 28000000 };

	for (int i = 0; i < 2; i++) {
		struct pstate_load_params params = params_of(
			i == 0 ? KVER(5, 10, 0) : KVER(6, 1, 0));
		struct pstate_load_cpu cpu = cpu_at(8, 10);

		params.turbo.firmware_off = true;
		pstate_load_step(&params, &cpu, &counters, START_NS, false);
		cr_assert(eq(i32, cpu.pstate, i == 0 ? 35 : 41));
	}
}

Test(pstate_load, until_5_0_a_wake_up_by_io_is_evaluated_at_once)
{
	struct pstate_load_params params = params_of(KVER(4, 15, 0));
	struct pstate_load_cpu cpu = cpu_at(8, 1);
	const struct perf_counters counters = { 320000, 1120000, 2800000 };
	struct pstate_load_outcome outcome;

	/* One millisecond after the last sample, for the top. */
	outcome = pstate_load_step(&params, &cpu, &counters, START_NS, true);
	cr_assert(eq(int, outcome.taken, SAMPLE_TAKEN));
	cr_assert(eq(i32, cpu.pstate, 41));
	cr_assert(cpu.boosted);
	/* What is left is half of it, and other calls leave that alone. */
	cr_assert(eq(u32, cpu.iowait_boost_fp, 128));
	cr_assert(not(pstate_load_note(&params, &cpu, START_NS + 1000000, false)));
	cr_assert(eq(u32, cpu.iowait_boost_fp, 128));
	/* The last evaluation found the CPU busy for all that it knew: not again. */
	cr_assert(not(pstate_load_note(&params, &cpu, START_NS + 2000000, true)));
	cr_assert(eq(u32, cpu.iowait_boost_fp, 256));
	/* After more than a tick away it starts over. */
	cr_assert(not(pstate_load_note(&params, &cpu, START_NS + 7000000, false)));
	cr_assert(eq(u32, cpu.iowait_boost_fp, 0));
	params = params_of(KVER(5, 1, 0));
	cpu = cpu_at(8, 1);
	outcome = pstate_load_step(&params, &cpu, &counters, START_NS, true);
	cr_assert(eq(int, outcome.taken, SAMPLE_NONE));
}
