#include "sim/kernel/components.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "drivers/drivers.h"
#include "governors/conservative_sample.h"
#include "governors/dbs.h"
#include "governors/governors.h"
#include "governors/ondemand_sample.h"
#include "governors/pstate_pid.h"
#include "governors/schedutil_core.h"
#include "sim/driver.h"
#include "sim/governor.h"
#include "sim/kernel/cppc.h"
#include "sim/kernel/cpufreq_stats.h"
#include "sim/kernel/energy_model.h"
#include "sim/kernel/fair.h"
#include "sim/kernel/freq_table.h"
#include "sim/kernel/invariance.h"
#include "sim/kernel/kernel_spec.h"
#include "sim/kernel/pstate.h"
#include "sim/kernel/rq_pelt.h"
#include "sim/kernel/util.h"
#include "sim/kernel/version.h"

#define PRINT_MAX 512

/* What a component does in a kernel, as bytes to compare. */
struct print {
	unsigned char bytes[PRINT_MAX];
	size_t nr;
};

static void put(struct print *print, const void *data, size_t size)
{
	cr_assert(le(sz, print->nr + size, sizeof(print->bytes)));
	memcpy(print->bytes + print->nr, data, size);
	print->nr += size;
}

#define PUT(print, value) put(print, &(value), sizeof(value))

static void put_number(struct print *print, int64_t value)
{
	PUT(print, value);
}

static void core(struct print *print, unsigned version)
{
	struct freq_entry rising[] = { { .khz = 1470000 }, { .khz = 2205000, .inefficient = true },
		{ .khz = 2940000 } };
	struct freq_entry mixed[] = { { .khz = 2205000 }, { .khz = 1470000 }, { .khz = 2940000 } };
	struct freq_table sorted = { .entries = rising, .nr = 3 };
	struct freq_table unsorted = { .entries = mixed, .nr = 3 };
	struct freq_limits between = { 1500000, 2100000 }, crossed = { 2940000, 1470000 };
	struct freq_limits limits = between;
	const struct freq_limits cpuinfo = { 1470000, 2940000 };
	const struct freq_request request = { .limits = between, .cur_khz = 1, .version = version };

	freq_table_sort(&sorted);
	freq_table_sort(&unsorted);
	put_number(print, freq_request(&request, 4381500, RELATION_L).khz);
	put_number(print, freq_table_target(&unsorted, 1600000, between, RELATION_L, version));
	put_number(print, freq_resolve(&sorted, 2205000, cpuinfo, version).khz);
	put_number(print, freq_fast_switch_khz(1000000, crossed, version));
	freq_table_verify(&sorted, &limits, cpuinfo, version);
	put_number(print, limits.max_khz);
}

static void delay(struct print *print, unsigned version)
{
	put_number(print, freq_transition_delay_us(62000, 0, version));
	put_number(print, freq_transition_delay_us(0, 4381, version));
	put_number(print, freq_transition_delay_us(4381500, 0, version));
}

static void statistics(struct print *print, unsigned version)
{
	put_number(print, cpufreq_stats_clock_ns(version, 250, 43815123));
}

static void tracking(struct print *print, unsigned version)
{
	PUT(print, *(const struct pelt_rules *)pelt_rules(version));
	memset(print->bytes, 0, sizeof(unsigned)); /* the row's own version */
}

static void utilisation(struct print *print, unsigned version)
{
	const struct util_rules *rules = util_rules(version);

	put_number(print, rules->cfs_estimate);
	put_number(print, rules->cfs_limited);
	put_number(print, rules->knows_capped);
	put_number(print, rules->limits_apart);
}

static void fair(struct print *print, unsigned version)
{
	put_number(print, fair_rules(version)->since);
}

static void sampler(struct print *print, unsigned version)
{
	put_number(print, dbs_rules(version)->since);
}

static void ondemand(struct print *print, unsigned version)
{
	put_number(print, ondemand_rules(version)->since);
}

static void conservative(struct print *print, unsigned version)
{
	put_number(print, conservative_rules(version)->since);
}

static void schedutil(struct print *print, unsigned version)
{
	put_number(print, sugov_rules(version, 0).first_version);
}

static void pstate_pid(struct print *print, unsigned version)
{
	put_number(print, pstate_pid_rules(version)->since);
}

static void pstate_load(struct print *print, unsigned version)
{
	put_number(print, pstate_rules(version)->since);
}

