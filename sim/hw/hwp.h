/*
 * Hardware that chooses its clock by itself (HWP), inside the range that a driver writes. Knows a
 * CPU's busy time and its range; knows no kernel and no utilisation. Clocks in kHz.
 *
 * Where the range names a desired clock the hardware runs at that. Elsewhere it looks back once a
 * period: how long was the CPU busy? No vendor publishes the rule, so it is a parameter; with the
 * step rule a half-busy CPU may swing between the two ends of its range.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/engine/engine.h"

struct cpu;
struct machine;

#define HWP_EPP_BALANCE 128

/* What the request register says. */
struct hwp_request {
	int64_t min_khz, max_khz;
	int64_t desired_khz; /* 0: the hardware chooses */
	int64_t epp;         /* 0 performance .. 255 least power */
};

enum hwp_choice {
	HWP_STEP,         /* the top from the threshold on, else the bottom of the range */
	HWP_PROPORTIONAL, /* in between by the busy share, the top from the threshold on */
};

/* The threshold holds for a balanced preference; it scales with epp, so that 0 always means the
 * top, and ends at 100 %. */
struct hwp_rule {
	int64_t period_ns; /* 0: the hardware does not choose */
	int64_t threshold_pct;
	enum hwp_choice choice;
};

struct hwp_cpu {
	struct cpu *cpu;
	struct hwp_rule rule;
	struct hwp_request request;
	int64_t share_pct; /* busy in the last period */
	int64_t busy_ns;   /* at the start of this period */
	int64_t writes;    /* of the request register */
	int64_t choices;   /* periods looked back on */
	struct timer look; /* the end of the period; stands still on an idle CPU */
};

/* Gives every CPU of the machine the ability. Before engine_start(). */
void hwp_build(struct machine *machine, const struct hwp_rule *rule, struct arena *arena);

/* The clock the hardware takes after a period with that busy share. */
int64_t hwp_choose_khz(
	const struct hwp_rule *rule, const struct hwp_request *request, int64_t share_pct);

/* A driver writes the register. */
void hwp_write(struct hwp_cpu *hwp, const struct hwp_request *request);
/* The CPU has left idle: a period begins. Called by cpu.c. */
void hwp_wake(struct hwp_cpu *hwp);
