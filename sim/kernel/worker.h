/*
 * The kernel thread of a CPU that does a governor's deferred work. Knows policies and their queue,
 * not what the work is.
 *
 * It is a fair kworker, or, of a governor with threads of its own (schedutil), a real-time task of
 * priority 50 up to 4.15 and from 4.16 on a deadline task before all others. At its work it holds a
 * lock, or spins for one: then nobody takes the CPU from it.
 */
#pragma once

#include <stdbool.h>

struct policy;
struct rq;

void worker_init(struct rq *rq);
/* Queued work of a policy is not done after all; none of it has begun. */
void worker_cancel(struct policy *policy);
/* There is work, and nothing that waits here comes before it. */
bool worker_is_next(struct rq *rq);
/* Does the first work of the queue; the CPU is held until it is done. */
void worker_run(struct rq *rq);
