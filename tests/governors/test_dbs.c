#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "governors/dbs.h"

#define V316 KVER(3, 16, 0)
#define V48 KVER(4, 8, 0)
#define V511 KVER(5, 11, 0)
#define V61 KVER(6, 1, 192)

static struct dbs_cpu cpu;
static struct dbs_counters now;

static struct dbs_setup setup_of(unsigned version)
{
	struct dbs_setup setup = { .rules = dbs_rules(version),
		.hz = 250,
		.sampling_rate = 10000,
		.rate_mult = 1,
		.io_is_busy = true };

	now = (struct dbs_counters){ .wall = 1000000, .idle = 500000, .iowait = 1000 };
	dbs_start(&setup, &cpu, &now, 1);
	return setup;
}

static struct dbs_load window(const struct dbs_setup *setup, uint64_t wall_us, uint64_t idle_us)
{
	now.wall += wall_us;
	now.idle += idle_us;
	return dbs_load(setup, &cpu, &now, 1);
}

Test(dbs, load_is_the_busy_share_rounded_down)
{
	struct dbs_setup setup = setup_of(V61);

	cr_assert(eq(u32, window(&setup, 10007, 13).load, 99));
	cr_assert(eq(u32, window(&setup, 10007, 5731).load, 42));
}

Test(dbs, waiting_for_io_is_busy_or_idle_as_the_tunable_says)
{
	struct dbs_setup setup = setup_of(V61);

	now.iowait += 4000;
	cr_assert(eq(u32, window(&setup, 10000, 3000).load, 70));
	setup.io_is_busy = false;
	dbs_restart(&setup, &cpu, &now, 1, true);
	now.iowait += 4000;
	cr_assert(eq(u32, window(&setup, 10000, 3000).load, 30));
}

Test(dbs, the_load_before_a_long_sleep_is_used_once_more)
{
	struct dbs_setup setup = setup_of(V61);

	cr_assert(eq(u32, window(&setup, 10000, 1700).load, 83));
	cr_assert(eq(u32, window(&setup, 43815, 41000).load, 83));
	cr_assert(eq(u32, window(&setup, 43815, 41000).load, 6));
}

Test(dbs, in_4_8_a_long_busy_window_reuses_the_old_load_too)
{
	struct dbs_setup setup = setup_of(V48);

	cr_assert(eq(u32, window(&setup, 10000, 6900).load, 31));
	cr_assert(eq(u32, window(&setup, 20001, 0).load, 31));
	setup = setup_of(V61);
	cr_assert(eq(u32, window(&setup, 10000, 6900).load, 31));
	cr_assert(eq(u32, window(&setup, 20001, 0).load, 100));
}

Test(dbs, idle_time_that_runs_backwards_depends_on_the_version)
{
	struct dbs_setup setup = setup_of(V61);

	cr_assert(eq(u32, window(&setup, 10000, (uint64_t)-37).load, 100));
	cr_assert(eq(u64, cpu.prev_idle, 499963));
	setup = setup_of(V511);
	cr_assert(eq(u32, window(&setup, 10000, (uint64_t)-37).load, 100));
	cr_assert(eq(u32, window(&setup, 10000, (uint64_t)-37).idle_periods, 429496));
	setup = setup_of(V316);
	cr_assert(eq(u32, window(&setup, 10000, (uint64_t)-37).load, 0));
}

Test(dbs, idle_periods_count_whole_sampling_rates)
{
	struct dbs_setup setup = setup_of(V61);

	cr_assert(eq(u32, window(&setup, 50000, 20000).idle_periods, DBS_NO_IDLE_PERIODS));
	cr_assert(eq(u32, window(&setup, 50000, 39999).idle_periods, 3));
}

Test(dbs, nice_time_is_idle_when_ignored)
{
	struct dbs_setup setup = setup_of(V61);

	setup.ignore_nice = true;
	dbs_restart(&setup, &cpu, &now, 1, true);
	now.nice += 2500999;
	cr_assert(eq(u32, window(&setup, 10000, 0).load, 75));
	setup = setup_of(V48);
	setup.ignore_nice = true;
	dbs_restart(&setup, &cpu, &now, 1, true);
	now.nice += 4000000;
	cr_assert(eq(u32, window(&setup, 10000, 0).load, 60));
}

