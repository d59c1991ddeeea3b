/*
 * The events of a scenario, carried out: what a user writes to sysfs while the machine runs. Knows
 * policies and governors by their contracts only.
 *
 * Everything that can be wrong is found while the run is built: every state of the tunables that a
 * write leads to is made and checked then, and a write only puts it in place.
 */
#pragma once

#include "sim/base/error.h"

struct run;

/* Makes the timers of all events; also gives single policies their own tunables. Policies exist,
 * the engine has not started. 0 or -1 with @err. */
int events_build(struct run *run, struct error *err);
/* Each CPU that goes offline leaves enough for what deadline tasks of the built workloads have
 * reserved; Linux answers EBUSY otherwise. 0 or -1 with @err. */
int events_check(const struct run *run, struct error *err);
/* The engine has started. */
void events_start(struct run *run);
