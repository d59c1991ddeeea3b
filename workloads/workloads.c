#include "workloads/workloads.h"

#include <stddef.h>

#include "sim/workload.h"

#define PLUGIN(name) extern const struct workload workload_##name;
#include "workloads/workloads.def"
#undef PLUGIN

const struct workload *const workloads[] = {
#define PLUGIN(name) &workload_##name,
#include "workloads/workloads.def"
#undef PLUGIN
	NULL,
};
