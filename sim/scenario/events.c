#include "sim/scenario/events.h"

#include <inttypes.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/scenario/loader.h"
#include "sim/scenario/rows.h"

#define EVENTS_MAX 10000

/* An event as its map says it, before its parts are understood. */
struct raw_event {
	int64_t at_ns, policy, turbo, cpu, online;
	const char *set;
};

static const struct param rows[] = { PARAM_INT(struct raw_event, at_ns, "at", UNIT_NS, 0,
					     86400 * NSEC_PER_SEC, PARAM_AUTO,
					     "when, from the start of the run"),
	PARAM_INT(struct raw_event, policy, "policy", UNIT_NONE, 0, 1000000, PARAM_AUTO,
		"the policy by its first CPU; auto: every policy"),
	PARAM_BOOL(struct raw_event, turbo, "turbo", PARAM_AUTO, "turbo is switched on or off"),
	PARAM_INT(struct raw_event, cpu, "cpu", UNIT_NONE, 0, 1000000, PARAM_AUTO,
		"of online: which CPU"),
	PARAM_BOOL(struct raw_event, online, "online", PARAM_AUTO,
		"the CPU goes offline, or comes back"),
	PARAM_TEXT(struct raw_event, set, "set", NULL,
		"FILE=VALUE: governor.TUNABLE, scaling_setspeed, limits.scaling_min_freq or "
		"limits.scaling_max_freq"),
	PARAM_END };

int loader_policy(const struct loader *l, int64_t id, struct where at)
{
	const struct machine_spec *machine = &l->scenario->machine;

	for (size_t i = 0; i < machine->nr_policies; i++)
		if (machine->policies[i].first == id)
			return (int)i;
	return error_at(l->err, ERROR_SCENARIO, at,
		"policy: no policy %" PRId64 "; policies are called by their first CPU", id);
}

int loader_policy_tunables(const struct loader *l, const struct node *section)
{
	struct scenario *scenario = l->scenario;
	const struct governor *governor = scenario->governor;
	const struct node *map = section && section->type == NODE_MAP
		? node_get(section, "policies")
		: NULL;
	struct policy_tunables *out;

	if (!map)
		return 0;
	if (map->type != NODE_MAP)
		return rows_mismatch(
			map, "policies", "a map such as { 4: { up_threshold: 80 } }", l->err);
	out = arena_array(l->arena, map->nr, sizeof(*out));
	scenario->policy_tunables = out;
	for (const struct node *child = map->first; child; child = child->next, out++) {
		void *tunables = arena_alloc(l->arena, governor->tunables_size);
		int64_t id;

		if (str_to_i64(child->key, UNIT_NONE, &id) < 0)
			id = -1;
		out->policy = loader_policy(l, id, child->key_at);
		if (out->policy < 0)
			return -1;
		if (governor->tunables_size)
			memcpy(tunables, scenario->tunables, governor->tunables_size);
		if (rows_fill(governor->params, tunables, child, NULL,
			    arena_printf(l->arena, "governor %s", governor->name), l->err) < 0)
			return -1;
		out->tunables = tunables;
		out->where = child->at;
		scenario->nr_policy_tunables++;
	}
	return 0;
}

/* The reader of the list, and which governor runs each policy where it has got to. */
struct reader {
	const struct loader *l;
	struct governor_choice *running;
	size_t nr_policies;
	bool *offline;   /* per CPU */
	int *nr_offline; /* per policy */
};

static bool concerns(const struct event_spec *event, size_t policy)
{
	return event->policy == EVENT_ALL || (size_t)event->policy == policy;
}

/* The governor of all policies of the event. */
static int common_governor(const struct reader *r, struct event_spec *event, struct where at)
{
	event->governor = NULL;
	for (size_t i = 0; i < r->nr_policies; i++) {
		const struct governor *governor = r->running[i].governor;

		if (!concerns(event, i))
			continue;
		if (event->governor && event->governor != governor)
			return error_at(r->l->err, ERROR_SCENARIO, at,
				"set: policies run different governors then, %s and %s; name one "
				"with policy",
				event->governor->name, governor->name);
		event->governor = governor;
	}
	return 0;
}

