#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "governors/ondemand_sample.h"
#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define V48 KVER(4, 8, 0)
#define V61 KVER(6, 1, 192)

/* The server of the PCC thread, with a driver that takes any frequency. */
static const struct dbs_policy server = { .limits = { 1200000, 2800000 },
	.cpuinfo = { 1200000, 2800000 },
	.cur_khz = 1200000,
	.version = V48 };

static struct ondemand ondemand_of(unsigned version)
{
	return (struct ondemand){ .rules = ondemand_rules(version),
		.dbs = { .rules = dbs_rules(version),
			.hz = 250,
			.sampling_rate = 10000,
			.rate_mult = 1 },
		.up_threshold = 95,
		.down_differential = 3,
		.sampling_down_factor = 1,
		.map = ondemand_rules(version)->map,
		.map_steps = 10 };
}

static struct ondemand_decision decide(struct ondemand *od, struct dbs_policy policy, uint32_t load)
{
	const struct ondemand_input in = { .policy = policy };
	const struct dbs_load given = { .valid = true, .load = load };

	return ondemand_decide(od, &in, given);
}

static uint32_t clamped(uint32_t khz)
{
	return (uint32_t)clamp_i64(khz, server.limits.min_khz, server.limits.max_khz);
}

Test(ondemand, both_maps_are_the_published_table_at_every_load)
{
	FILE *file = fopen("configs/published/derived_ondemand_mapping_full.csv", "r");
	struct ondemand old = ondemand_of(V48), new = ondemand_of(V48);
	char row[256];
	int rows = 0;

	cr_assert(ne(ptr, file, NULL));
	old.map = ONDEMAND_MAP_OLD;
	while (fgets(row, sizeof(row), file)) {
		uint32_t load, raw_old, at_old, raw_new, at_new;

		if (sscanf(row, "%" SCNu32 ",%" SCNu32 ",%" SCNu32 ",%" SCNu32 ",%" SCNu32, &load,
			    &raw_old, &at_old, &raw_new, &at_new) != 5)
			continue;
		rows++;
		cr_assert(eq(u32, ondemand_map_khz(&old, server.cpuinfo, load), raw_old));
		cr_assert(eq(u32, clamped(raw_old), at_old));
		cr_assert(eq(u32, ondemand_map_khz(&new, server.cpuinfo, load), raw_new));
		cr_assert(eq(u32, clamped(raw_new), at_new));
		if (load <= 95) {
			cr_assert(eq(u32, ondemand_steady_khz(&old, &server, load), at_old));
			cr_assert(eq(u32, ondemand_steady_khz(&new, &server, load), at_new));
		}
	}
	fclose(file);
	cr_assert(eq(int, rows, 101));
}

Test(ondemand, the_old_map_has_a_dead_band_and_the_new_one_none)
{
	struct ondemand od = ondemand_of(KVER(3, 16, 0));

	cr_assert(eq(u32, ondemand_deadband_pct(&od, server.cpuinfo), 43));
	od = ondemand_of(KVER(3, 17, 0));
	cr_assert(eq(u32, ondemand_deadband_pct(&od, server.cpuinfo), 1));
}

Test(ondemand, steps_round_load_down_and_may_leave_out_the_dead_band)
{
	struct ondemand od = ondemand_of(V48);

	od.map = ONDEMAND_MAP_STEPS;
	cr_assert(eq(u32, ondemand_map_khz(&od, server.cpuinfo, 9), 1200000));
	cr_assert(eq(u32, ondemand_map_khz(&od, server.cpuinfo, 39), 1680000));
	cr_assert(eq(u32, ondemand_map_khz(&od, server.cpuinfo, 57), 2000000));
	cr_assert(eq(u32, ondemand_map_khz(&od, server.cpuinfo, 100), 2800000));
	od.map_steps_deadband = true;
	cr_assert(eq(u32, ondemand_map_khz(&od, server.cpuinfo, 39), 1200000));
	cr_assert(eq(u32, ondemand_map_khz(&od, server.cpuinfo, 57), 2000000));
	od.map_steps_deadband = false;
	od.map_steps = 7;
	cr_assert(eq(u32, ondemand_map_khz(&od, server.cpuinfo, 71), 2114285));
}

Test(ondemand, the_min_or_max_map_knows_only_the_threshold)
{
	struct ondemand od = ondemand_of(V48);

	od.map = ONDEMAND_MAP_MINMAX;
	cr_assert(eq(u32, ondemand_steady_khz(&od, &server, 95), 1200000));
	cr_assert(eq(u32, ondemand_steady_khz(&od, &server, 96), 2800000));
}

