/*
 * What a finished run's workload measured, by name.
 */
#pragma once

#include "tests/support/tiny.h"

/* Fails the test when there is no such figure. */
double measured(const struct tiny *tiny, const char *name);
/* Work done by all CPUs, in cycles. */
double cycles_done(const struct tiny *tiny);
