#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>

#include "governors/pstate_pid.h"
#include "sim/kernel/version.h"

static const struct pstate_levels sandy_bridge = {
	.min = 16, .max = 34, .turbo = 38, .max_physical = 34, .scaling_khz = 100000
};
static const struct pstate_ratios whole_range = { 16, 38 };

static struct pstate_pid_params core_params(uint32_t holdoff)
{
	return (struct pstate_pid_params){
		.sample_rate_ms = 10, .setpoint_pct = 97, .p_gain_pct = 20, .holdoff_mult = holdoff
	};
}

/* 43.815 ms in which the CPU was busy for 2.2 %, at 1.01 times its base clock. */
static struct pstate_pid_outcome long_sleep(
	unsigned version, const struct pstate_pid_params *params, struct pstate_pid_cpu *cpu)
{
	const struct perf_counters counters = { 3310136 + 218, 3277362, 148971000 };

	*cpu = (struct pstate_pid_cpu){ .pstate = 16, .sample.time_ns = 7250000000 };
	pstate_pid_reset(&cpu->pid, params);
	return pstate_pid_step(pstate_pid_rules(version), params, &sandy_bridge, whole_range, cpu,
		&counters, 0, 7250000000 + 43815000);
}

struct example {
	unsigned version;
	uint32_t holdoff;
	enum pstate_holdoff action;
	int32_t busy_pct, raw, next;
};

ParameterizedTestParameters(pstate_pid, the_hold_off_decides_between_minimum_and_turbo)
{
	static struct example examples[] = {
		{ KVER(4, 5, 0), 3, HOLDOFF_SCALE, 48, 6, 16 },
		{ KVER(4, 6, 2), 3, HOLDOFF_SCALE, 48, 6, 16 },
		{ KVER(4, 8, 0), 3, HOLDOFF_SCALE, 48, 6, 16 },
		{ KVER(4, 5, 0), 12, HOLDOFF_SCALE, 214, 39, 38 },
		{ KVER(4, 6, 2), 12, HOLDOFF_SCALE, 214, 39, 38 },
		{ KVER(4, 8, 0), 12, HOLDOFF_SCALE, 214, 39, 38 },
		{ KVER(4, 5, 0), 3, HOLDOFF_ZERO, 0, -3, 16 },
		{ KVER(4, 8, 0), 12, HOLDOFF_ZERO, 214, 39, 38 },
	};

	return cr_make_param_array(
		struct example, examples, sizeof(examples) / sizeof(examples[0]));
}

ParameterizedTest(struct example *e, pstate_pid, the_hold_off_decides_between_minimum_and_turbo)
{
	struct pstate_pid_params params = core_params(e->holdoff);
	struct pstate_pid_outcome outcome;
	struct pstate_pid_cpu cpu;

	params.holdoff = e->action;
	outcome = long_sleep(e->version, &params, &cpu);
	cr_assert(eq(i32, pstate_pid_core_pct(pstate_pid_rules(e->version), &cpu.sample), 101));
	cr_assert(eq(i32, cpu.busy_scaled_fp >> 8, e->busy_pct));
	cr_assert(eq(i32, outcome.raw, e->raw));
	cr_assert(eq(i32, cpu.pstate, e->next));
	cr_assert(eq(int, outcome.written, e->next != 16));
}

Test(pstate_pid, half_a_level_rounds_up)
{
	struct pstate_pid_params params = { .setpoint_pct = 97, .p_gain_pct = 100 };
	struct pstate_pid pid;

	pstate_pid_reset(&pid, &params);
	/* errors of -0.5, -1.5 and 0.5 */
	cr_assert(eq(i32, pstate_pid_calc(&pid, 97 * 256 + 128), 0));
	cr_assert(eq(i32, pstate_pid_calc(&pid, 97 * 256 + 384), -1));
	cr_assert(eq(i32, pstate_pid_calc(&pid, 97 * 256 - 128), 1));
}

Test(pstate_pid, inside_the_deadband_nothing_changes)
{
	struct pstate_pid_params params = {
		.setpoint_pct = 97, .p_gain_pct = 100, .i_gain_pct = 7, .deadband_pct = 3
	};
	struct pstate_pid pid;

	pstate_pid_reset(&pid, &params);
	cr_assert(eq(i32, pstate_pid_calc(&pid, 100 * 256), 0));
	cr_assert(eq(i32, pid.integral_fp, 0));
	cr_assert(eq(i32, pid.last_err_fp, -768));
	cr_assert(eq(i32, pstate_pid_calc(&pid, 100 * 256 + 1), -3));
	cr_assert(eq(i32, pid.integral_fp, -769));
}

Test(pstate_pid, the_integral_is_limited_and_grows_without_its_gain)
{
	struct pstate_pid_params params = core_params(3);
	struct pstate_pid pid;

	pstate_pid_reset(&pid, &params);
	pstate_pid_calc(&pid, 1733);
	cr_assert(eq(i32, pid.integral_fp, 30 * 256));
	pstate_pid_calc(&pid, 54944);
	cr_assert(eq(i32, pid.integral_fp, -30 * 256));
}

