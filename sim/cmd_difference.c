#include "sim/cmd_difference.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/units.h"
#include "sim/cmd_explain.h"
#include "sim/cmd_scenario.h"
#include "sim/run.h"

/* What is kept of a decision: enough to see whether another is equal. Two requests that come to the
 * same frequency are. */
struct trail {
	int64_t t_ns, khz, cpu, per_cpu;
	int64_t rule, then, outcome;
};

/* A run on the way to one decision. */
struct walk {
	FILE *trails;  /* of the first run, in order; written by it, read along with the second */
	bool writes;   /* this is the first */
	int64_t at;    /* decisions seen */
	int64_t until; /* with the number of the one looked for; -1: the first that differs */
	bool found;
	struct trail last; /* before it */
	struct decision_record record;
	struct run run;
};

static struct trail trail_of(const struct decision_record *record)
{
	return (struct trail){ .t_ns = record->t_ns,
		.khz = record->resolved_khz ? record->resolved_khz : record->requested_khz,
		.cpu = record->cpu,
		.per_cpu = record->per_cpu,
		.rule = record->rule,
		.then = record->then,
		.outcome = record->outcome };
}

static void take_record(void *arg, const struct decision_record *record)
{
	struct walk *w = arg;
	const struct trail trail = trail_of(record);
	struct trail other;

	if (w->found)
		return;
	if (w->until >= 0)
		w->found = w->at == w->until;
	else if (w->writes)
		fwrite(&trail, sizeof(trail), 1, w->trails);
	else
		w->found = fread(&other, sizeof(other), 1, w->trails) != 1 ||
			memcmp(&other, &trail, sizeof(trail)) != 0;
	if (w->found) {
		w->record = *record;
		w->run.engine.stop = true;
		return;
	}
	w->last = trail;
	w->at++;
}

/* Walks through the first repeat. What a run fails of after the decision looked for is no matter:
 * it was stopped there. */
static int walk(struct walk *w, const struct scenario *scenario, struct error *err)
{
	struct error ignored = { .code = ERROR_NONE };

	if (run_build(&w->run, scenario, 0, err) < 0)
		return -1;
	w->run.kernel.decisions.sink = take_record;
	w->run.kernel.decisions.arg = w;
	int result = run_execute(&w->run, &ignored);
	if (result < 0 && !w->found)
		*err = ignored;
	return w->found ? 0 : result;
}

/* A directory stands for the manifest in it. */
static const struct scenario *load(struct cmd_env *env, const char *name)
{
	struct cmd_overrides none;
	struct stat st;

	cmd_overrides_init(&none, env->arena, 0);
	if (stat(name, &st) == 0 && S_ISDIR(st.st_mode))
		name = arena_printf(env->arena, "%s/manifest.yaml", name);
	return cmd_load_scenario(env, name, &none);
}

static void print_time(int64_t t_ns)
{
	printf("%" PRId64 ".%09" PRId64 " s", t_ns / NSEC_PER_SEC, t_ns % NSEC_PER_SEC);
}

static const struct decision_value *find_value(
	const struct decision_value *values, int nr, const char *name)
{
	for (int i = 0; i < nr; i++)
		if (strcmp(values[i].name, name) == 0)
			return &values[i];
	return NULL;
}

/* Values that both have, and have differently. */
static bool print_values(const char *title, const struct decision_value *a, int nr_a,
	const struct decision_value *b, int nr_b)
{
	bool any = false;

	for (int i = 0; i < nr_a; i++) {
		const struct decision_value *other = find_value(b, nr_b, a[i].name);

		if (!other || other->value == a[i].value)
			continue;
		printf("%s%s %" PRId64 "%s, %" PRId64 "%s", any ? "; " : title, a[i].name,
			a[i].value, a[i].unit, other->value, other->unit);
		any = true;
	}
	if (any)
		putchar('\n');
	return any;
}

static void print_both(const char *const *names, const struct walk *a, const struct walk *b)
{
	const struct walk *walks[] = { a, b };

	for (int i = 0; i < 2; i++) {
		printf("\n%s:\n", names[i]);
		if (walks[i]->found)
			explain_print(&walks[i]->record);
		else
			printf("no decision number %" PRId64 ": the run has ended\n",
				walks[i]->at + 1);
	}
	if (!a->found || !b->found)
		return;
	putchar('\n');
	print_values(
		"different in:  ", a->record.in, a->record.nr_in, b->record.in, b->record.nr_in);
	print_values("different out: ", a->record.out, a->record.nr_out, b->record.out,
		b->record.nr_out);
}

static void print_common(const struct walk *b)
{
	if (b->at == 0) {
		printf("The runs part at their first decision.\n");
		return;
	}
	printf(b->at == 1 ? "The first decision is equal, at "
			  : "The first %" PRId64 " decisions are equal, the last of them at ",
		b->at);
	print_time(b->last.t_ns);
	printf("; the next one differs.\n");
}

/* @b has met the difference, or its end: the first run is walked to the same decision. */
static int print_difference(struct cmd_env *env, const char *const *names,
	const struct scenario *scenario, int64_t nr_first, struct walk *b)
{
	struct walk *a = arena_alloc(env->arena, sizeof(*a));

	if (!b->found && b->at == nr_first) {
		printf("All %" PRId64 " decisions are equal.\n", nr_first);
		return 0;
	}
	a->until = b->at;
	int result = walk(a, scenario, env->err);
	if (result == 0) {
		print_common(b);
		print_both(names, a, b);
	}
	run_free(&a->run);
	return result;
}

static int compare_trails(struct cmd_env *env, const char *const *names,
	const struct scenario *const *scenarios, FILE *trails)
{
	struct walk *a = arena_alloc(env->arena, sizeof(*a));
	struct walk *b = arena_alloc(env->arena, sizeof(*b));

	*a = (struct walk){ .trails = trails, .writes = true, .until = -1 };
	*b = (struct walk){ .trails = trails, .until = -1 };
	int result = walk(a, scenarios[0], env->err);
	run_free(&a->run);
	if (result == 0 && (fflush(trails) != 0 || ferror(trails)))
		result = error_set(
			env->err, ERROR_RUN, "decisions cannot be kept: %s", strerror(errno));
	if (result < 0)
		return -1;
	rewind(trails);
	result = walk(b, scenarios[1], env->err);
	if (result == 0)
		result = print_difference(env, names, scenarios[0], a->at, b);
	run_free(&b->run);
	return result;
}

int difference_print(struct cmd_env *env, const char *const *names)
{
	const struct scenario *scenarios[2];

	for (int i = 0; i < 2; i++) {
		scenarios[i] = load(env, names[i]);
		if (!scenarios[i])
			return -1;
	}
	FILE *trails = tmpfile();
	if (!trails)
		return error_set(
			env->err, ERROR_RUN, "decisions cannot be kept: %s", strerror(errno));
	int result = compare_trails(env, names, scenarios, trails);
	fclose(trails);
	return result;
}