static int read_tunable(
	const struct reader *r, const char *name, struct event_spec *event, struct where at)
{
	const struct loader *l = r->l;
	const struct governor *governor;
	const char *owner;

	event->kind = EVENT_TUNABLE;
	if (common_governor(r, event, at) < 0)
		return -1;
	governor = event->governor;
	owner = arena_printf(l->arena, "governor %s", governor->name);
	event->row = param_find(governor->params, name);
	if (!event->row)
		return param_unknown(governor->params, NULL, owner, name, at, l->err);
	if (event->row->type == PARAM_TYPE_TEXT)
		return error_at(l->err, ERROR_SCENARIO, at,
			"set: %s of %s cannot change while the machine runs", name, owner);
	return param_set(event->row, arena_alloc(l->arena, governor->tunables_size), event->value,
		at, l->err);
}

static int read_limit(
	const struct loader *l, const char *name, struct event_spec *event, struct where at)
{
	struct policy_limits_spec limits;
	const struct param *row = param_find(limits_params, name);

	if (!row)
		return param_unknown(limits_params, NULL, "limits", name, at, l->err);
	param_defaults(limits_params, &limits);
	if (param_set(row, &limits, event->value, at, l->err) < 0)
		return -1;
	event->kind = limits.min_khz != PARAM_AUTO ? EVENT_MIN_FREQ : EVENT_MAX_FREQ;
	event->khz = event->kind == EVENT_MIN_FREQ ? limits.min_khz : limits.max_khz;
	return 0;
}

/* "governor.up_threshold=80" */
static int read_set(
	const struct reader *r, const char *set, struct event_spec *event, struct where at)
{
	const char *equals = strchr(set, '=');
	const char *name;

	if (!equals)
		return error_at(r->l->err, ERROR_SCENARIO, at,
			"set: \"%.60s\" is no FILE=VALUE such as governor.up_threshold=80", set);
	name = arena_printf(r->l->arena, "%.*s", (int)(equals - set), set);
	event->value = equals + 1;
	if (strncmp(name, "governor.", 9) == 0)
		return read_tunable(r, name + 9, event, at);
	if (strncmp(name, "limits.", 7) == 0)
		return read_limit(r->l, name + 7, event, at);
	if (strcmp(name, "scaling_setspeed") == 0)
		return read_tunable(r, name, event, at);
	return error_at(r->l->err, ERROR_SCENARIO, at,
		"set: unknown file \"%.60s\"; expected governor.TUNABLE, scaling_setspeed, "
		"limits.scaling_min_freq or limits.scaling_max_freq",
		name);
}

static int read_change(struct reader *r, const struct node *section, struct event_spec *event)
{
	struct governor_choice choice;

	if (section->type == NODE_MAP && node_get(section, "policies"))
		return error_at(r->l->err, ERROR_SCENARIO, node_get(section, "policies")->at,
			"policies: not in an event; name one with policy");
	if (loader_governor(r->l, section, &choice) < 0)
		return -1;
	event->kind = EVENT_GOVERNOR;
	event->governor = choice.governor;
	event->governor_name = choice.name;
	event->tunables = choice.tunables;
	for (size_t i = 0; i < r->nr_policies; i++)
		if (concerns(event, i))
			r->running[i] = choice;
	return 0;
}

/* How many CPUs of the policy are left. */
static int nr_online(const struct reader *r, size_t policy)
{
	const struct policy_spec *cpus = &r->l->scenario->machine.policies[policy];

	return cpus->last - cpus->first + 1 - r->nr_offline[policy];
}

/* Linux answers a write to the files of a policy without CPUs with EBUSY. */
static int check_active(const struct reader *r, const struct event_spec *event)
{
	for (size_t i = 0; i < r->nr_policies; i++)
		if (concerns(event, i) && nr_online(r, i) == 0)
			return error_at(r->l->err, ERROR_SCENARIO, event->where,
				"an event: all CPUs of policy %d are offline then, and it takes no "
				"writes%s",
				r->l->scenario->machine.policies[i].first,
				event->policy == EVENT_ALL ? "; name the others with policy" : "");
	return 0;
}

static int read_online(struct reader *r, const struct node *node, const struct raw_event *raw,
	struct event_spec *event)
{
	const struct machine_spec *machine = &r->l->scenario->machine;
	const struct node *at = node_get(node, "cpu");
	bool gone = !raw->online;

