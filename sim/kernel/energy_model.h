/*
 * The energy model of a performance domain: what its states cost, and what a domain would use at a
 * given utilisation. Knows the numbers firmware registers, not real power (sim/hw). Frequencies in
 * kHz, power in mW (5.10) or uW, utilisation 0..1024; costs and energies have the kernel's own,
 * abstract units.
 *
 * Follows kernel/power/energy_model.c and em_cpu_energy() of include/linux/energy_model.h.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct em_state {
	uint64_t khz, power;
	uint64_t performance; /* from 6.8 on: capacity units at this state */
	uint64_t cost;
	bool inefficient; /* a higher state costs no more per unit of work */
};

struct em_domain {
	struct em_state *states; /* rising frequency */
	int nr;
	uint64_t capacity; /* of its first CPU */
	bool skip_inefficient;
	unsigned version;
};

/* Fills performance, cost and inefficient from frequency and power. */
void em_compute(struct em_domain *domain);
/* The state that serves @max_util; @allowed caps it from 5.14 on. */
int em_state_for(const struct em_domain *domain, uint64_t max_util, uint64_t allowed);
/* Energy of all CPUs together at @sum_util in that state. Follows em_cpu_energy(). */
uint64_t em_energy(
	const struct em_domain *domain, uint64_t max_util, uint64_t sum_util, uint64_t allowed);
