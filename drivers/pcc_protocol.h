/*
 * The words that Linux and PCC firmware exchange, and the deadband of the v1 patch. Knows the
 * protocol, not time or queues. Follows drivers/cpufreq/pcc-cpufreq.c of 4.8 (pcc_cpufreq_target(),
 * pcc_get_freq(), pcc_cmd()); the same in 5.11 and 6.1. The patch: "cpufreq: pcc-cpufreq: ...
 * deadband", linux-pm, August 2016, A. Herrmann.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PCC_POLL_LOOPS 300
#define PCC_STATUS_DONE 1u
#define PCC_GET_WORD 1u /* the input of a get command */

/* Whole percents of nominal that stand for @khz, truncated. */
uint32_t pcc_desired_pct(uint32_t khz, uint32_t nominal_mhz);
/* The word written for a set command. */
uint32_t pcc_input_word(uint32_t khz, uint32_t nominal_mhz);
/* The frequency that a get command's answer means. */
uint32_t pcc_output_khz(uint32_t output_word, uint32_t nominal_mhz);

/* How often the status word is read, and whether the command counts as done: the word reads 0 for
 * @reads_before_done reads after the doorbell and @status from then on. */
uint32_t pcc_poll(uint32_t reads_before_done, uint32_t status, bool *done);

/* The v1 patch: the lowest frequency worth asking for besides the minimum, and the target that a
 * request becomes. */
uint32_t pcc_deadband_limit_khz(uint32_t cpuinfo_min_khz, uint32_t cpuinfo_max_khz);
uint32_t pcc_deadband_target_khz(uint32_t khz, uint32_t limit_khz, uint32_t policy_min_khz);
