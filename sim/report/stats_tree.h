/*
 * The files of sysfs that tell of cpufreq at the end of a run, as a tree of the same shape: for
 * each policy scaling_driver, scaling_governor, scaling_cur_freq and limits; where the driver has a
 * table also stats/ with time_in_state, total_trans and trans_table in the kernel's layout. Knows
 * policies and paths.
 */
#pragma once

#include "sim/base/error.h"

struct run;

/* Below @dir, which is made where it is missing. 0 or -1 with @err. */
int stats_tree_write(const char *dir, const struct run *run, struct error *err);
