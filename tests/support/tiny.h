/*
 * A small run for tests: a scenario as text, the real plug-ins, and a workload whose tasks follow
 * a script of steps written in the test.
 */
#pragma once

#include "sim/run.h"

/* A scripted task: its steps, ended by STEP_EXIT. A RUN step's work is in kHz x ns; SPAWN starts
 * script @spawn. */
struct script_step {
	struct step step;
	int spawn;
};

struct script {
	const struct script_step *steps;
	int cpu;         /* at the start; -1: not started, someone spawns it */
	bool background; /* not leading */
};

/* A script whose task has a class of its own. */
struct job {
	const struct script_step *steps;
	int cpu;
	bool background;
	int nice, fifo; /* fifo: priority of a real-time task */
	bool round_robin;
	int pin; /* 1: it stays on the CPU it starts on */
	int64_t dl_runtime_ns, dl_period_ns;
};

#define SCRIPT_RUN(khz_ns)                                                    \
	{                                                                     \
		.step = {.kind = STEP_RUN, .work = (khz_ns), .move_cpu = -1 } \
	}
#define SCRIPT_SLEEP(t)                                                  \
	{                                                                \
		.step = {.kind = STEP_SLEEP, .ns = (t), .move_cpu = -1 } \
	}
#define SCRIPT_IO(t)                                                  \
	{                                                             \
		.step = {.kind = STEP_IO, .ns = (t), .move_cpu = -1 } \
	}
#define SCRIPT_SPAWN(nr)                                                      \
	{                                                                     \
		.step = { .kind = STEP_SPAWN, .move_cpu = -1 }, .spawn = (nr) \
	}
#define SCRIPT_WAIT(c)                                                       \
	{                                                                    \
		.step = {.kind = STEP_WAIT, .channel = (c), .move_cpu = -1 } \
	}
#define SCRIPT_POST(c)                                                       \
	{                                                                    \
		.step = {.kind = STEP_POST, .channel = (c), .move_cpu = -1 } \
	}
#define SCRIPT_EXIT                                          \
	{                                                    \
		.step = {.kind = STEP_EXIT, .move_cpu = -1 } \
	}

struct tiny {
	struct arena arena;
	struct scenario scenario;
	struct run run;
	struct error err;
	int64_t exit_ns[16]; /* per script: when it ended */
	int exit_cpu[16];
};

/* Builds the run of @yaml. With @scripts the workload is "scripted", at most 16 of them. 0 or -1
 * with tiny->err. */
int tiny_build(struct tiny *tiny, const char *yaml, const struct script *scripts, int nr);
/* The same and executes it; fails the test when either goes wrong. */
void tiny_run(struct tiny *tiny, const char *yaml, const struct script *scripts, int nr);
void tiny_run_jobs(struct tiny *tiny, const char *yaml, const struct job *jobs, int nr);
void tiny_free(struct tiny *tiny);

/* Sums over the policies. */
int64_t tiny_commands(const struct tiny *tiny);
