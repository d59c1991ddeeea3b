/*
 * The scheduler tick: on one grid for all CPUs, stopped on idle ones with nohz.
 */
#pragma once

struct rq;

void tick_init(struct rq *rq);
/* A task begins to run: the tick must be on. */
void tick_start(struct rq *rq);
