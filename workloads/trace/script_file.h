/*
 * Scripts as a file of their own: what is left of a recording when it is no longer tied to the
 * machine it was made on. Knows scripts and this file's lines; knows no trace.
 *
 *   cpufreq-sim workload 1
 *   # what was assumed
 *   recorded 2 4700 5000   CPUs of the recording; ns that wake-ups of idle ones took, there
 *   standin 1              by an interrupt and by another CPU; a CPU that a stand-in kept busy
 *   tasks 2 edges 1
 *   task 24532 0 make      its pid, ns until it starts ("-": another spawns it), its name
 *   prio 110               as the kernel counts, where it is not 120; "deadline 0" below 0
 *   run 2940000000         work in kHz x ns: one cycle is 1000000
 *   spawn 1                the second task of the file
 *   wait 0                 for edge 0
 *   task 24533 - sh
 *   post 0                 edge 0; postsync, postexit: the task says that it will wait, or ends
 *   sleep 1000             ns
 *   until 20000            ns after the start
 *   io 52000               ns, waiting for a device
 */
#pragma once

#include <stdio.h>

#include "workloads/trace/import.h"

/* Whether @path begins as such a file does. */
bool script_file_is(const char *path);
/* 0 or -1 with @err. */
int script_file_load(
	struct arena *arena, const char *path, struct trace_import *import, struct error *err);
/* The first line; comments may follow, then the rest. */
void script_file_begin(FILE *out);
void script_file_save(FILE *out, struct trace_import *import);
