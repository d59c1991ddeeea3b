#include "sim/kernel/pelt.h"

#define HALF_LIFE 32
#define SHIFT 10

/* Integer part of (2^32 - 1) * 2^(-n/32). */
static const uint32_t inverse[HALF_LIFE] = { 0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a,
	0xeac0c6e6, 0xe5b906e6, 0xe0ccdeeb, 0xdbfbb796, 0xd744fcc9, 0xd2a81d91, 0xce248c14,
	0xc9b9bd85, 0xc5672a10, 0xc12c4cc9, 0xbd08a39e, 0xb8fbaf46, 0xb504f333, 0xb123f581,
	0xad583ee9, 0xa9a15ab4, 0xa5fed6a9, 0xa2704302, 0x9ef5325f, 0x9b8d39b9, 0x9837f050,
	0x94f4efa8, 0x91c3d373, 0x8ea4398a, 0x8b95c1e3, 0x88980e80, 0x85aac367, 0x82cd8698 };

/* 4.8 adds whole periods from tables: the sum of n periods, n <= 32, and of n half-lives. */
static const uint32_t sum_of_periods[HALF_LIFE + 1] = { 0, 1002, 1982, 2941, 3880, 4798, 5697, 6576,
	7437, 8279, 9103, 9909, 10698, 11470, 12226, 12966, 13690, 14398, 15091, 15769, 16433,
	17082, 17718, 18340, 18949, 19545, 20128, 20698, 21256, 21802, 22336, 22859, 23371 };

static const uint32_t sum_of_half_lives[] = { 0, 23371, 35056, 40899, 43820, 45281, 46011, 46376,
	46559, 46650, 46696, 46719 };

/* From here on a sum of whole periods is the largest one. */
#define PERIODS_TO_MAX 345

/* (@value * @factor) >> 32 of a 96-bit product. */
static uint64_t mul_high(uint64_t value, uint32_t factor)
{
	return (value >> 32) * factor + (((value & UINT32_MAX) * factor) >> 32);
}

uint64_t pelt_decay(uint64_t value, uint64_t periods)
{
	if (periods > HALF_LIFE * 63)
		return 0;
	return mul_high(value >> (periods / HALF_LIFE), inverse[periods % HALF_LIFE]);
}

uint32_t pelt_segments(uint64_t periods, uint32_t first, uint32_t last)
{
	uint32_t old = (uint32_t)pelt_decay(first, periods);
	uint32_t between = PELT_MAX - (uint32_t)pelt_decay(PELT_MAX, periods) - PELT_PERIOD;

	return old + between + last;
}

uint32_t pelt_divider(const struct pelt *pelt)
{
	return PELT_MIN_DIVIDER + pelt->period_contrib;
}

static void decay_sums(struct pelt *pelt, uint64_t periods, bool runnable)
{
	pelt->load_sum = pelt_decay(pelt->load_sum, periods);
	if (runnable)
		pelt->runnable_sum = pelt_decay(pelt->runnable_sum, periods);
	pelt->util_sum = (uint32_t)pelt_decay(pelt->util_sum, periods);
}

/* Whole microseconds since the last update, 0 when time went back. */
static uint64_t elapsed_us(struct pelt *pelt, uint64_t now_ns)
{
	uint64_t delta_ns = now_ns - pelt->last_update_ns;

	if (delta_ns >> 63) {
		pelt->last_update_ns = now_ns;
		return 0;
	}
	return delta_ns >> SHIFT;
}

/* Follows accumulate_sum() up to its additions: what the interval is worth. */
static uint32_t advance(
	struct pelt *pelt, uint64_t delta_us, bool segments, bool runnable, bool *crossed)
{
	uint64_t us = delta_us + pelt->period_contrib;
	uint64_t periods = us / PELT_PERIOD;
	uint32_t contrib = (uint32_t)delta_us;

	if (periods > 0) {
		decay_sums(pelt, periods, runnable);
		us %= PELT_PERIOD;
		if (segments)
			contrib = pelt_segments(
				periods, PELT_PERIOD - pelt->period_contrib, (uint32_t)us);
	}
	pelt->period_contrib = (uint32_t)us;
	*crossed = periods > 0;
	return contrib;
}

