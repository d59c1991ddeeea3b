#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "governors/conservative_sample.h"
#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define V316 KVER(3, 16, 0)
#define V48 KVER(4, 8, 0)
#define V511 KVER(5, 11, 0)
#define V61 KVER(6, 1, 192)

static struct dbs_policy policy = {
	.limits = { 1200000, 2800000 }, .cpuinfo = { 1200000, 2800000 }, .cur_khz = 2000000
};

static struct conservative conservative_of(unsigned version)
{
	struct conservative cs = { .rules = conservative_rules(version),
		.dbs = { .rules = dbs_rules(version), .hz = 250, .rate_mult = 1 },
		.up_threshold = 80,
		.down_threshold = 20,
		.freq_step = 5,
		.sampling_down_factor = 1 };

	policy.version = version;
	conservative_start(&cs, policy.cur_khz);
	return cs;
}

static struct dbs_request decide(struct conservative *cs, uint32_t load, uint32_t idle_periods)
{
	return conservative_decide(cs, &policy,
		(struct dbs_load){ .valid = true, .load = load, .idle_periods = idle_periods });
}

#define NONE DBS_NO_IDLE_PERIODS

Test(conservative, steps_are_percent_of_the_highest_frequency_allowed)
{
	static const unsigned versions[] = { V316, V48, V511, V61 };

	for (size_t i = 0; i < 4; i++) {
		struct conservative cs = conservative_of(versions[i]);

		cr_assert(eq(u32, decide(&cs, 81, NONE).khz, 2140000));
		cs = conservative_of(versions[i]);
		cr_assert(eq(u32, decide(&cs, 19, NONE).khz, 1860000));
		cr_assert(not(decide(&cs, 80, NONE).wanted));
		cr_assert(not(decide(&cs, 20, NONE).wanted));
	}
}

Test(conservative, a_step_of_nothing_is_5_khz_and_freq_step_0_is_none)
{
	struct conservative cs = conservative_of(V61);

	cs.freq_step = 0;
	cr_assert(not(decide(&cs, 100, NONE).wanted));
	policy.limits.max_khz = 99;
	policy.limits.min_khz = 43;
	policy.cur_khz = 57;
	cs = conservative_of(V61);
	cs.freq_step = 1;
	cr_assert(eq(u32, decide(&cs, 100, NONE).khz, 62));
}

Test(conservative, steps_add_up_although_cur_does_not_follow)
{
	struct conservative cs = conservative_of(V61);

	decide(&cs, 100, NONE);
	cr_assert(eq(u32, decide(&cs, 100, NONE).khz, 2280000));
	cs = conservative_of(V48);
	decide(&cs, 100, NONE);
	cr_assert(eq(u32, decide(&cs, 100, NONE).khz, 2140000));
}

Test(conservative, periods_passed_idle_lower_the_start_of_a_step)
{
	struct conservative cs = conservative_of(V61);

	cr_assert(eq(u32, decide(&cs, 100, 3).khz, 1720000));
	cs = conservative_of(V61);
	cr_assert(not(decide(&cs, 50, 3).wanted));
	cr_assert(eq(u32, decide(&cs, 100, NONE).khz, 2140000));
	cs = conservative_of(V511);
	cr_assert(not(decide(&cs, 0, 6).wanted));
	cs = conservative_of(V61);
	cr_assert(eq(u32, decide(&cs, 0, 6).khz, 1200000));
}

Test(conservative, sampling_down_factor_waits_before_a_step_down)
{
	struct conservative cs = conservative_of(V61);

	cs.sampling_down_factor = 3;
	cr_assert(not(decide(&cs, 7, NONE).wanted));
	cr_assert(not(decide(&cs, 7, NONE).wanted));
	cr_assert(eq(u32, decide(&cs, 7, NONE).khz, 1860000));
	cr_assert(eq(u32, cs.down_skip, 0));
}

