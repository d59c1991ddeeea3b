/*
 * Energy-aware placement: on a machine with CPUs of several sizes a waking task goes where the
 * energy model says it costs least. Knows the kernel's model of power, not power.
 *
 * Follows find_energy_efficient_cpu() of 5.10 and compute_energy(): in each performance domain the
 * CPU with most room, or the task's last one, and only when it saves a sixteenth. Above 80 % of any
 * CPU the search is off (rd->overutilized).
 */
#pragma once

#include <stdbool.h>

#include "sim/base/arena.h"

struct kernel;
struct task;

/* Makes the energy model of a machine whose CPUs differ, when kernel.energy_aware says so. The
 * policies have been built. */
void eas_build(struct kernel *kernel, struct arena *arena);
/* The CPU for a task that wakes; -1: the search is off. */
int eas_select_cpu(const struct kernel *kernel, const struct task *task);
/* @task fits onto the CPU with a fifth to spare; follows task_fits_capacity(). */
bool eas_task_fits(const struct kernel *kernel, const struct task *task, int cpu);
