#include "drivers/pcc_protocol.h"

uint32_t pcc_desired_pct(uint32_t khz, uint32_t nominal_mhz)
{
	return khz * 100 / (nominal_mhz * 1000);
}

uint32_t pcc_input_word(uint32_t khz, uint32_t nominal_mhz)
{
	return 1u | pcc_desired_pct(khz, nominal_mhz) << 8;
}

uint32_t pcc_output_khz(uint32_t output_word, uint32_t nominal_mhz)
{
	return nominal_mhz * (output_word & 0xff) / 100 * 1000;
}

uint32_t pcc_poll(uint32_t reads_before_done, uint32_t status, bool *done)
{
	uint32_t reads = 0, word = 0;

	while (reads < PCC_POLL_LOOPS && !(word & PCC_STATUS_DONE))
		word = reads++ < reads_before_done ? 0 : status;
	/* The driver looks once more and wants exactly this. */
	word = reads++ < reads_before_done ? 0 : status;
	*done = word == PCC_STATUS_DONE;
	return reads;
}

uint32_t pcc_deadband_limit_khz(uint32_t cpuinfo_min_khz, uint32_t cpuinfo_max_khz)
{
	uint32_t min_mhz = cpuinfo_min_khz / 1000, max_mhz = cpuinfo_max_khz / 1000;

	return (max_mhz - min_mhz) * min_mhz / max_mhz * 1000 + min_mhz * 1000;
}

uint32_t pcc_deadband_target_khz(uint32_t khz, uint32_t limit_khz, uint32_t policy_min_khz)
{
	return khz < limit_khz ? policy_min_khz : khz;
}
