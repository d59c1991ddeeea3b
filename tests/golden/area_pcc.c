/*
 * pcc-cpufreq: from a request to the word in the mailbox, and back.
 */
#include "drivers/pcc_protocol.h"
#include "sim/kernel/cpufreq.h"
#include "sim/kernel/version.h"
#include "tests/golden/golden.h"

#define TARGET(X)                    \
	X(nominal_mhz)               \
	X(min_mhz)                   \
	X(pol_min)                   \
	X(pol_max)                   \
	X(cur)                       \
	X(req_freq)                  \
	X(relation)                  \
	X(fw_poll_reads_before_done) \
	X(fw_status)                 \
	X(deadband_limit)            \
	X(driver_called)             \
	X(input_buffer)              \
	X(desired_pct)               \
	X(status_reads)              \
	X(rc)                        \
	X(cur_after)                 \
	X(n_prechange)               \
	X(n_postchange)
GOLDEN_ROW(target, TARGET);
#define GET(X)                       \
	X(nominal_mhz)               \
	X(output_buffer)             \
	X(fw_poll_reads_before_done) \
	X(fw_status)                 \
	X(freq_khz)                  \
	X(input_buffer)              \
	X(status_reads)
GOLDEN_ROW(get, GET);

#define FAILED -22

static void check_target(struct golden *g)
{
	const bool *deadband = golden_arg(g);
	const struct target *r;

	while ((r = golden_next(g)) != NULL) {
		uint32_t nominal = (uint32_t)r->nominal_mhz, min = (uint32_t)r->min_mhz;
		const struct freq_request core = {
			.limits = { (uint32_t)r->pol_min, (uint32_t)r->pol_max },
			.cur_khz = (uint32_t)r->cur,
			.version = KVER(4, 8, 0),
		};
		struct freq_outcome out = freq_request(
			&core, (uint32_t)r->req_freq, (unsigned)r->relation);
		uint32_t limit = 0, word = 0, pct = 0, reads = 0, walks = 0;
		bool called = out.driver_called, done = true;

		if (*deadband && called) {
			limit = pcc_deadband_limit_khz(min * 1000, nominal * 1000);
			out.khz = pcc_deadband_target_khz(out.khz, limit, core.limits.min_khz);
			called = out.khz != core.cur_khz;
		}
		if (called) {
			word = pcc_input_word(out.khz, nominal);
			pct = pcc_desired_pct(out.khz, nominal);
			reads = pcc_poll((uint32_t)r->fw_poll_reads_before_done,
				(uint32_t)r->fw_status, &done);
			walks = (uint32_t)transition_walks(!done) / 2;
		}
		GOLDEN_EQ(g, r, deadband_limit, limit);
		GOLDEN_EQ(g, r, driver_called, called);
		GOLDEN_EQ(g, r, input_buffer, word);
		GOLDEN_EQ(g, r, desired_pct, pct & 0xff);
		GOLDEN_EQ(g, r, status_reads, reads);
		GOLDEN_EQ(g, r, rc, (int64_t)(done ? 0 : FAILED));
		GOLDEN_EQ(g, r, cur_after, called && done ? out.khz : core.cur_khz);
		GOLDEN_EQ(g, r, n_prechange, walks);
		GOLDEN_EQ(g, r, n_postchange, walks);
	}
}

static void check_get(struct golden *g)
{
	const struct get *r;

	while ((r = golden_next(g)) != NULL) {
		bool done;
		uint32_t reads = pcc_poll(
			(uint32_t)r->fw_poll_reads_before_done, (uint32_t)r->fw_status, &done);
		uint32_t khz = pcc_output_khz((uint32_t)r->output_buffer, (uint32_t)r->nominal_mhz);

		GOLDEN_EQ(g, r, freq_khz, done ? khz : 0);
		GOLDEN_EQ(g, r, input_buffer, PCC_GET_WORD);
		GOLDEN_EQ(g, r, status_reads, reads);
	}
}

static const bool vanilla = false, deadband_v1 = true;

static const struct golden_file files[] = {
	{ "pcc_target", target_columns, check_target, &vanilla },
	{ "deadband_v1_target", target_columns, check_target, &deadband_v1 },
	{ "pcc_get", get_columns, check_get, NULL },
	{ NULL, NULL, NULL, NULL },
};
const struct golden_area golden_area_pcc = { "pcc", files };
