#include "sim/hw/machine.h"

#include <assert.h>

#include "sim/base/param.h"
#include "sim/base/units.h"
#include "sim/hw/core.h"

static bool vote_counts(enum clock_vote rule, enum cpu_mode mode)
{
	switch (rule) {
	case VOTE_RUNNING:
		return mode == CPU_RUN;
	case VOTE_NON_IDLE:
		return mode != CPU_IDLE;
	case VOTE_ALL:
		return true;
	}
	return true;
}

/* The highest clock with a counting vote; with none the clock stays where it is. */
static int domain_elect(const struct domain *domain)
{
	int elected = domain->clock;

	for (int i = domain->nr_clocks - 1; i >= 0; i--)
		if (domain->votes[i]) {
			elected = i;
			break;
		}
	return elected < domain->cap ? elected : domain->cap;
}

static void domain_follow_votes(struct domain *domain)
{
	int clock = domain_elect(domain);

	if (clock == domain->clock)
		return;
	/* Time up to now passed at the old clock: account it before the clock changes. */
	for (int i = 0; i < domain->nr_cpus; i++)
		cpu_account(domain->cpus[i]);
	domain->clock = clock;
	domain->changes++;
	for (int i = 0; i < domain->nr_cpus; i++)
		if (domain->cpus[i]->mode == CPU_RUN)
			cpu_replan(domain->cpus[i]);
}

void domain_cap(struct domain *domain, int cap)
{
	assert(cap >= 0 && cap < domain->nr_clocks);
	domain->cap = cap;
	domain_follow_votes(domain);
}

void domain_count_vote(struct domain *domain, struct cpu *cpu, enum cpu_mode old)
{
	bool before = vote_counts(domain->rule, old);
	bool after = vote_counts(domain->rule, cpu->mode);

	if (before == after)
		return;
	domain->votes[cpu->vote] += after ? 1 : -1;
	domain_follow_votes(domain);
}

void cpu_vote(struct cpu *cpu, int index)
{
	struct domain *domain = cpu->domain;

	assert(index >= 0 && index < domain->nr_clocks);
	if (vote_counts(domain->rule, cpu->mode)) {
		domain->votes[cpu->vote]--;
		domain->votes[index]++;
	}
	cpu->vote = index;
	domain_follow_votes(domain);
}