Test(conservative, a_remembered_frequency_outside_new_limits_is_dropped)
{
	struct conservative cs = conservative_of(V511);

	cs.requested_khz = 1100000;
	cr_assert(eq(u32, decide(&cs, 100, NONE).khz, 2140000));
	cs = conservative_of(V316);
	cs.requested_khz = 1100000;
	conservative_changed(&cs, &policy, 1885000);
	cr_assert(eq(u32, cs.requested_khz, 1885000));
	cs = conservative_of(V61);
	cs.requested_khz = 2700000;
	conservative_limits_changed(&cs, &policy);
	cr_assert(eq(u32, cs.requested_khz, 2000000));
}

Test(conservative, writes_keep_the_thresholds_apart)
{
	struct conservative cs = conservative_of(V48);
	bool restart;

	cr_assert(eq(int, conservative_write(&cs, CONSERVATIVE_UP_THRESHOLD, 20, &restart), -1));
	cr_assert(eq(int, conservative_write(&cs, CONSERVATIVE_DOWN_THRESHOLD, 80, &restart), -1));
	cr_assert(eq(int, conservative_write(&cs, CONSERVATIVE_DOWN_THRESHOLD, 10, &restart), -1));
	cr_assert(eq(int, conservative_write(&cs, CONSERVATIVE_DOWN_THRESHOLD, 43, &restart), 0));
	cr_assert(eq(int, conservative_write(&cs, CONSERVATIVE_FREQ_STEP, 217, &restart), 0));
	cr_assert(eq(u32, cs.freq_step, 100));
	cr_assert(eq(
		int, conservative_write(&cs, CONSERVATIVE_SAMPLING_DOWN_FACTOR, 11, &restart), -1));
	cr_assert(eq(int, conservative_write(&cs, CONSERVATIVE_IGNORE_NICE, 1, &restart), 0));
	cr_assert(restart);
}

/* The plug-in in small runs. */

#define YAML(version, tunables)                               \
	"machine: tests/data/machines/two-package.yaml\n"     \
	"kernel: { version: \"" version "\", hz: 250 }\n"     \
	"driver: { name: pcc-cpufreq, command_time: 43us }\n" \
	"governor: { name: conservative" tunables " }\n"      \
	"workload: scripted\n"

static const struct script_step busy[] = { SCRIPT_RUN(INT64_C(1000000) * 2170000000), SCRIPT_EXIT };
static const struct script one_busy[] = { { busy, 0, false } };
static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(conservative_run, .fini = teardown);

Test(conservative_run, a_busy_cpu_climbs_to_the_top_step_by_step_in_every_version)
{
	static const char *const yamls[] = { YAML("3.16", ", sampling_rate: 80ms"),
		YAML("4.8", ", sampling_rate: 80ms"), YAML("5.11", ", sampling_rate: 43815us"),
		YAML("6.1", ", sampling_rate: 43815us") };

	for (size_t i = 0; i < sizeof(yamls) / sizeof(yamls[0]); i++) {
		const struct policy *first;

		tiny_run(&tiny, yamls[i], one_busy, 1);
		first = &tiny.run.kernel.policies[0];
		cr_assert(eq(i64, first->cur_khz, first->max_khz));
		cr_assert(ge(i64, first->commands,
			(first->max_khz - first->min_khz) * 20 / first->max_khz));
		tiny_free(&tiny);
	}
	tiny_build(&tiny, yamls[0], one_busy, 1);
}

static void refused(const char *yaml, const char *message)
{
	cr_assert(eq(int, tiny_build(&tiny, yaml, one_busy, 1), -1));
	cr_assert(eq(str, tiny.err.text, (char *)message));
}

Test(conservative_run, thresholds_that_cross_are_refused)
{
	refused(YAML("6.1", ", up_threshold: 43, down_threshold: 57"),
		"tests/data/tiny.yaml:4:67: down_threshold: 57 % is not below up_threshold, 43 %");
}

Test(conservative_run, a_down_threshold_below_11_is_refused_up_to_4_14)
{
	refused(YAML("4.8", ", down_threshold: 7"),
		"tests/data/tiny.yaml:4:49: down_threshold: this kernel accepts 11..99 %, not 7");
}

Test(conservative_run, kernels_before_3_12_are_refused)
{
	refused(YAML("2.6.39", ""),
		"tests/data/tiny.yaml:2:20: governor conservative is there from Linux 3.12 on, "
		"this kernel is 2.6.39");
}
