/*
 * CPUs go offline and come back. Knows run queues, timers and policies; knows no governor.
 *
 * Follows kernel/cpu.c's order: the cpufreq core lets go of the CPU (cpufreq_offline()), its tasks
 * go elsewhere (balance_push(), select_fallback_rq()), its timers too (hrtimers_cpu_dying()), its
 * tick stops. An offline CPU stays in its deepest idle state; what it last asked of its clock
 * domain still counts there. ns.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct kernel;

/* When a change can be made: now (0), or later, as deferred work of the CPU's policy is under way
 * or a command has frozen the CPU. */
int64_t hotplug_wait_ns(const struct kernel *kernel, int cpu);
/* Writes to the file online; what it says already changes nothing. @cpu is not 0. */
void hotplug_set_online(struct kernel *kernel, int cpu, bool online);