Test(dbs, the_busiest_cpu_of_a_policy_counts)
{
	struct dbs_setup setup = setup_of(V61);
	struct dbs_counters two[2] = { now, now };
	struct dbs_cpu cpus[2];

	dbs_start(&setup, cpus, two, 2);
	two[0].wall += 10000;
	two[0].idle += 8100;
	two[1].wall += 10000;
	two[1].idle += 4300;
	cr_assert(eq(u32, dbs_load(&setup, cpus, two, 2).load, 57));
}

Test(dbs, jiffies_of_2_6_20_without_time_give_no_load)
{
	struct dbs_setup setup = setup_of(KVER(2, 6, 20));

	cr_assert(not(window(&setup, 0, 0).valid));
	cr_assert(eq(u32, window(&setup, 7, 3).load, 57));
}

Test(dbs, the_hook_samples_after_the_delay_and_not_while_work_is_queued)
{
	struct dbs_clock clock;

	dbs_clock_start(&clock, 10000);
	cr_assert(dbs_clock_hook(&clock, 43815000, false, true));
	cr_assert(not(dbs_clock_hook(&clock, 93815000, false, true)));
	dbs_clock_done(&clock, 10000);
	cr_assert(not(dbs_clock_hook(&clock, 53814999, false, true)));
	cr_assert(not(dbs_clock_hook(&clock, 1000, false, true)));
	cr_assert(not(dbs_clock_hook(&clock, 53815000, false, false)));
	cr_assert(dbs_clock_hook(&clock, 53815000, false, true));
	dbs_clock_done(&clock, 10000);
	dbs_clock_now(&clock);
	cr_assert(dbs_clock_hook(&clock, 53815001, false, true));
}

Test(dbs, timers_align_on_common_jiffies)
{
	cr_assert(eq(u32, dbs_timer_delay(100000, 250, 649232, true), 18));
	cr_assert(eq(u32, dbs_timer_delay(100000, 250, 649232, false), 25));
	cr_assert(eq(u32, dbs_timer_delay(10001, 250, 7, false), 3));
	cr_assert(eq(u32, dbs_jiffies_to_us(3, 300), 10000));
}

Test(dbs, default_rates_come_from_latency_and_hz)
{
	static const struct {
		unsigned version;
		enum dbs_governor governor;
		uint32_t hz, latency_ns, delay_us, rate, min_rate;
	} rows[] = {
		{ V48, DBS_ONDEMAND, 250, 0, 0, 10000, 10000 },
		{ V48, DBS_ONDEMAND, 250, 43815, 0, 43000, 10000 },
		{ V48, DBS_CONSERVATIVE, 300, 0, 0, 66666, 66666 },
		{ V61, DBS_ONDEMAND, 250, 0, 0, 8000, 8000 },
		{ V61, DBS_ONDEMAND, 250, 10000, 0, 10000, 8000 },
		{ V61, DBS_ONDEMAND, 1000, 20000, 5000, 5000, 2000 },
		{ V61, DBS_CONSERVATIVE, 100, 43815, 0, 20000, 20000 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dbs_defaults_env env = { .governor = rows[i].governor,
			.version = rows[i].version,
			.hz = rows[i].hz,
			.transition_latency_ns = rows[i].latency_ns,
			.transition_delay_us = rows[i].delay_us,
			.micro_accounting = true };
		struct dbs_defaults out = dbs_defaults(dbs_rules(rows[i].version), &env);

		cr_assert(eq(u32, out.sampling_rate, rows[i].rate));
		cr_assert(eq(u32, out.min_sampling_rate, rows[i].min_rate));
	}
}

Test(dbs, a_rate_too_small_is_raised_or_rejected)
{
	struct dbs_defaults defaults = { .min_sampling_rate = 8000,
		.max_sampling_rate = UINT32_MAX };
	uint32_t rate = 43815;

	cr_assert(eq(int, dbs_write_rate(&defaults, 7999, &rate), -1));
	cr_assert(eq(u32, rate, 43815));
	defaults.rate_clamped = true;
	cr_assert(eq(int, dbs_write_rate(&defaults, 7999, &rate), 0));
	cr_assert(eq(u32, rate, 8000));
}

Test(dbs, ticks_that_are_not_busy_are_idle)
{
	struct dbs_ticks ticks = { .jiffies = 1003, .user_ns = 1500000000, .nice_ns = 43815000 };
	struct dbs_counters out;

	dbs_clocks_from_ticks(&ticks, 250, &out);
	cr_assert(eq(u64, out.wall, 4012000));
	cr_assert(eq(u64, out.idle, 2468185));
}
