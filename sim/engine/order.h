/*
 * What goes first on the same nanosecond. The order is part of the model: hardware changes before
 * the work it affects is counted as done, work before the events it may cause, the kernel's own
 * periodic business after that, observers last. Within a class the timer armed first fires first.
 */
#pragma once

enum order_class {
	ORDER_CLOCK, /* a stall begins or ends, a new clock takes effect */
	ORDER_DONE,  /* a CPU finished the work at hand */
	ORDER_WAKE,  /* timers and I/O of tasks */
	ORDER_EVENT, /* things the scenario does at a given time */
	ORDER_TICK,  /* the scheduler tick */
	ORDER_WORK,  /* deferred work ends */
	ORDER_PROBE, /* samplers and the end of the run */
};
