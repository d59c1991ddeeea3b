#include "sim/kernel/cputime.h"

#include "sim/base/units.h"
#include "sim/kernel/rq.h"

void cputime_idle_passed(struct rq *rq)
{
	int64_t now = rq->kernel->engine->now_ns;
	int64_t ns = now - rq->idle_from_ns;

	if (rq->nr_iowait > 0)
		rq->iowait_ns += ns;
	else
		rq->idle_ns += ns;
	rq->idle_from_ns = now;
}

void cputime_read(struct kernel *kernel, int cpu, struct cputime *out)
{
	struct rq *rq = &kernel->rqs[cpu];

	if (rq->idle)
		cputime_idle_passed(rq);
	out->wall_us = (uint64_t)(kernel->engine->now_ns / NSEC_PER_USEC);
	out->idle_us = (uint64_t)(rq->idle_ns / NSEC_PER_USEC);
	out->iowait_us = (uint64_t)(rq->iowait_ns / NSEC_PER_USEC);
	out->nice_us = (uint64_t)(rq->nice_ns / NSEC_PER_USEC);
}
