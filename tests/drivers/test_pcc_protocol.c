#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "drivers/pcc_protocol.h"

/* The figures of the pcc-cpufreq thread (linux-pm, Aug-Oct 2016, A. Herrmann). */

Test(pcc_protocol, a_request_is_sent_as_whole_percents_truncated)
{
	cr_assert(eq(u32, pcc_desired_pct(1200000, 2800), 42));
	cr_assert(eq(u32, pcc_desired_pct(1885000, 2800), 67));
	cr_assert(eq(u32, pcc_desired_pct(2800000, 2800), 100));
	cr_assert(eq(u32, pcc_input_word(1200000, 2800), 42 << 8 | 1));
}

Test(pcc_protocol, read_backs_of_the_thread_come_out)
{
	cr_assert(eq(u32, pcc_output_khz(0xff00 | 43, 2800), 1204000));
	cr_assert(eq(u32, pcc_output_khz(41, 2800), 1148000));
	cr_assert(eq(u32, pcc_output_khz(38, 2800), 1064000));
}

Test(pcc_protocol, the_status_word_is_read_once_more_after_it_says_done)
{
	bool done;

	cr_assert(eq(u32, pcc_poll(0, 1, &done), 2));
	cr_assert(done);
	cr_assert(eq(u32, pcc_poll(40, 1, &done), 42));
	cr_assert(done);
}

Test(pcc_protocol, three_hundred_reads_are_the_bound)
{
	bool done;

	/* The read after the bound may still see it done: the 301st. */
	cr_assert(eq(u32, pcc_poll(300, 1, &done), 301));
	cr_assert(done);
	cr_assert(eq(u32, pcc_poll(301, 1, &done), 301));
	cr_assert(not(done));
}

Test(pcc_protocol, any_status_but_done_alone_is_a_failure)
{
	bool done;

	pcc_poll(3, 3, &done);
	cr_assert(not(done));
}

Test(pcc_protocol, the_deadband_limit_is_1885_mhz)
{
	cr_assert(eq(u32, pcc_deadband_limit_khz(1200000, 2800000), 1885000));
	cr_assert(eq(u32, pcc_deadband_target_khz(1884999, 1885000, 1200000), 1200000));
	cr_assert(eq(u32, pcc_deadband_target_khz(1885000, 1885000, 1200000), 1885000));
}
