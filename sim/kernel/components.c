#include "sim/kernel/components.h"

#include <stdio.h>
#include <string.h>

#include "sim/kernel/kernel_spec.h"
#include "sim/kernel/version.h"

#define V(major, minor) KVER(major, minor, 0)
#define V26(patch) KVER(2, 6, patch)
#define OPEN COMPONENT_OPEN
#define CHECKED COMPONENT_CHECKED
#define DESCRIBED COMPONENT_DESCRIBED
#define EXTRAPOLATED COMPONENT_EXTRAPOLATED

static const struct component_row core_rows[] = {
	{ V26(0), V26(20), 0, EXTRAPOLATED, "2.6.20", "" },
	{ V26(20), V26(21), 0, CHECKED, "2.6.20", "the driver clamps and skips" },
	{ V26(21), V26(39), 0, EXTRAPOLATED, "2.6.39", "" },
	{ V26(39), V(3, 0), 0, CHECKED, "2.6.39", "" },
	{ V(3, 0), V(3, 8), 0, EXTRAPOLATED, "2.6.39", "" },
	{ V(3, 8), V(3, 16), 0, EXTRAPOLATED, "3.16", "the core clamps and skips equal requests" },
	{ V(3, 16), V(3, 17), 0, CHECKED, "3.16", "" },
	{ V(3, 17), V(4, 8), 0, EXTRAPOLATED, "3.16", "" },
	{ V(4, 8), V(4, 9), 0, CHECKED, "4.8.15", "sorted tables are searched by order" },
	{ V(4, 9), V(4, 12), 0, EXTRAPOLATED, "4.8.15", "" },
	{ V(4, 12), V(4, 13), 0, CHECKED, "4.12.4", "" },
	{ V(4, 13), V(5, 10), 0, EXTRAPOLATED, "4.12.4", "" },
	{ V(5, 10), V(5, 11), 0, CHECKED, "5.10.262", "a fast switch clamps as later ones do" },
	{ V(5, 11), V(5, 16), 0, EXTRAPOLATED, "5.10.262", "" },
	{ V(5, 16), V(6, 1), 0, EXTRAPOLATED, "6.1.192", "requests prefer efficient entries" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192", "" },
	{ V(6, 2), V(6, 12), 0, EXTRAPOLATED, "6.1.192", "" },
	{ V(6, 12), V(6, 13), 0, CHECKED, "6.12.117", "limits without an entry move down to one" },
	{ V(6, 13), OPEN, 0, EXTRAPOLATED, "6.12.117", "" },
};

static const struct component_row delay_rows[] = {
	{ V26(0), V(4, 8), 0, EXTRAPOLATED, "4.8.15", "a thousand times the latency" },
	{ V(4, 8), V(4, 9), 0, CHECKED, "4.8.15", "" },
	{ V(4, 9), V(4, 12), 0, EXTRAPOLATED, "4.8.15", "" },
	{ V(4, 12), V(4, 13), 0, CHECKED, "4.12.4", "a driver may set transition_delay_us" },
	{ V(4, 13), V(4, 15), 0, EXTRAPOLATED, "4.12.4", "" },
	{ V(4, 15), V(5, 10), 0, DESCRIBED, "4.15", "at most 10 ms" },
	{ V(5, 10), V(5, 11), 0, CHECKED, "5.10.262", "" },
	{ V(5, 11), V(6, 1), 0, EXTRAPOLATED, "5.10.262", "" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192", "" },
	{ V(6, 2), V(6, 9), 0, EXTRAPOLATED, "6.1.192", "" },
	{ V(6, 9), V(6, 12), 0, DESCRIBED, "6.9", "at most 2 ms, longer latencies as they are" },
	{ V(6, 12), V(6, 13), 0, CHECKED, "6.12.117", "one and a half times the latency" },
	{ V(6, 13), OPEN, 0, EXTRAPOLATED, "6.12.117", "" },
};

static const struct component_row stats_rows[] = {
	{ V26(11), V(4, 8), 0, EXTRAPOLATED, "4.8.15", "whole jiffies" },
	{ V(4, 8), V(5, 11), 0, DESCRIBED, "5.10.262", "" },
	{ V(5, 11), V(6, 1), 0, DESCRIBED, "5.11", "nanoseconds" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192", "" },
	{ V(6, 2), OPEN, 0, EXTRAPOLATED, "6.1.192", "" },
};

static const struct component_row pelt_rows[] = {
	{ V(3, 8), V(4, 8), 0, EXTRAPOLATED, "4.8.15", "" },
	{ V(4, 8), V(4, 9), 0, CHECKED, "4.8.15", "constant divider, scaled contributions" },
	{ V(4, 9), V(4, 12), 0, EXTRAPOLATED, "4.8.15", "" },
	{ V(4, 12), V(4, 13), 0, CHECKED, "4.12.4", "segments instead of tables" },
	{ V(4, 13), V(4, 17), 0, EXTRAPOLATED, "4.12.4", "" },
	{ V(4, 17), V(5, 1), 0, EXTRAPOLATED, "4.12.4", "util_est, as in 5.10" },
	{ V(5, 1), V(5, 10), 0, EXTRAPOLATED, "5.10.262", "a clock of its own, scaled" },
	{ V(5, 10), V(5, 11), 0, CHECKED, "5.10.262", "" },
	{ V(5, 11), V(6, 1), 0, EXTRAPOLATED, "5.10.262", "" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192", "new tasks attach at enqueue" },
	{ V(6, 2), V(6, 8), 0, EXTRAPOLATED, "6.1.192", "" },
	{ V(6, 8), V(6, 12), 0, DESCRIBED, "6.8", "util_est is one average" },
	{ V(6, 12), V(6, 13), 0, CHECKED, "6.12.117", "util_est before the update" },
	{ V(6, 13), OPEN, 0, EXTRAPOLATED, "6.12.117", "" },
};

static const struct component_row util_rows[] = {
	{ V(4, 7), V(4, 8), 0, EXTRAPOLATED, "4.8.15", "" },
	{ V(4, 8), V(4, 9), 0, CHECKED, "4.8.15", "" },
	{ V(4, 9), V(4, 12), 0, EXTRAPOLATED, "4.8.15", "" },
	{ V(4, 12), V(4, 13), 0, CHECKED, "4.12.4", "" },
	{ V(4, 13), V(4, 17), 0, EXTRAPOLATED, "4.12.4", "" },
	{ V(4, 17), V(5, 10), 0, EXTRAPOLATED, "5.10.262",
		"util_est counts, no limit to capacity" },
	{ V(5, 10), V(5, 11), 0, CHECKED, "5.10.262", "" },
	{ V(5, 11), V(5, 17), 0, EXTRAPOLATED, "5.10.262", "" },
	{ V(5, 17), V(6, 1), 0, EXTRAPOLATED, "6.1.192", "limited to capacity, sees uclamp's cap" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192", "" },
	{ V(6, 2), V(6, 8), 0, EXTRAPOLATED, "6.1.192", "" },
	{ V(6, 8), V(6, 12), 0, DESCRIBED, "6.12.117", "a floor and a ceiling apart" },
	{ V(6, 12), V(6, 13), 0, CHECKED, "6.12.117", "" },
	{ V(6, 13), OPEN, 0, EXTRAPOLATED, "6.12.117", "" },
};

static const struct component_row sampler_rows[] = {
	{ V26(9), V26(20), 0, EXTRAPOLATED, "2.6.20", "" },
	{ V26(20), V26(21), 0, CHECKED, "2.6.20", "whole jiffies" },
	{ V26(21), V26(39), 0, EXTRAPOLATED, "2.6.20", "" },
	{ V26(39), V(3, 0), 0, CHECKED, "2.6.39", "microseconds" },
	{ V(3, 0), V(3, 12), 0, EXTRAPOLATED, "2.6.39", "" },
	{ V(3, 12), V(3, 16), 0, EXTRAPOLATED, "3.16", "a long window reuses the last load" },
	{ V(3, 16), V(3, 17), 0, CHECKED, "3.16", "" },
	{ V(3, 17), V(4, 5), 0, EXTRAPOLATED, "3.16", "" },
	{ V(4, 5), V(4, 6), 0, DESCRIBED, "4.5", "one work item a policy" },
	{ V(4, 6), V(4, 7), 0, CHECKED, "4.6.2", "the scheduler's hook samples, no timer" },
	{ V(4, 7), V(4, 8), 0, EXTRAPOLATED, "4.6.2", "" },
	{ V(4, 8), V(4, 9), 0, CHECKED, "4.8-rc2", "no CPU is skipped" },
	{ V(4, 9), V(4, 15), 0, EXTRAPOLATED, "4.8-rc2", "" },
	{ V(4, 15), V(4, 16), 0, DESCRIBED, "4.15", "only long idle time reuses; rate by ticks" },
	{ V(4, 16), V(5, 11), 0, EXTRAPOLATED, "5.11", "" },
	{ V(5, 11), V(5, 12), 0, CHECKED, "5.11", "" },
	{ V(5, 12), V(6, 1), 0, EXTRAPOLATED, "5.11", "" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192",
		"idle time that ran backwards is none (backport)" },
	{ V(6, 2), OPEN, 0, EXTRAPOLATED, "6.1.192", "" },
	{ V(6, 1), V(6, 2), KERNEL_BASE, EXTRAPOLATED, "5.11", "without that backport" },
};

static const struct component_row ondemand_rows[] = {
	{ V26(9), V26(20), 0, EXTRAPOLATED, "2.6.20", "" },
	{ V26(20), V26(21), 0, CHECKED, "2.6.20", "down until up_threshold - 10" },
	{ V26(21), V26(39), 0, EXTRAPOLATED, "2.6.20", "" },
	{ V26(39), V(3, 0), 0, CHECKED, "2.6.39", "load times average frequency" },
	{ V(3, 0), V(3, 12), 0, EXTRAPOLATED, "2.6.39", "" },
	{ V(3, 12), V(3, 16), 0, EXTRAPOLATED, "3.16", "the load alone decides; dead band" },
	{ V(3, 16), V(3, 17), 0, CHECKED, "3.16", "" },
	{ V(3, 17), V(4, 5), 0, EXTRAPOLATED, "4.5", "new load map, closest frequency" },
	{ V(4, 5), V(4, 6), 0, DESCRIBED, "4.5", "" },
	{ V(4, 6), V(4, 7), 0, DESCRIBED, "4.6.2", "delays in microseconds" },
	{ V(4, 7), V(4, 8), 0, EXTRAPOLATED, "4.6.2", "" },
	{ V(4, 8), V(4, 9), 0, CHECKED, "4.8-rc2", "powersave_bias searches by order" },
	{ V(4, 9), V(4, 15), 0, EXTRAPOLATED, "4.8-rc2", "" },
	{ V(4, 15), V(4, 16), 0, DESCRIBED, "4.15", "" },
	{ V(4, 16), V(5, 16), 0, EXTRAPOLATED, "5.11", "" },
	{ V(5, 16), V(6, 1), 0, EXTRAPOLATED, "6.1.192", "prefers efficient entries" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192", "" },
	{ V(6, 2), OPEN, 0, EXTRAPOLATED, "6.1.192", "" },
};

static const struct component_row conservative_rows[] = {
	{ V(3, 12), V(3, 16), 0, EXTRAPOLATED, "3.16", "" },
	{ V(3, 16), V(3, 17), 0, CHECKED, "3.16", "" },
	{ V(3, 17), V(4, 8), 0, EXTRAPOLATED, "3.16", "" },
	{ V(4, 8), V(4, 9), 0, CHECKED, "4.8-rc2", "steps start at cur" },
	{ V(4, 9), V(4, 15), 0, EXTRAPOLATED, "4.8-rc2", "" },
	{ V(4, 15), V(4, 16), 0, DESCRIBED, "4.15", "remembers its request; idle periods count" },
	{ V(4, 16), V(5, 11), 0, EXTRAPOLATED, "5.11", "" },
	{ V(5, 11), V(5, 12), 0, CHECKED, "5.11", "" },
	{ V(5, 12), V(5, 16), 0, EXTRAPOLATED, "5.11", "" },
	{ V(5, 16), V(6, 1), 0, EXTRAPOLATED, "5.11", "prefers efficient entries" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192", "no early exit at a limit (backport)" },
	{ V(6, 2), OPEN, 0, EXTRAPOLATED, "6.1.192", "" },
	{ V(6, 1), V(6, 2), KERNEL_BASE, EXTRAPOLATED, "5.11", "without that backport" },
};

static const struct component_row schedutil_rows[] = {
	{ V(4, 7), V(4, 8), 0, EXTRAPOLATED, "4.8.15", "" },
	{ V(4, 8), V(4, 9), 0, CHECKED, "4.8.15", "the scheduler hands over util and max" },
	{ V(4, 9), V(4, 12), 0, EXTRAPOLATED, "4.12.4", "flags, I/O boost" },
	{ V(4, 12), V(4, 13), 0, CHECKED, "4.12.4", "" },
	{ V(4, 13), V(4, 17), 0, EXTRAPOLATED, "4.12.4", "" },
	{ V(4, 17), V(5, 10), 0, EXTRAPOLATED, "5.10.262", "reads the run queue, boost in steps" },
	{ V(5, 10), V(5, 11), 0, CHECKED, "5.10.262", "limits are served once (backport)" },
	{ V(5, 11), V(5, 14), 0, EXTRAPOLATED, "6.1.192", "adjust_perf" },
	{ V(5, 14), V(5, 18), 0, EXTRAPOLATED, "6.1.192", "headroom on utilisation" },
	{ V(5, 18), V(6, 1), 0, EXTRAPOLATED, "6.1.192", "the boost is clamped" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192", "limits are served once (backport)" },
	{ V(6, 2), V(6, 5), 0, EXTRAPOLATED, "6.1base", "" },
	{ V(6, 5), V(6, 8), 0, DESCRIBED, "6.5", "boosted utilisation, largest of shared CPUs" },
	{ V(6, 8), V(6, 12), 0, EXTRAPOLATED, "6.12.117",
		"headroom in utilisation, reference frequency" },
	{ V(6, 12), V(6, 13), 0, CHECKED, "6.12.117", "limits are served once (backport)" },
	{ V(6, 13), OPEN, 0, EXTRAPOLATED, "6.12.117", "" },
	{ V(5, 10), V(5, 11), KERNEL_BASE, EXTRAPOLATED, "6.1base",
		"without the backport of 2025" },
	{ V(6, 1), V(6, 2), KERNEL_BASE, CHECKED, "6.1base", "without the backports of 2025" },
	{ V(6, 12), V(6, 13), KERNEL_BASE, EXTRAPOLATED, "6.12.117",
		"without the backports of 2025" },
	{ V(6, 12), V(6, 13), KERNEL_CONSOLIDATED, CHECKED, "6.12.117",
		"updates at context switches" },
};

static const struct component_row pstate_pid_rows[] = {
	{ V(3, 9), V(4, 5), 0, EXTRAPOLATED, "4.5", "" },
	{ V(4, 5), V(4, 6), 0, CHECKED, "4.5", "a timer of its own" },
	{ V(4, 6), V(4, 7), 0, CHECKED, "4.6.2", "the scheduler's hook; below 1 % is idle" },
	{ V(4, 7), V(4, 8), 0, EXTRAPOLATED, "4.8-rc2", "more bits, limits in eighths" },
	{ V(4, 8), V(4, 9), 0, CHECKED, "4.8-rc2", "" },
	{ V(4, 9), V(4, 14), 0, EXTRAPOLATED, "4.8-rc2", "" },
};

static const struct component_row pstate_rows[] = {
	{ V(4, 14), V(5, 1), 0, DESCRIBED, "4.15", "by load; at once after I/O, for the top" },
	{ V(5, 1), V(5, 10), 0, EXTRAPOLATED, "5.10.13", "the boost of I/O doubles and halves" },
	{ V(5, 10), V(5, 11), 0, CHECKED, "5.10.13", "" },
	{ V(5, 11), V(5, 12), 0, CHECKED, "5.11", "DESIRED is 0; adjust_perf" },
	{ V(5, 12), V(6, 1), 0, EXTRAPOLATED, "5.11", "" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192", "DESIRED is the target; turbo read once" },
	{ V(6, 2), OPEN, 0, EXTRAPOLATED, "6.1.192", "" },
};

static const struct component_row energy_rows[] = {
	{ V(5, 0), V(5, 10), 0, EXTRAPOLATED, "5.10.262", "" },
	{ V(5, 10), V(5, 11), 0, CHECKED, "5.10.262", "headroom on the frequency" },
	{ V(5, 11), V(5, 14), 0, EXTRAPOLATED, "5.10.262", "" },
	{ V(5, 14), V(6, 1), 0, EXTRAPOLATED, "6.1.192", "headroom on utilisation" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192", "" },
	{ V(6, 2), V(6, 8), 0, EXTRAPOLATED, "6.1.192", "" },
	{ V(6, 8), V(6, 12), 0, EXTRAPOLATED, "6.12.117", "performance instead of frequency" },
	{ V(6, 12), V(6, 13), 0, CHECKED, "6.12.117", "" },
	{ V(6, 13), OPEN, 0, EXTRAPOLATED, "6.12.117", "" },
};

static const struct component_row invariance_rows[] = {
	{ V(5, 7), V(6, 1), 0, EXTRAPOLATED, "6.1.192", "" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192", "" },
	{ V(6, 2), V(6, 8), 0, EXTRAPOLATED, "6.1.192", "" },
	{ V(6, 8), V(6, 12), 0, EXTRAPOLATED, "6.12.117", "kHz in 64 bits instead of MHz in 32" },
	{ V(6, 12), V(6, 13), 0, CHECKED, "6.12.117", "" },
	{ V(6, 13), OPEN, 0, EXTRAPOLATED, "6.12.117", "" },
};

static const struct component_row cppc_rows[] = {
	{ V(4, 4), V(5, 10), 0, EXTRAPOLATED, "5.10.262", "" },
	{ V(5, 10), V(5, 11), 0, CHECKED, "5.10.262", "a slope of its own in each direction" },
	{ V(5, 11), V(6, 1), 0, EXTRAPOLATED, "5.10.262", "" },
	{ V(6, 1), V(6, 2), 0, CHECKED, "6.1.192", "one line through the nominal point" },
	{ V(6, 2), V(6, 12), 0, EXTRAPOLATED, "6.1.192", "" },
	{ V(6, 12), V(6, 13), 0, CHECKED, "6.12.117", "counters that stand still are skipped" },
	{ V(6, 13), OPEN, 0, EXTRAPOLATED, "6.12.117", "" },
};

static const struct component_row pcc_rows[] = {
	{ V26(33), V(4, 8), 0, EXTRAPOLATED, "4.8-rc2", "" },
	{ V(4, 8), V(4, 9), 0, CHECKED, "4.8-rc2", "" },
	{ V(4, 9), V(4, 18), 0, EXTRAPOLATED, "4.8-rc2", "" },
	{ V(4, 18), OPEN, 0, DESCRIBED, "6.1.192", "dynamic governors up to 4 CPUs only" },
};

static const struct component_row acpi_rows[] = {
	{ V26(0), V(6, 1), 0, EXTRAPOLATED, "6.1.192", "" },
	{ V(6, 1), V(6, 2), 0, DESCRIBED, "6.1.192", "" },
	{ V(6, 2), OPEN, 0, EXTRAPOLATED, "6.1.192", "" },
};

static const struct component_row amd_rows[] = {
	{ V(5, 17), V(6, 1), 0, EXTRAPOLATED, "6.1.192", "" },
	{ V(6, 1), V(6, 2), 0, DESCRIBED, "6.1.192", "" },
	{ V(6, 2), OPEN, 0, EXTRAPOLATED, "6.1.192", "" },
};

static const struct component_row dt_rows[] = {
	{ V(3, 18), OPEN, 0, DESCRIBED, "6.1.192", "" },
};

/* How the scheduler of a run (fair.h, placement.h, rt.h, hook.h) stands to the versions. */
static const struct component_row fair_rows[] = {
	{ V26(0), V26(23), 0, EXTRAPOLATED, "5.10.262", "" },
	{ V26(23), V(6, 6), 0, DESCRIBED, "5.10.262", "virtual run time" },
	{ V(6, 6), V(6, 12), 0, DESCRIBED, "6.6", "EEVDF: lag, eligibility, virtual deadlines" },
	{ V(6, 12), V(6, 13), 0, DESCRIBED, "6.12.117",
		"half a first turn; who sleeps past its share stays queued" },
	{ V(6, 13), V(6, 15), 0, EXTRAPOLATED, "6.12.117", "" },
	{ V(6, 15), OPEN, 0, EXTRAPOLATED, "6.12.117", "base slice 0.7 ms" },
};

static const struct component_row fork_rows[] = {
	{ V26(0), V(5, 5), 0, DESCRIBED, "4.8.15", "" },
	{ V(5, 5), V(5, 9), 0, DESCRIBED, "5.5", "the first idle CPU after the parent's" },
	{ V(5, 9), OPEN, 0, DESCRIBED, "5.10.262", "the idle CPU with least stored utilisation" },
};

static const struct component_row wake_rows[] = {
	{ V26(0), V(5, 10), 0, EXTRAPOLATED, "5.10.262", "" },
	{ V(5, 10), OPEN, 0, DESCRIBED, "5.10.262", "a waker that ends is not waited for" },
};

static const struct component_row balance_rows[] = {
	{ V26(0), KVER(6, 12, 65), 0, EXTRAPOLATED, "5.10.262", "" },
	{ KVER(6, 12, 65), V(6, 13), 0, DESCRIBED, "6.19", "idle CPUs look as often as it helps" },
	{ V(6, 13), KVER(6, 18, 5), 0, EXTRAPOLATED, "5.10.262", "" },
	{ KVER(6, 18, 5), OPEN, 0, DESCRIBED, "6.19", "idle CPUs look as often as it helps" },
};

static const struct component_row hook_rows[] = {
	{ V(4, 6), V(4, 8), 0, EXTRAPOLATED, "4.8.15", "" },
	{ V(4, 8), V(4, 9), 0, DESCRIBED, "4.8.15", "" },
	{ V(4, 9), V(4, 12), 0, EXTRAPOLATED, "4.12.4", "" },
	{ V(4, 12), V(4, 13), 0, DESCRIBED, "4.12.4", "wake-ups from I/O" },
	{ V(4, 13), V(4, 14), 0, EXTRAPOLATED, "4.12.4", "" },
	{ V(4, 14), V(4, 18), 0, EXTRAPOLATED, "5.10.262", "updates by other CPUs, bandwidth" },
	{ V(4, 18), V(5, 10), 0, EXTRAPOLATED, "5.10.262", "real-time tasks that come and go" },
	{ V(5, 10), V(6, 13), 0, DESCRIBED, "5.10.262", "" },
	{ V(6, 13), OPEN, 0, EXTRAPOLATED, "6.12.117", "" },
	{ V(6, 12), V(6, 13), KERNEL_CONSOLIDATED, DESCRIBED, "6.12.117",
		"context switches, ticks and wake-ups that do not preempt" },
};

static const struct component_row thread_rows[] = {
	{ V(4, 7), V(4, 16), 0, DESCRIBED, "4.8.15", "" },
	{ V(4, 16), OPEN, 0, DESCRIBED, "5.10.262", "a deadline task" },
};

static const struct component_row deadline_rows[] = {
	{ V(3, 14), V(4, 13), 0, EXTRAPOLATED, "5.10.262", "" },
	{ V(4, 13), OPEN, 0, DESCRIBED, "5.10.262", "bandwidth counts until the zero-lag time" },
};

static const struct component_row clamp_rows[] = {
	{ V(5, 3), OPEN, 0, DESCRIBED, "5.10.262", "" },
};

#define COMPONENT(name, used_by, rows)                              \
	{                                                           \
		name, used_by, rows, sizeof(rows) / sizeof(rows[0]) \
	}

static const struct component components[] = {
	COMPONENT("cpufreq core", NULL, core_rows),
	COMPONENT("transition delay", "ondemand conservative schedutil", delay_rows),
	COMPONENT("statistics", NULL, stats_rows),
	COMPONENT("load tracking", NULL, pelt_rows),
	COMPONENT("utilisation", "schedutil", util_rows),
	COMPONENT("fair class", NULL, fair_rows),
	COMPONENT("new tasks' CPU", NULL, fork_rows),
	COMPONENT("waking tasks' CPU", NULL, wake_rows),
	COMPONENT("balancing", NULL, balance_rows),
	COMPONENT("deadline class", NULL, deadline_rows),
	COMPONENT("utilisation clamps", NULL, clamp_rows),
	COMPONENT("call sites", NULL, hook_rows),
	COMPONENT("governor thread", "schedutil", thread_rows),
	COMPONENT("load sampler", "ondemand conservative", sampler_rows),
	COMPONENT("ondemand", "ondemand", ondemand_rows),
	COMPONENT("conservative", "conservative", conservative_rows),
	COMPONENT("schedutil", "schedutil", schedutil_rows),
	COMPONENT("intel_pstate, PID", "intel_pstate", pstate_pid_rows),
	COMPONENT("intel_pstate, load", "intel_pstate intel_pstate_hwp intel_cpufreq", pstate_rows),
	COMPONENT("energy model", "", energy_rows),
	COMPONENT("invariance", "schedutil", invariance_rows),
	COMPONENT("cppc", "cppc-cpufreq", cppc_rows),
	COMPONENT("pcc-cpufreq", "pcc-cpufreq", pcc_rows),
	COMPONENT("acpi-cpufreq", "acpi-cpufreq", acpi_rows),
	COMPONENT("cpufreq-dt", "cpufreq-dt", dt_rows),
	COMPONENT("amd-pstate", "amd-pstate", amd_rows),
};

const struct component *component_at(size_t i)
{
	return i < sizeof(components) / sizeof(components[0]) ? &components[i] : NULL;
}

const struct component_row *component_row(
	const struct component *component, unsigned version, unsigned patches)
{
	const struct component_row *plain = NULL;

	for (size_t i = 0; i < component->nr_rows; i++) {
		const struct component_row *row = &component->rows[i];

		if (version < row->since || version >= row->until)
			continue;
		if (row->patches && (row->patches & patches) == row->patches)
			return row;
		if (!row->patches)
			plain = row;
	}
	return plain;
}

bool component_used_by(const struct component *component, const char *plugin)
{
	const char *text = component->used_by;
	size_t len = strlen(plugin);

	if (!text)
		return true;
	while (*text) {
		size_t word = strcspn(text, " ");

		if (word == len && strncmp(text, plugin, len) == 0)
			return true;
		text += word + (text[word] == ' ');
	}
	return false;
}

void kver_print(unsigned version, char *buf, size_t size)
{
	unsigned major = version >> 16, minor = version >> 8 & 0xff, patch = version & 0xff;

	if (patch || major == 2)
		snprintf(buf, size, "%u.%u.%u", major, minor, patch);
	else
		snprintf(buf, size, "%u.%u", major, minor);
}

/* The release before @version: 3.0 follows 2.6.39, 4.0 3.19, 5.0 4.20. */
static unsigned release_before(unsigned version)
{
	static const unsigned last_of_major[] = {
		[2] = V26(39), [3] = V(3, 19), [4] = V(4, 20), [5] = V(5, 19)
	};
	unsigned major = version >> 16;

	if (major == 2 || (version & 0xff))
		return version - 1;
	return version == V(major, 0) ? last_of_major[major - 1] : version - V(0, 1);
}

void component_range(const struct component_row *row, char *buf, size_t size)
{
	char from[16], to[16];
	const char *suffix = row->patches & KERNEL_BASE ? "base" : "";

	kver_print(row->since, from, sizeof(from));
	if (row->until == COMPONENT_OPEN) {
		snprintf(buf, size, "%s ..", from);
		return;
	}
	kver_print(release_before(row->until), to, sizeof(to));
	if (strcmp(from, to) == 0)
		snprintf(buf, size, "%s%s%s", from, suffix,
			row->patches & KERNEL_CONSOLIDATED ? " + consolidate-v7" : "");
	else
		snprintf(buf, size, "%s .. %s", from, to);
}

const char *component_basis_name(enum component_basis basis)
{
	static const char *const names[] = {
		[COMPONENT_CHECKED] = "checked by vectors",
		[COMPONENT_DESCRIBED] = "only described",
		[COMPONENT_EXTRAPOLATED] = "extrapolated",
	};

	return names[basis];
}