Test(ondemand, a_load_equal_to_the_threshold_is_not_above_it)
{
	struct ondemand od = ondemand_of(V61);
	struct ondemand_decision out = decide(&od, server, 95);

	cr_assert(eq(int, out.reason, ONDEMAND_BY_LOAD));
	cr_assert(eq(u32, out.request.khz, 2720000));
	cr_assert(eq(u32, out.request.relation, RELATION_C | RELATION_E));
	out = decide(&od, server, 96);
	cr_assert(eq(int, out.reason, ONDEMAND_TO_MAX));
	cr_assert(eq(u32, out.request.relation, RELATION_H | RELATION_E));
}

Test(ondemand, the_old_map_asks_with_l_in_3_16_and_with_c_later)
{
	struct ondemand od = ondemand_of(KVER(3, 16, 0));

	cr_assert(eq(u32, decide(&od, server, 57).request.relation, RELATION_L));
	cr_assert(eq(u32, decide(&od, server, 57).request.khz, 1596000));
	od = ondemand_of(V48);
	od.map = ONDEMAND_MAP_OLD;
	cr_assert(eq(u32, decide(&od, server, 57).request.relation, RELATION_C));
}

Test(ondemand, sampling_down_factor_stretches_the_period_at_max_only)
{
	struct ondemand od = ondemand_of(V61);
	struct dbs_policy at_max = server;

	at_max.cur_khz = 2800000;
	od.sampling_down_factor = 13;
	cr_assert(eq(u32, decide(&od, server, 100).delay, 130000));
	cr_assert(eq(int, decide(&od, at_max, 100).reason, ONDEMAND_AT_MAX));
	cr_assert(eq(u32, decide(&od, at_max, 100).delay, 130000));
	cr_assert(eq(u32, decide(&od, at_max, 42).delay, 10000));
}

Test(ondemand, powersave_bias_splits_a_period_between_two_frequencies)
{
	struct freq_entry entries[] = { { .khz = 1200000 }, { .khz = 2000000 },
		{ .khz = 2800000 } };
	struct freq_table table = { .entries = entries, .nr = 3 };
	struct ondemand od = ondemand_of(V61);
	struct ondemand_input in = { .policy = server };
	struct ondemand_decision out;

	freq_table_sort(&table);
	in.policy.table = &table;
	od.powersave_bias = 130;
	od.dbs.sampling_rate = 7000;
	out = decide(&od, in.policy, 50);
	/* 13 % under 2 GHz is 1.74 GHz: 675 parts in 1000 of the time at 2 GHz. */
	cr_assert(eq(u32, out.request.khz, 2000000));
	cr_assert(eq(u32, out.delay, 4725));
	cr_assert(not(ondemand_begin(&od, &in, &out)));
	cr_assert(eq(int, out.reason, ONDEMAND_SUB_SAMPLE));
	cr_assert(eq(u32, out.request.khz, 1200000));
	cr_assert(eq(u32, out.delay, 2275));
	cr_assert(ondemand_begin(&od, &in, &out));
	/* At 10 ms the product no longer fits 32 bits, and wraps as in the kernel. */
	od.dbs.sampling_rate = 10000;
	cr_assert(eq(u32, decide(&od, in.policy, 50).delay, 1381));
}

Test(ondemand, a_change_of_limits_cancels_the_low_part)
{
	struct ondemand od = ondemand_of(V61);
	struct ondemand_input in = { .policy = server, .delay_reset = true };
	struct ondemand_decision out;

	od.sample_type = ONDEMAND_SUB;
	cr_assert(ondemand_begin(&od, &in, &out));
}

Test(ondemand, in_2_6_a_band_below_the_threshold_changes_nothing)
{
	struct ondemand od = ondemand_of(KVER(2, 6, 39));
	struct dbs_policy between = server;

	between.cur_khz = 2000000;
	cr_assert(eq(int, decide(&od, between, 94).reason, ONDEMAND_IN_BAND));
	cr_assert(eq(u32, decide(&od, between, 71).request.khz, 1543478));
	cr_assert(eq(int, decide(&od, server, 17).reason, ONDEMAND_AT_MIN));
	od = ondemand_of(KVER(2, 6, 20));
	od.up_threshold = 80;
	cr_assert(eq(int, decide(&od, between, 70).reason, ONDEMAND_IN_BAND));
	cr_assert(eq(u32, decide(&od, between, 69).request.khz, 1971428));
}

