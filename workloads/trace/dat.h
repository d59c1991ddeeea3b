/*
 * Events of a trace.dat file, versions 6 and 7, read through libtracecmd. Knows the fields of the
 * events that matter; knows no scheduler.
 *
 * The library runs in a process of its own: it ends that process on a file cut in its data, and may
 * on a damaged one. What it says is silenced. Records come in the order of time over all CPUs and
 * all buffers of the file.
 */
#pragma once

#include <sys/types.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "workloads/trace/event.h"

/* The first bytes of such a file. */
#define TRACE_DAT_MAGIC "\x17\x08\x44tracing"
#define TRACE_DAT_MAGIC_LEN 10

struct trace_dat {
	const char *path;   /* in messages */
	pid_t child;        /* 0: none */
	int fd;             /* its events */
	int64_t silence_ms; /* after which it is taken to have gone astray */
	unsigned char *buf;
	size_t at, len;
	char compression[16]; /* as the file names it; "" = none */
};

/* @file is read, @path is named in messages. 0 or -1 with @err. */
int trace_dat_open(struct trace_dat *dat, struct arena *arena, const char *file, const char *path,
	struct error *err);
/* 1 and the next event, 0 at the end, -1 with @err. */
int trace_dat_next(struct trace_dat *dat, struct trace_event *event, struct error *err);
void trace_dat_close(struct trace_dat *dat);