	if (raw->policy != PARAM_AUTO)
		return error_at(r->l->err, ERROR_SCENARIO, node_get(node, "policy")->at,
			"online: of a cpu, not of a policy");
	if (raw->cpu >= machine->nr_cpus)
		return error_at(r->l->err, ERROR_SCENARIO, at->at,
			"cpu: no CPU %" PRId64 "; the machine has 0 to %d", raw->cpu,
			machine->nr_cpus - 1);
	if (raw->cpu == 0 && gone)
		return error_at(r->l->err, ERROR_SCENARIO, at->at,
			"cpu: CPU 0 cannot go offline; one CPU has to be left, and it is that one");
	event->kind = EVENT_ONLINE;
	event->cpu = (int)raw->cpu;
	event->online = !gone;
	if (r->offline[raw->cpu] == gone)
		return 0;
	r->offline[raw->cpu] = gone;
	for (size_t i = 0; i < r->nr_policies; i++)
		if (raw->cpu >= machine->policies[i].first && raw->cpu <= machine->policies[i].last)
			r->nr_offline[i] += gone ? 1 : -1;
	return 0;
}

static int read_event(struct reader *r, const struct node *node, struct event_spec *event)
{
	static const char *const also[] = { "governor", NULL };
	static const char *const required[] = { "at", NULL };
	const struct loader *l = r->l;
	const struct node *governor, *set;
	struct raw_event raw = { 0 };
	int nr;

	param_defaults(rows, &raw);
	if (node->type != NODE_MAP)
		return rows_mismatch(node, "events", "a map { at: TIME, set: FILE=VALUE }", l->err);
	if (rows_fill(rows, &raw, node, also, "an event", l->err) < 0 ||
		rows_require(node, required, "an event", l->err) < 0)
		return -1;
	governor = node_get(node, "governor");
	set = node_get(node, "set");
	nr = (governor != NULL) + (set != NULL) + (raw.turbo != PARAM_AUTO) +
		(raw.online != PARAM_AUTO);
	if (nr != 1)
		return error_at(l->err, ERROR_SCENARIO, node->at,
			"an event: %d of set, governor, turbo and online; expected one", nr);
	if ((raw.cpu != PARAM_AUTO) != (raw.online != PARAM_AUTO))
		return error_at(l->err, ERROR_SCENARIO, node->at,
			"an event: cpu and online go together, as in { at: 1s, cpu: 3, online: "
			"no }");
	*event = (struct event_spec){ .at_ns = raw.at_ns, .policy = EVENT_ALL, .where = node->at };
	if (raw.policy != PARAM_AUTO) {
		event->policy = loader_policy(l, raw.policy, node_get(node, "policy")->at);
		if (event->policy < 0)
			return -1;
	}
	if (raw.online != PARAM_AUTO)
		return read_online(r, node, &raw, event);
	if (raw.turbo == PARAM_AUTO && check_active(r, event) < 0)
		return -1;
	if (governor)
		return read_change(r, governor, event);
	if (set)
		return read_set(r, raw.set, event, set->at);
	event->kind = EVENT_TURBO;
	event->turbo = raw.turbo != 0;
	return 0;
}

int loader_events(const struct loader *l)
{
	struct scenario *scenario = l->scenario;
	const struct node *list = node_get(scenario->root, "events");
	struct reader r = { .l = l, .nr_policies = scenario->machine.nr_policies };
	struct event_spec *event;
	int64_t last_ns = 0;

	if (!list || (list->type == NODE_SCALAR && !*list->text))
		return 0;
	if (list->type != NODE_SEQ)
		return rows_mismatch(list, "events", "a list of maps", l->err);
	if (list->nr > EVENTS_MAX)
		return error_at(l->err, ERROR_SCENARIO, list->at,
			"events: %zu elements; expected at most %d", list->nr, EVENTS_MAX);
	r.running = arena_array(l->arena, r.nr_policies, sizeof(*r.running));
	r.nr_offline = arena_array(l->arena, r.nr_policies, sizeof(*r.nr_offline));
	r.offline = arena_array(l->arena, (size_t)scenario->machine.nr_cpus, sizeof(*r.offline));
	for (size_t i = 0; i < r.nr_policies; i++)
		r.running[i] = (struct governor_choice){ .governor = scenario->governor };
	event = arena_array(l->arena, list->nr, sizeof(*event));
	scenario->events = event;
	for (const struct node *node = list->first; node; node = node->next, event++) {
		if (read_event(&r, node, event) < 0)
			return -1;
		if (event->at_ns < last_ns)
			return error_at(l->err, ERROR_SCENARIO, node->at,
				"an event: earlier than the one before it");
		last_ns = event->at_ns;
		scenario->nr_events++;
	}
	return 0;
}
