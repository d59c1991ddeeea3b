/*
 * The scheduler tick: on one grid for all CPUs, stopped on idle ones with nohz. Time 0 is on the
 * grid unless the run begins elsewhere between two ticks (kernel_recorded_start()).
 */
#pragma once

#include <stdint.h>

struct kernel;
struct rq;

/* The first point of the grid after @from_ns. */
int64_t tick_after_ns(const struct kernel *kernel, int64_t from_ns);

void tick_init(struct rq *rq);
/* A task begins to run: the tick must be on. */
void tick_start(struct rq *rq);
