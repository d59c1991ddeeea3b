/*
 * What an rt-app file describes: tasks, their phases and events, and the things these wait for.
 * Knows rt-app's words (its tutorial, and the grammar of files before 2014); knows no simulator
 * clock. Times are ns.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/kernel/task.h"

enum rt_kind {
	RT_RUN,     /* ns of the reference clock's work */
	RT_RUNTIME, /* ns, whatever the clock */
	RT_SLEEP,
	RT_TIMER, /* until ns after its last expiry */
	RT_LOCK,
	RT_UNLOCK,
	RT_WAIT,   /* for @object, giving up @mutex meanwhile */
	RT_SYNC,   /* the same, after a signal */
	RT_SIGNAL, /* one who waits for @object */
	RT_BROAD,  /* all who do */
	RT_SUSPEND,
	RT_BARRIER,
	RT_SEM_POST,
	RT_SEM_WAIT,
	RT_FORK,
};

enum rt_object_kind { RT_MUTEX, RT_CONDITION, RT_CLOCK, RT_GATE, RT_SEMAPHORE };

struct rt_object {
	const char *name;
	enum rt_object_kind kind;
	struct rt_object *next;
	struct channel channel;
	const struct task *owner; /* MUTEX */
	int64_t waiters;          /* CONDITION, GATE */
	int64_t users, arrived;   /* GATE: a barrier */
	bool set;                 /* CLOCK: a timer */
	int64_t next_ns;
};

struct rt_event {
	struct rt_event *next;
	enum rt_kind kind;
	int64_t ns;
	bool absolute;            /* TIMER: keeps its beat even when late */
	struct rt_object *object; /* TIMER: NULL is the task's own */
	struct rt_object *mutex;
	const char *child_name; /* FORK */
	struct rt_task *child;
	struct where at;
};

struct rt_phase {
	struct rt_phase *next;
	int64_t loops; /* -1: for ever */
	struct rt_event *first, *last;
};

struct rt_task {
	struct rt_task *next;
	const char *name;
	int64_t instances, loops, delay_ns;
	struct cpumask *allowed; /* NULL: all CPUs */
	int64_t last_cpu;        /* of those */
	enum task_class class;
	int64_t priority;                    /* FIFO, RR: 1 to 99; FAIR: nice */
	int64_t dl_runtime_ns, dl_period_ns; /* DEADLINE */
	int64_t util_min, util_max;
	struct rt_phase *first, *last;
};

struct rt_program {
	struct rt_task *tasks, *last_task;
	struct rt_object *objects;
	int64_t nr_instances;
	int64_t duration_ns; /* -1: until all end */
	bool forks, endless;
	bool bytes; /* some events say how much is moved, not how long that takes */
};

/* Reads the files named in @files, separated by blanks, as one program. @dir: where relative names
 * are looked for first; may be NULL. 0 or -1 with @err. */
int rt_program_read(struct arena *arena, const char *dir, const char *files,
	struct rt_program *program, struct error *err);
