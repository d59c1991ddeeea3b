#include "sim/kernel/util_est.h"

/* One percent of 1024: smaller differences are not worth a store. */
#define MARGIN 10
/* The average moves a quarter of the way. */
#define WEIGHT_SHIFT 2

uint64_t util_est_value(const struct util_est *est, enum util_est_form form)
{
	uint32_t value = est->raw & ~UTIL_EST_UNCHANGED;

	if (form == UTIL_EST_NONE)
		return 0;
	return form == UTIL_EST_PAIR && est->ewma > value ? est->ewma : value;
}

uint64_t util_est_task(const struct util_est *est, enum util_est_form form, uint64_t util_avg)
{
	uint64_t value = util_est_value(est, form);

	return value > util_avg ? value : util_avg;
}

/* |@difference| < MARGIN for a 32-bit two's complement number. */
static bool within_margin(uint32_t difference)
{
	return difference + MARGIN - 1 < 2 * MARGIN - 1;
}

static void update_pair(struct util_est *est, const struct util_est_sample *sample)
{
	uint32_t util = (uint32_t)sample->util_avg;
	uint32_t last = est->raw;
	uint32_t ewma = est->ewma;
	uint32_t difference = util - ewma;

	if (ewma < util) {
		ewma = util;
	} else if (within_margin(difference)) {
		if (within_margin(last - util))
			return;
	} else if (sample->util_avg > sample->capacity) {
		/* The task could not run as much as it wanted to. */
		return;
	} else {
		ewma = ((ewma << WEIGHT_SHIFT) + difference) >> WEIGHT_SHIFT;
	}
	est->ewma = ewma;
	est->raw = util | UTIL_EST_UNCHANGED;
}

static void update_single(struct util_est *est, const struct util_est_sample *sample)
{
	uint32_t util = (uint32_t)sample->util_avg;
	uint32_t ewma = est->raw;

	if (ewma <= util) {
		ewma = util;
	} else if (ewma - util >= MARGIN) {
		if (util > sample->capacity)
			return;
		/* A task that had to wait may have wanted more than it got. */
		if (util + MARGIN >= sample->runnable_avg)
			ewma = ((ewma << WEIGHT_SHIFT) - (ewma - util)) >> WEIGHT_SHIFT;
	}
	est->raw = ewma | UTIL_EST_UNCHANGED;
}

void util_est_update(
	struct util_est *est, enum util_est_form form, const struct util_est_sample *sample)
{
	if (form == UTIL_EST_NONE || est->raw & UTIL_EST_UNCHANGED)
		return;
	if (form == UTIL_EST_PAIR)
		update_pair(est, sample);
	else
		update_single(est, sample);
}