Test(ondemand, writes_are_limited_or_rejected_as_sysfs_does)
{
	struct ondemand od = ondemand_of(V48);
	struct ondemand_write effect;

	od.dbs.rate_mult = 13;
	cr_assert(eq(int, ondemand_write(&od, ONDEMAND_SAMPLING_DOWN_FACTOR, 100001, &effect), -1));
	cr_assert(eq(int, ondemand_write(&od, ONDEMAND_SAMPLING_DOWN_FACTOR, 17, &effect), 0));
	cr_assert(eq(u32, od.dbs.rate_mult, 1));
	cr_assert(eq(int, ondemand_write(&od, ONDEMAND_UP_THRESHOLD, 10, &effect), -1));
	cr_assert(eq(int, ondemand_write(&od, ONDEMAND_UP_THRESHOLD, 11, &effect), 0));
	cr_assert(eq(int, ondemand_write(&od, ONDEMAND_POWERSAVE_BIAS, 1885, &effect), 0));
	cr_assert(eq(u32, od.powersave_bias, 1000));
	cr_assert(eq(int, ondemand_write(&od, ONDEMAND_IGNORE_NICE, 7, &effect), 0));
	cr_assert(effect.restart);
	cr_assert(eq(int, ondemand_write(&od, ONDEMAND_IGNORE_NICE, 3, &effect), 0));
	cr_assert(not(effect.restart));
	cr_assert(eq(int, ondemand_write(&od, ONDEMAND_IO_IS_BUSY, 1, &effect), 0));
	cr_assert(effect.restart && effect.nice);
}

/* The plug-in in small runs. */

#define YAML(version, tunables) \
	YAML_ON(version, "{ name: pcc-cpufreq, command_time: 43us }", tunables)
#define YAML_ON(version, driver, tunables)                \
	"machine: tests/data/machines/two-package.yaml\n" \
	"kernel: { version: \"" version "\", hz: 250 }\n" \
	"driver: " driver "\n"                            \
	"governor: { name: ondemand" tunables " }\n"      \
	"workload: scripted\n"

static const struct script_step busy[] = { SCRIPT_RUN(INT64_C(1000000) * 217000000), SCRIPT_EXIT };
static const struct script_step asleep[] = { SCRIPT_SLEEP(217000000), SCRIPT_EXIT };
static const struct script one_busy[] = { { busy, 0, false } };
static const struct script one_asleep[] = { { asleep, 0, false } };

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(ondemand_run, .fini = teardown);

Test(ondemand_run, a_busy_cpu_gets_the_top_in_every_version_and_an_idle_one_is_left_alone)
{
	static const char *const yamls[] = { YAML_ON("2.6.20", "\"null\"", ""), YAML("2.6.39", ""),
		YAML("3.16", ""), YAML("4.8", ""), YAML("5.11", ""), YAML("6.1", "") };

	for (size_t i = 0; i < sizeof(yamls) / sizeof(yamls[0]); i++) {
		tiny_run(&tiny, yamls[i], one_busy, 1);
		cr_assert(eq(i64, tiny.run.kernel.policies[0].cur_khz,
			tiny.run.kernel.policies[0].max_khz));
		cr_assert(eq(i64, tiny.run.kernel.policies[1].cur_khz,
			tiny.run.kernel.policies[1].min_khz));
		tiny_free(&tiny);
	}
	tiny_build(&tiny, yamls[0], one_busy, 1);
}

Test(ondemand_run, nothing_is_sampled_while_all_cpus_sleep)
{
	tiny_run(&tiny, YAML("4.8", ""), one_asleep, 1);
	cr_assert(eq(i64, tiny_commands(&tiny), 0));
}

static void refused(const char *yaml, const char *message)
{
	cr_assert(eq(int, tiny_build(&tiny, yaml, one_asleep, 1), -1));
	cr_assert(eq(str, tiny.err.text, (char *)message));
}

Test(ondemand_run, a_rate_below_two_ticks_is_refused_since_4_15)
{
	refused(YAML("6.1", ", sampling_rate: 7999us"),
		"tests/data/tiny.yaml:4:44: sampling_rate: 7999us is not in "
		"8ms..4294967295us, which this kernel accepts");
}

Test(ondemand_run, before_4_15_a_small_rate_is_raised)
{
	cr_assert(
		eq(int, tiny_build(&tiny, YAML("4.8", ", sampling_rate: 4ms"), one_asleep, 1), 0));
	cr_assert(eq(i64, *(const int64_t *)tiny.run.tunables, 10000));
}

Test(ondemand_run, a_threshold_below_11_is_refused_up_to_4_14)
{
	refused(YAML("4.8", ", up_threshold: 7"),
		"tests/data/tiny.yaml:4:43: up_threshold: this kernel accepts 11..100 %, not 7");
}

Test(ondemand_run, kernels_without_a_map_refuse_one)
{
	refused(YAML("2.6.39", ", load_map: new"),
		"tests/data/tiny.yaml:4:39: load_map: ondemand of this kernel follows "
		"up_threshold, it has no map (3.12 and later have)");
}
