/*
 * The list of workloads: every plug-in that workloads.def names. Only main and tests know it.
 */
#pragma once

struct workload;

/* NULL-terminated, in the order of the .def file. */
extern const struct workload *const workloads[];
