#include "sim/report/tap.h"

#include <assert.h>

static void take(void *arg, const struct tracepoint *record)
{
	const struct taps *taps = arg;

	for (int i = 0; i < taps->nr; i++)
		if (taps->taps[i].take)
			taps->taps[i].take(taps->taps[i].arg, record);
}

static void decide(void *arg, const struct decision_record *record)
{
	struct taps *taps = arg;
	struct pstate_row row;

	if (!pstate_row_of(&taps->rows, record, &row))
		return;
	for (int i = 0; i < taps->nr; i++)
		if (taps->taps[i].sample)
			taps->taps[i].sample(taps->taps[i].arg, &row);
}

void taps_add(struct taps *taps, struct arena *arena, struct kernel *kernel, struct tap tap)
{
	assert(taps->nr < TAPS_MAX);
	if (taps->nr == 0) {
		pstate_rows_start(&taps->rows, arena, kernel);
		kernel->trace.sink = take;
		kernel->trace.arg = taps;
		kernel->decisions.sink = decide;
		kernel->decisions.arg = taps;
	}
	taps->taps[taps->nr++] = tap;
}