static void energy(struct print *print, unsigned version)
{
	struct em_state states[] = { { .khz = 1470000, .power = 210 },
		{ .khz = 2940000, .power = 977 } };
	struct em_domain domain = {
		.states = states, .nr = 2, .capacity = 877, .version = version
	};

	em_compute(&domain);
	for (int i = 0; i < 2; i++)
		put_number(print, (int64_t)states[i].cost);
	put_number(print, (int64_t)em_energy(&domain, 431, 613, 877));
}

static void invariance(struct print *print, unsigned version)
{
	put_number(print, (int64_t)capacity_pressure(877, 2940, 2205438, version));
}

static void cppc(struct print *print, unsigned version)
{
	const struct cppc_caps caps = { .highest_perf = 231,
		.nominal_perf = 177,
		.lowest_perf = 43,
		.lowest_freq = 815,
		.nominal_freq = 2400 };
	struct cppc_counters prev = { 1, 2, 177 }, now = { 1, 2, 177 };
	uint64_t scale = 0;

	put_number(print, cppc_perf_to_khz(&caps, 97, version));
	put_number(print, cppc_khz_to_perf(&caps, 1885000, version));
	cppc_freq_scale(&prev, &now, 231, 100, version, &scale);
	put_number(print, (int64_t)scale);
}

static const struct {
	const char *component;
	void (*print)(struct print *print, unsigned version);
} prints[] = {
	{ "cpufreq core", core },
	{ "transition delay", delay },
	{ "statistics", statistics },
	{ "load tracking", tracking },
	{ "utilisation", utilisation },
	{ "fair class", fair },
	{ "load sampler", sampler },
	{ "ondemand", ondemand },
	{ "conservative", conservative },
	{ "schedutil", schedutil },
	{ "intel_pstate, PID", pstate_pid },
	{ "intel_pstate, load", pstate_load },
	{ "energy model", energy },
	{ "invariance", invariance },
	{ "cppc", cppc },
};

/* Releases of Linux in order. */
static size_t releases(unsigned *versions)
{
	static const unsigned last_minor[] = { [3] = 19, [4] = 20, [5] = 19, [6] = 30 };
	size_t nr = 0;

	for (unsigned patch = 0; patch <= 39; patch++)
		versions[nr++] = KVER(2, 6, patch);
	for (unsigned major = 3; major <= 6; major++)
		for (unsigned minor = 0; minor <= last_minor[major]; minor++)
			versions[nr++] = KVER(major, minor, 0);
	return nr;
}

static const struct component *find(const char *name)
{
	const struct component *component;

	for (size_t i = 0; (component = component_at(i)); i++)
		if (strcmp(component->name, name) == 0)
			return component;
	cr_fatal("no component %s", name);
	return NULL;
}

Test(components, wherever_a_rule_changes_a_row_begins)
{
	unsigned versions[200];
	size_t nr = releases(versions);

	for (size_t p = 0; p < sizeof(prints) / sizeof(prints[0]); p++) {
		const struct component *component = find(prints[p].component);

		for (size_t i = 1; i < nr; i++) {
			struct print before = { .nr = 0 }, after = { .nr = 0 };
			const struct component_row *row = component_row(component, versions[i], 0);
			char text[32];

			prints[p].print(&before, versions[i - 1]);
			prints[p].print(&after, versions[i]);
			if (!row || !component_row(component, versions[i - 1], 0) ||
				memcmp(before.bytes, after.bytes, sizeof(before.bytes)) == 0)
				continue;
			kver_print(versions[i], text, sizeof(text));
			cr_expect(eq(uint, row->since, versions[i]), "%s changes at %s",
				component->name, text);
			cr_expect(gt(sz, strlen(row->change), 0), "%s: what is new in %s?",
				component->name, text);
		}
	}
}

Test(components, a_stable_release_follows_the_rules_of_its_release)
{
	for (size_t p = 0; p < sizeof(prints) / sizeof(prints[0]); p++) {
		struct print early = { .nr = 0 }, late = { .nr = 0 };

		prints[p].print(&early, KVER(6, 1, 0));
		prints[p].print(&late, KVER(6, 1, 192));
		cr_expect(eq(int, memcmp(early.bytes, late.bytes, sizeof(early.bytes)), 0), "%s",
			prints[p].component);
	}
}