Test(pstate_pid, below_one_percent_a_cpu_counts_as_idle_from_4_6_on)
{
	/* 9.9 permille of 12 ms at 3.4 GHz */
	const struct perf_counters counters = { 403920, 403920, 40800000 };
	struct pstate_pid_params params = core_params(3);

	for (int i = 0; i < 2; i++) {
		unsigned version = i == 0 ? KVER(4, 5, 0) : KVER(4, 6, 0);
		struct pstate_pid_cpu cpu = { .pstate = 29, .sample.time_ns = 5000000000 };

		pstate_pid_reset(&cpu.pid, &params);
		pstate_pid_step(pstate_pid_rules(version), &params, &sandy_bridge, whole_range,
			&cpu, &counters, 0, 5012000000);
		cr_assert(eq(i32, cpu.busy_scaled_fp, i == 0 ? 30000 : 0));
	}
}

Test(pstate_pid, the_timer_of_4_5_decides_on_an_old_sample_again)
{
	const struct perf_counters counters = { 20400000, 40800000, 40900000 };
	struct pstate_pid_params params = core_params(3);
	struct pstate_pid_cpu cpu = { .pstate = 34, .sample.time_ns = 5000000000 };
	const struct pstate_pid_rules *rules = pstate_pid_rules(KVER(4, 5, 0));
	struct pstate_pid_outcome outcome;

	pstate_pid_reset(&cpu.pid, &params);
	pstate_pid_step(rules, &params, &sandy_bridge, whole_range, &cpu, &counters, 0, 5012000000);
	cr_assert(eq(i32, cpu.pstate, 25));
	outcome = pstate_pid_step(
		rules, &params, &sandy_bridge, whole_range, &cpu, &counters, 0, 5024000000);
	cr_assert(eq(int, outcome.taken, SAMPLE_NONE));
	cr_assert(eq(int, outcome.ran, 1));
	cr_assert(eq(i32, cpu.pstate, 19));
}

Test(pstate_pid, the_hook_of_4_8_primes_with_the_first_sample)
{
	const struct perf_counters counters = { 20400000, 40800000, 40900000 };
	struct pstate_pid_params params = core_params(3);
	struct pstate_pid_cpu cpu = { .pstate = 34 };
	struct pstate_pid_outcome outcome;

	pstate_pid_reset(&cpu.pid, &params);
	outcome = pstate_pid_step(pstate_pid_rules(KVER(4, 8, 0)), &params, &sandy_bridge,
		whole_range, &cpu, &counters, 0, 5012000000);
	cr_assert(eq(int, outcome.taken, SAMPLE_PRIMED));
	cr_assert(eq(int, outcome.ran, 0));
	cr_assert(eq(i32, cpu.pstate, 34));
}

Test(pstate_pid, time_waiting_for_io_counts_as_busy_on_atom)
{
	/* 10 ms, idle but for 7.3 ms of waiting: 730 us x 24 levels */
	const struct perf_counters counters = { 240000, 240000, 24000000 };
	const struct pstate_levels levels = {
		.min = 4, .max = 24, .turbo = 24, .max_physical = 24, .scaling_khz = 100000
	};
	struct pstate_pid_params params = { .algorithm = PSTATE_ATOM,
		.sample_rate_ms = 10,
		.setpoint_pct = 60,
		.p_gain_pct = 14,
		.i_gain_pct = 4,
		.holdoff_mult = 3 };
	struct pstate_pid_cpu cpu = {
		.pstate = 11, .sample.time_ns = 5000000000, .iowait_us = 110
	};

	pstate_pid_reset(&cpu.pid, &params);
	pstate_pid_step(pstate_pid_rules(KVER(4, 6, 0)), &params, &levels,
		(struct pstate_ratios){ 4, 24 }, &cpu, &counters, 7410, 5010000000);
	cr_assert(eq(i32, cpu.busy_scaled_fp, 18944));
	cr_assert(eq(u64, cpu.iowait_us, 7410));
}

Test(pstate_pid, limits_round_up_to_eighths_in_4_8)
{
	const struct pstate_levels levels = {
		.min = 7, .max = 11, .turbo = 15, .max_physical = 11, .scaling_khz = 100000
	};
	const struct pstate_ratios sysfs = { 11, 100 };
	struct pstate_pid_limits old, new;

	old = pstate_pid_limits(
		pstate_pid_rules(KVER(4, 5, 0)), &levels, false, 700000, 899903, 1500000, sysfs);
	new = pstate_pid_limits(
		pstate_pid_rules(KVER(4, 8, 0)), &levels, false, 700000, 899903, 1500000, sysfs);
	cr_assert(eq(i32, old.max_perf_fp, 153));
	cr_assert(eq(i32, new.max_perf_fp, 160));
	cr_assert(eq(i32, pstate_pid_range(&levels, (struct pstate_turbo){ 0 }, 117, 153).max, 8));
	cr_assert(eq(i32, pstate_pid_range(&levels, (struct pstate_turbo){ 0 }, 117, 160).max, 9));
}