bool pelt_update_sum(struct pelt *pelt, uint64_t now_ns, struct pelt_input in)
{
	uint64_t us = elapsed_us(pelt, now_ns);
	uint32_t contrib;
	bool crossed;

	if (us == 0)
		return false;
	/* The rest below a microsecond is left for the next update. */
	pelt->last_update_ns += us << SHIFT;
	if (in.load == 0)
		in = (struct pelt_input){ 0, 0, false };
	contrib = advance(pelt, us, in.load != 0, true, &crossed);
	pelt->load_sum += in.load * contrib;
	pelt->runnable_sum += (in.runnable * contrib) << SHIFT;
	if (in.running)
		pelt->util_sum += contrib << SHIFT;
	return crossed;
}

void pelt_update_avg(struct pelt *pelt, uint64_t weight)
{
	uint32_t divider = pelt_divider(pelt);

	pelt->load_avg = weight * pelt->load_sum / divider;
	pelt->runnable_avg = pelt->runnable_sum / divider;
	pelt->util_avg = pelt->util_sum / divider;
}

static void add_scaled(struct pelt *pelt, uint32_t us, const struct pelt_scaled_input *in)
{
	uint32_t contrib = (uint32_t)(us * in->freq_scale >> SHIFT);

	pelt->load_sum += in->weight * contrib;
	if (in->run_queue)
		pelt->runnable_sum += in->weight * contrib;
	if (in->running)
		pelt->util_sum += (uint32_t)(contrib * in->cpu_scale);
}

static void update_avg_scaled(struct pelt *pelt, bool run_queue)
{
	pelt->load_avg = pelt->load_sum / PELT_MAX;
	if (run_queue)
		pelt->runnable_avg = pelt->runnable_sum / PELT_MAX;
	pelt->util_avg = pelt->util_sum / PELT_MAX;
}

bool pelt_update_4_12(struct pelt *pelt, uint64_t now_ns, struct pelt_scaled_input in)
{
	uint64_t us = elapsed_us(pelt, now_ns);
	uint32_t contrib;
	bool crossed;

	if (us == 0)
		return false;
	pelt->last_update_ns += us << SHIFT;
	contrib = advance(pelt, us, true, in.run_queue, &crossed);
	add_scaled(pelt, contrib, &in);
	if (crossed)
		update_avg_scaled(pelt, in.run_queue);
	return crossed;
}

uint32_t pelt_contrib_4_8(uint64_t periods)
{
	uint64_t rest;
	uint32_t sum;

	if (periods <= HALF_LIFE)
		return sum_of_periods[periods];
	if (periods >= PERIODS_TO_MAX)
		return PELT_MAX;
	rest = periods % HALF_LIFE;
	sum = sum_of_half_lives[periods / HALF_LIFE];
	/* Unlike later, this version leaves a value as it is when no period has passed. */
	if (rest > 0)
		sum = (uint32_t)pelt_decay(sum, rest);
	return sum + sum_of_periods[rest];
}

bool pelt_update_4_8(struct pelt *pelt, uint64_t now_ns, struct pelt_scaled_input in)
{
	uint64_t us = elapsed_us(pelt, now_ns);
	bool crossed;

	if (us == 0)
		return false;
	pelt->last_update_ns = now_ns;
	crossed = us + pelt->period_contrib >= PELT_PERIOD;
	if (crossed) {
		uint32_t rest = PELT_PERIOD - pelt->period_contrib;
		uint64_t periods = (us - rest) / PELT_PERIOD;

		add_scaled(pelt, rest, &in);
		us = (us - rest) % PELT_PERIOD;
		decay_sums(pelt, periods + 1, in.run_queue);
		add_scaled(pelt, pelt_contrib_4_8(periods), &in);
		pelt->period_contrib = 0;
	}
	add_scaled(pelt, (uint32_t)us, &in);
	pelt->period_contrib += (uint32_t)us;
	if (crossed)
		update_avg_scaled(pelt, in.run_queue);
	return crossed;
}
