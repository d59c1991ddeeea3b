/*
 * The power of a core that several threads share: it is busy while one of them is, and as deep
 * asleep as the shallowest of them. Knows when its threads run; the work they do is cpu.c's. A core
 * of one thread is that thread and keeps nothing here.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"

struct core;

/* Build, once its CPUs have their clocks. */
void core_build(struct core *core, struct arena *arena);

/* Used by cpu.c. Accounts up to now; precedes every change of a clock or of who is busy. */
void core_account(struct core *core);
/* How many threads are busy goes from @before to core->nr_busy. */
void core_busy_changed(struct core *core, int before);
/* A thread of an idle core goes from one idle state to another. */
void core_idle_changes(struct core *core);

/* Time in idle state @state so far, a current stay counted as if it ended now. */
int64_t core_idle_ns(const struct core *core, int state);
