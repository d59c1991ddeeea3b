/*
 * What each task of a recording did, free of the machine it did it on: bursts of work, forks,
 * blocks, and the points of progress at which one task woke another. Knows no trace format and no
 * simulator clock.
 *
 * A wake-up by a task is an edge: one TRACE_OP_POST in the waker's script and one TRACE_OP_BLOCK in
 * the sleeper's, with a channel of their own. Every POST stands before the end of its BLOCK in the
 * order of the recording, so the edges of a recording cannot form a circle. Time spent waiting for
 * a CPU appears nowhere.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/kernel/task.h"
#include "workloads/trace/event.h"

enum trace_op_kind {
	TRACE_OP_NONE, /* dropped: an edge to a task that is not replayed */
	TRACE_OP_RUN,
	TRACE_OP_SPAWN,
	TRACE_OP_POST,
	TRACE_OP_BLOCK, /* ended by a waker that is replayed */
	TRACE_OP_SLEEP, /* ended by something else: a timer, an interrupt, a task left out */
	TRACE_OP_IO,    /* the same, waiting for a device */
	TRACE_OP_UNTIL, /* a sleep that ends at a time of its own: ns after the start */
};

struct trace_task;

struct trace_op {
	struct trace_op *next;
	enum trace_op_kind kind;
	int cpu;    /* RUN: whose clock is not known yet; -1 when work is filled */
	int64_t ns; /* RUN: run time; BLOCK, SLEEP, IO: off the CPU until woken, -1 while open */
	union {
		int64_t work;                   /* RUN: kHz x ns */
		struct trace_task *child;       /* SPAWN */
		struct {                        /* POST */
			struct trace_op *block; /* NULL: it woke nobody */
			struct trace_task *sleeper;
			enum wake_kind wake;
		} post;
		struct {                          /* BLOCK */
			struct trace_task *waker; /* NULL: no task */
			bool device;              /* uninterruptible */
			uint32_t nr;              /* of the edge, where it is written to a file */
			int64_t end_ns;           /* in the recording */
			struct channel channel;
		} wait;
	} u;
};

enum trace_run_state {
	TRACE_TASK_UNSEEN, /* alive before the recording, no event about it yet */
	TRACE_TASK_READY,
	TRACE_TASK_RUNNING,
	TRACE_TASK_ASLEEP,
	TRACE_TASK_ASTRAY, /* was running when its CPU lost events */
	TRACE_TASK_GONE,
};

/* One task: a pid from its birth to its death. */
struct trace_task {
	int64_t pid;
	int64_t nr; /* where it is written to a file */
	char comm[TRACE_COMM_SIZE];
	struct trace_task *next;   /* all tasks, in order of birth or first sight */
	struct trace_task *parent; /* NULL: not seen */
	enum trace_run_state state;
	bool idle;    /* stands for an idle CPU */
	bool named;   /* bore the name asked for at some time */
	bool in_tree; /* replayed */
	bool exiting;
	int cpu;          /* while running */
	int64_t since_ns; /* state's beginning, or what is accounted up to */
	int64_t birth_ns, death_ns;
	int64_t woken_ns; /* last wake-up, and where it was sent */
	int woken_cpu;
	struct trace_op *woken_by; /* its POST, until it is known where that put the task */
	int waker_cpu;             /* where the last wake-up happened */
	int64_t run_ns;
	int64_t waits, wait_ns, wait_max_ns; /* from runnable to running */
	int prio, prio_votes;                /* as the kernel counts; how sure that is */
	bool woken;                          /* that is why it is runnable: waker_cpu is known */
	struct trace_op *first, *last;
	struct trace_op *block; /* open */
	struct trace_op *early; /* POST of a wake-up that came while it still ran */
	struct trace_task *early_waker;
	int put_cpu;                /* where it waits for its first turn; -1: it does not */
	int64_t put_epoch;          /* losses of events when it was put there (newidle.h) */
	struct trace_op *spawn;     /* in the parent's script, until it has run */
	struct trace_op *exit_post; /* at its exit */
	struct trace_task *zombies, *last_zombie, *next_zombie; /* exited children, in order */
	bool reaped;                                            /* a zombie its parent knows of */
	int64_t delay_ns;  /* before its first op, for a task nobody spawns */
	struct task *task; /* that replays it */
};

struct trace_op *trace_op_add(
	struct arena *arena, struct trace_task *task, enum trace_op_kind kind);