int domain_clock_index(const struct domain *domain, int64_t clock_khz)
{
	int lo = 0, hi = domain->nr_clocks - 1;

	while (lo < hi) {
		int mid = (lo + hi + 1) / 2;

		if (domain->clocks_khz[mid] <= clock_khz)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

/* Thaws the CPUs whose time has come; the timer then waits for the next. */
static void machine_thaw(struct timer *timer)
{
	struct machine *machine = container_of(timer, struct machine, thaw);
	int64_t now = machine->engine->now_ns, next = NEVER_NS;

	for (int i = 0; i < machine->nr_cpus; i++) {
		struct cpu *cpu = &machine->cpus[i];

		if (!cpu->frozen)
			continue;
		if (cpu->frozen_until_ns > now) {
			next = min_i64(next, cpu->frozen_until_ns);
			continue;
		}
		/* An idle CPU has nothing to plan, and most are idle. */
		if (cpu->mode == CPU_RUN)
			cpu_account(cpu);
		cpu->frozen = false;
		if (cpu->mode == CPU_RUN)
			cpu_replan(cpu);
		machine->thawed(machine->arg, cpu);
	}
	if (next != NEVER_NS)
		timer_arm(&machine->thaw, next);
}

static bool stall_reaches(enum stall_scope scope, const struct cpu *issuer, const struct cpu *cpu)
{
	switch (scope) {
	case STALL_NONE:
		return false;
	case STALL_ISSUER:
		return cpu == issuer;
	case STALL_PACKAGE:
		return cpu->package == issuer->package;
	case STALL_ALL:
		return true;
	}
	return false;
}

void machine_stall(struct machine *machine, struct cpu *issuer, enum stall_scope scope, int64_t ns)
{
	int64_t end = machine->engine->now_ns + ns;

	if (ns <= 0 || scope == STALL_NONE)
		return;
	for (int i = 0; i < machine->nr_cpus; i++) {
		struct cpu *cpu = &machine->cpus[i];

		if (!stall_reaches(scope, issuer, cpu))
			continue;
		if (cpu->mode == CPU_RUN)
			cpu_account(cpu);
		cpu->frozen_until_ns = cpu->frozen ? max_i64(cpu->frozen_until_ns, end) : end;
		cpu->frozen = true;
		if (cpu->mode == CPU_RUN)
			cpu_replan(cpu);
	}
	machine->stalls++;
	machine->stall_ns += ns;
	if (!timer_armed(&machine->thaw) || machine->thaw.when_ns > end)
		timer_arm(&machine->thaw, end);
}

void machine_account(struct machine *machine)
{
	int64_t now = machine->engine->now_ns;

	for (int i = 0; i < machine->nr_cpus; i++)
		cpu_account(&machine->cpus[i]);
	for (int i = 0; i < machine->nr_packages; i++) {
		struct package *package = &machine->packages[i];

		if (package->nr_busy > 0) {
			package->active_ns += now - package->since_ns;
			package->since_ns = now;
		}
	}
}

static void burst_done(struct timer *timer)
{
	struct cpu *cpu = container_of(timer, struct cpu, done);

	cpu_account(cpu);
	cpu->machine->done(cpu->machine->arg, cpu);
}

static void build_cpu(struct machine *machine, struct cpu *cpu, const struct cpus_spec *range)
{
	struct package *package = &machine->packages[range->package];

	cpu->id = (int)(cpu - machine->cpus);
	cpu->machine = machine;
	cpu->package = package;
	cpu->capacity = range->capacity;
	cpu->idle_state = CPU_STATE_IDEAL;
	cpu->dmips = range->dmips ? range->dmips : range->capacity;
	if (package->nr_cpus++ == 0)
		package->first_cpu = cpu->id;
	timer_init(machine->engine, &cpu->done, ORDER_DONE, burst_done);
}

static void build_kind(struct cpu *cpu, const struct machine_spec *spec,
	const struct opp_table *table, struct arena *arena)
{
	cpu->table = table;
	cpu->cstates = table->cstates ? table->cstates : spec->cstates;
	cpu->nr_cstates = (int)(table->cstates ? table->nr_cstates : spec->nr_cstates);
	cpu->idle_ns = arena_array(arena, (size_t)cpu->nr_cstates, sizeof(*cpu->idle_ns));
	cpu->idle_nr = arena_array(arena, (size_t)cpu->nr_cstates, sizeof(*cpu->idle_nr));
}

/* The cores of a range, a whole number of them. */
static void build_cores(struct machine *machine, const struct cpus_spec *range)
{
	int nr = range->last - range->first + 1, smt = (int)max_i64(range->smt, 1);
	int cores = nr / smt;

	for (int i = 0; i < cores; i++) {
		struct core *core = &machine->cores[machine->nr_cores];
		bool apart = range->siblings == SIBLINGS_APART;

		core->id = machine->nr_cores++;
		core->nr_cpus = smt;
		core->cpus = machine->cpus;
		core->power_ppm = max_i64(range->smt_power_ppm, PPM);
		core->step = apart ? cores : 1;
		core->first_cpu = range->first + (apart ? i : i * smt);
		if (range->smt_yield_ppm != PARAM_AUTO && smt > 1)
			core->yield_ppm = range->smt_yield_ppm;
		for (int t = 0; t < smt; t++)
			machine->cpus[core->first_cpu + t * core->step].core = core;
	}
}

static void build_cpus(struct machine *machine, struct arena *arena)
{
	const struct machine_spec *spec = machine->spec;

	for (size_t r = 0; r < spec->nr_cpu_ranges; r++)
		for (int c = spec->cpus[r].first; c <= spec->cpus[r].last; c++)
			build_cpu(machine, &machine->cpus[c], &spec->cpus[r]);
	for (size_t r = 0; r < spec->nr_cpu_ranges; r++)
		build_cores(machine, &spec->cpus[r]);
	for (size_t p = 0; p < spec->nr_policies; p++)
		for (int c = spec->policies[p].first; c <= spec->policies[p].last; c++)
			build_kind(&machine->cpus[c], spec, machine_table(spec, (int)p), arena);
}

static int domain_of_cpu(const struct machine_spec *spec, const struct cpu *cpu)
{
	switch (spec->clock_scope) {
	case CLOCK_CPU:
		return cpu->id;
	case CLOCK_PACKAGE:
		return cpu->package->id;
	case CLOCK_GROUP:
		return cpu->id / (int)spec->clock_group;
	case CLOCK_POLICY:
		for (size_t p = 0; p < spec->nr_policies; p++)
			if (cpu->id >= spec->policies[p].first && cpu->id <= spec->policies[p].last)
				return (int)p;
	}
	assert(0 && "every CPU is in a policy");
	return 0;
}

static int count_domains(const struct machine_spec *spec)
{
	switch (spec->clock_scope) {
	case CLOCK_CPU:
		return spec->nr_cpus;
	case CLOCK_PACKAGE:
		return spec->nr_packages;
	case CLOCK_POLICY:
		return (int)spec->nr_policies;
	case CLOCK_GROUP:
		return (int)ceil_div_i64(spec->nr_cpus, spec->clock_group);
	}
	return 0;
}

static void build_domains(struct machine *machine, struct arena *arena)
{
	machine->nr_domains = count_domains(machine->spec);
	machine->domains = arena_array(
		arena, (size_t)machine->nr_domains, sizeof(*machine->domains));
	for (int i = 0; i < machine->nr_cpus; i++) {
		struct cpu *cpu = &machine->cpus[i];

		cpu->domain = &machine->domains[domain_of_cpu(machine->spec, cpu)];
		cpu->domain->nr_cpus++;
	}
	for (int d = 0; d < machine->nr_domains; d++) {
		struct domain *domain = &machine->domains[d];

		domain->id = d;
		domain->rule = machine->spec->clock_vote;
		domain->cpus = arena_array(arena, (size_t)domain->nr_cpus, sizeof(*domain->cpus));
		domain->nr_cpus = 0;
	}
	for (int i = 0; i < machine->nr_cpus; i++) {
		struct domain *domain = machine->cpus[i].domain;

		domain->cpus[domain->nr_cpus++] = &machine->cpus[i];
	}
}

void machine_build(struct machine *machine, const struct machine_spec *spec, struct engine *engine,
	struct arena *arena)
{
	machine->spec = spec;
	machine->engine = engine;
	machine->nr_cpus = spec->nr_cpus;
	machine->cpus = arena_array(arena, (size_t)spec->nr_cpus, sizeof(*machine->cpus));
	machine->nr_packages = spec->nr_packages;
	machine->packages = arena_array(
		arena, (size_t)spec->nr_packages, sizeof(*machine->packages));
	for (int p = 0; p < spec->nr_packages; p++) {
		machine->packages[p].id = p;
		machine->packages[p].machine = machine;
	}
	machine->cores = arena_array(arena, (size_t)spec->nr_cpus, sizeof(*machine->cores));
	build_cpus(machine, arena);
	build_domains(machine, arena);
	timer_init(engine, &machine->thaw, ORDER_CLOCK, machine_thaw);
}

void domain_set_clocks(struct domain *domain, const int64_t *clocks_khz, size_t nr,
	int64_t boot_khz, struct arena *arena)
{
	domain->clocks_khz = clocks_khz;
	domain->nr_clocks = (int)nr;
	domain->cap = domain->nr_clocks - 1;
	domain->votes = arena_array(arena, nr, sizeof(*domain->votes));
	domain->clock = domain_clock_index(domain, boot_khz);
	for (int i = 0; i < domain->nr_cpus; i++) {
		struct cpu *cpu = domain->cpus[i];

		cpu->vote = domain->clock;
		cpu->busy_ns = arena_array(arena, nr, sizeof(*cpu->busy_ns));
		if (vote_counts(domain->rule, cpu->mode))
			domain->votes[cpu->vote]++;
		if (cpu->core->nr_cpus > 1 && cpu->core->first_cpu == cpu->id)
			core_build(cpu->core, arena);
	}
}
