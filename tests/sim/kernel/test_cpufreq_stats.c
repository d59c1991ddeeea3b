#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/cpufreq_stats.h"
#include "sim/kernel/version.h"

static int64_t time_ns[3];
static uint32_t trans[9];
static struct cpufreq_stats stats;

static void setup(void)
{
	stats = (struct cpufreq_stats){ .nr_states = 3, .time_ns = time_ns, .trans = trans };
	cpufreq_stats_start(&stats, 1, 1234567);
}

TestSuite(cpufreq_stats, .init = setup);

Test(cpufreq_stats, states_are_the_valid_frequencies_once_each)
{
	struct freq_entry entries[] = { { .khz = 2800000 }, { .khz = FREQ_ENTRY_INVALID },
		{ .khz = 1885000 }, { .khz = 2800000 }, { .khz = 1200000 } };
	struct freq_table table = { .entries = entries, .nr = 5 };

	cr_assert(eq(int, cpufreq_stats_states(&table), 3));
	cr_assert(eq(int, cpufreq_stats_state(&table, 2800000), 0));
	cr_assert(eq(int, cpufreq_stats_state(&table, 1200000), 2));
	cr_assert(eq(int, cpufreq_stats_state(&table, 1148000), -1));
}

Test(cpufreq_stats, time_goes_to_the_state_that_was_left)
{
	cpufreq_stats_record(&stats, 2, 45049567);
	cr_assert(eq(i64, cpufreq_stats_time_ns(&stats, 1, 50000000), 43815000));
	cr_assert(eq(i64, cpufreq_stats_time_ns(&stats, 2, 50000000), 4950433));
	cr_assert(eq(u32, cpufreq_stats_trans(&stats, 1, 2), 1));
	cr_assert(eq(i64, cpufreq_stats_total(&stats), 1));
}

Test(cpufreq_stats, an_unknown_frequency_leaves_the_old_state_running)
{
	cpufreq_stats_record(&stats, -1, 45049567);
	cr_assert(eq(i64, cpufreq_stats_total(&stats), 0));
	cr_assert(eq(i64, cpufreq_stats_time_ns(&stats, 1, 45049568), 43815001));
}

Test(cpufreq_stats, an_unknown_first_frequency_freezes_them)
{
	cpufreq_stats_start(&stats, -1, 0);
	cpufreq_stats_record(&stats, 2, 45049567);
	cr_assert(eq(int, stats.last, -1));
	cr_assert(eq(i64, cpufreq_stats_total(&stats), 0));
}

Test(cpufreq_stats, a_reset_shows_at_once_and_is_made_at_the_next_change)
{
	cpufreq_stats_record(&stats, 2, 20000000);
	cpufreq_stats_reset(&stats, 30000000);
	cr_assert(eq(i64, cpufreq_stats_total(&stats), 0));
	cr_assert(eq(u32, cpufreq_stats_trans(&stats, 1, 2), 0));
	cr_assert(eq(i64, cpufreq_stats_time_ns(&stats, 1, 31234567), 0));
	cr_assert(eq(i64, cpufreq_stats_time_ns(&stats, 2, 31234567), 1234567));
	cpufreq_stats_record(&stats, 0, 37000001);
	cr_assert(eq(i64, cpufreq_stats_time_ns(&stats, 2, 40000000), 7000001));
	cr_assert(eq(u32, cpufreq_stats_trans(&stats, 2, 0), 1));
	cr_assert(eq(i64, cpufreq_stats_total(&stats), 1));
}

Test(cpufreq_stats, up_to_5_10_the_clock_is_whole_ticks)
{
	cr_assert(eq(i64, cpufreq_stats_clock_ns(KVER(4, 8, 0), 250, 43815000), 40000000));
	cr_assert(eq(i64, cpufreq_stats_clock_ns(KVER(5, 10, 0), 300, 43815000), 43333329));
	cr_assert(eq(i64, cpufreq_stats_clock_ns(KVER(5, 11, 0), 250, 43815000), 43815000));
}
