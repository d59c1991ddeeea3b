/*
 * Named sets of CPUs to which a scenario confines whole workloads, as plain data. Knows CPU
 * numbers; the host hands a set to its workload.
 */
#pragma once

#include <stddef.h>

#include "sim/kernel/cpumask.h"

struct cpuset {
	const char *name;
	struct cpumask cpus; /* at least one, all of the machine */
};