Test(components, rows_without_patches_follow_each_other_without_a_gap)
{
	const struct component *component;

	for (size_t i = 0; (component = component_at(i)); i++) {
		unsigned until = component->rows[0].since;
		bool ended = false;

		for (size_t r = 0; r < component->nr_rows; r++) {
			const struct component_row *row = &component->rows[r];

			cr_expect(lt(uint, row->since, row->until), "%s", component->name);
			ended |= row->patches != 0;
			cr_expect(eq(int, ended, row->patches != 0), "%s: variants come last",
				component->name);
			if (row->patches)
				continue;
			cr_expect(eq(uint, row->since, until), "%s", component->name);
			until = row->until;
		}
	}
}

Test(components, variants_of_a_version_have_rows_of_their_own)
{
	const struct component *schedutil_rows = find("schedutil");
	const struct component_row *row = component_row(schedutil_rows, KVER(6, 1, 0), KERNEL_BASE);

	cr_assert(eq(str, (char *)row->source, "6.1base"));
	cr_assert(eq(int, row->basis, COMPONENT_CHECKED));
	row = component_row(schedutil_rows, KVER(6, 12, 0), KERNEL_CONSOLIDATED);
	cr_assert(eq(str, (char *)row->change, "updates at context switches"));
	row = component_row(find("ondemand"), KVER(6, 1, 0), KERNEL_BASE);
	cr_assert(eq(uint, row->patches, 0));
	/* What the flags mean to the rules. */
	cr_assert(not(sugov_rules(KVER(6, 1, 0), KERNEL_BASE).limits_free));
	cr_assert(sugov_rules(KVER(6, 12, 0), KERNEL_CONSOLIDATED).consolidated);
}

/* The plug-ins refuse a version before their first; the table says the same. */
static void expect_first(const char *name, unsigned first)
{
	const struct component *component;

	for (size_t i = 0; (component = component_at(i)); i++)
		if (strcmp(component->name, name) == 0 && first)
			cr_expect(eq(uint, component->rows[0].since, first), "%s", name);
}

Test(components, a_plug_in_begins_with_its_component)
{
	for (size_t i = 0; governors[i]; i++)
		expect_first(governors[i]->name, governors[i]->first_version);
	for (size_t i = 0; drivers[i]; i++)
		expect_first(drivers[i]->name, drivers[i]->first_version);
	cr_assert(eq(uint, find("pcc-cpufreq")->rows[0].since, KVER(2, 6, 33)));
	cr_assert(eq(uint, find("schedutil")->rows[0].since, KVER(4, 7, 0)));
}

Test(components, a_version_before_the_first_row_has_none)
{
	cr_assert(component_row(find("schedutil"), KVER(4, 6, 7), 0) == NULL);
	cr_assert(component_row(find("intel_pstate, PID"), KVER(4, 14, 0), 0) == NULL);
}

Test(components, ranges_are_printed_as_releases)
{
	const struct component *core_rows = find("cpufreq core");
	char text[64];

	component_range(component_row(core_rows, KVER(2, 6, 30), 0), text, sizeof(text));
	cr_expect(eq(str, text, "2.6.21 .. 2.6.38"));
	component_range(component_row(core_rows, KVER(5, 2, 0), 0), text, sizeof(text));
	cr_expect(eq(str, text, "4.13 .. 5.9"));
	component_range(component_row(core_rows, KVER(5, 19, 0), 0), text, sizeof(text));
	cr_expect(eq(str, text, "5.16 .. 6.0"));
	component_range(component_row(core_rows, KVER(6, 19, 0), 0), text, sizeof(text));
	cr_expect(eq(str, text, "6.13 .."));
	component_range(
		component_row(find("schedutil"), KVER(6, 1, 0), KERNEL_BASE), text, sizeof(text));
	cr_expect(eq(str, text, "6.1base"));
	component_range(component_row(find("schedutil"), KVER(6, 12, 0), KERNEL_CONSOLIDATED), text,
		sizeof(text));
	cr_expect(eq(str, text, "6.12 + consolidate-v7"));
	kver_print(KVER(6, 1, 192), text, sizeof(text));
	cr_expect(eq(str, text, "6.1.192"));
}

Test(components, users_are_whole_names)
{
	cr_assert(component_used_by(find("load sampler"), "ondemand"));
	cr_assert(component_used_by(find("load sampler"), "conservative"));
	cr_assert(not(component_used_by(find("load sampler"), "demand")));
	cr_assert(not(component_used_by(find("energy model"), "schedutil")));
	cr_assert(component_used_by(find("cpufreq core"), "whatever"));
	cr_assert(eq(str, (char *)component_basis_name(COMPONENT_DESCRIBED), "only described"));
}
