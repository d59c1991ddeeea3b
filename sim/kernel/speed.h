/*
 * What a tick learns of its CPU's real speed, for load tracking (kernel.invariance), and the CPU
 * time that takes. Knows where the numbers come from; the arithmetic on them is invariance.h's and
 * cppc.h's.
 */
#pragma once

struct rq;

/* @rq's CPU is busy and ticks. */
void speed_learn(struct rq *rq);
