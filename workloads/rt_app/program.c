#include "workloads/rt_app/program.h"

#include <string.h>
#include <unistd.h>

#include "sim/base/str.h"
#include "sim/base/units.h"
#include "workloads/json.h"

#define US_MAX INT64_C(3600000000)
#define BYTES_MAX (INT64_C(1) << 40)
#define LOOPS_MAX INT64_C(1000000000)
#define INSTANCES_MAX 10000
#define FILES_MAX 16
/* What moving a byte takes where the file only says how many: 10 GB/s. */
#define BYTES_PER_NS 10
/* rt-app's own where the file gives none. */
#define RT_PRIORITY 10

struct reader {
	struct arena *arena;
	struct rt_program *program;
	struct json *roots[FILES_MAX];
	int nr_roots;
	struct error *err;
};

/* Words that are read and do not matter here. */
static const char *const ignored[] = { "exec", "period", "deadline", "lock_order", "resources",
	"cpus", "priority", "policy", "loop", "phases", "instance", "delay", "dl-runtime",
	"dl-period", "dl-deadline", "util_min", "util_max", "taskgroup", "nodes_membind", "yield",
	"numa_membind", "memload", "resume_at", NULL };

static const struct {
	const char *word;
	enum rt_kind kind;
	enum rt_object_kind object;
} words[] = {
	{ "lock", RT_LOCK, RT_MUTEX },
	{ "unlock", RT_UNLOCK, RT_MUTEX },
	{ "wait", RT_WAIT, RT_CONDITION },
	{ "signal", RT_SIGNAL, RT_CONDITION },
	{ "broad", RT_BROAD, RT_CONDITION },
	{ "sync", RT_SYNC, RT_CONDITION },
	{ "suspend", RT_SUSPEND, RT_CONDITION },
	{ "resume", RT_BROAD, RT_CONDITION },
	{ "barrier", RT_BARRIER, RT_GATE },
	{ "sem_post", RT_SEM_POST, RT_SEMAPHORE },
	{ "sem_wait", RT_SEM_WAIT, RT_SEMAPHORE },
	{ "runtime", RT_RUNTIME, RT_CLOCK },
	{ "run", RT_RUN, RT_CLOCK },
	{ "sleep", RT_SLEEP, RT_CLOCK },
	{ "timer", RT_TIMER, RT_CLOCK },
	{ "fork", RT_FORK, RT_CLOCK },
	{ "iorun", RT_RUNTIME, RT_CLOCK },
	{ "memrun", RT_RUNTIME, RT_CLOCK },
	{ "mem", RT_RUNTIME, RT_CLOCK },
};
#define NR_WORDS (sizeof(words) / sizeof(words[0]))

static struct rt_object *object_get(
	struct reader *r, const char *prefix, const char *name, enum rt_object_kind kind)
{
	struct rt_object **slot = &r->program->objects;
	const char *full = arena_printf(r->arena, "%s%s", prefix, name);

	for (; *slot; slot = &(*slot)->next)
		if ((*slot)->kind == kind && strcmp((*slot)->name, full) == 0)
			return *slot;
	*slot = arena_alloc(r->arena, sizeof(**slot));
	(*slot)->name = full;
	(*slot)->kind = kind;
	(*slot)->channel.tokens = kind == RT_MUTEX;
	return *slot;
}

static struct rt_event *event_add(
	struct reader *r, struct rt_phase *phase, enum rt_kind kind, struct where at)
{
	struct rt_event *event = arena_alloc(r->arena, sizeof(*event));

	event->kind = kind;
	event->at = at;
	if (phase->last)
		phase->last->next = event;
	else
		phase->first = event;
	phase->last = event;
	return event;
}

static struct rt_phase *phase_add(struct reader *r, struct rt_task *task, int64_t loops)
{
	struct rt_phase *phase = arena_alloc(r->arena, sizeof(*phase));

	phase->loops = loops;
	if (task->last)
		task->last->next = phase;
	else
		task->first = phase;
	task->last = phase;
	return phase;
}

/* "run0" is "run": a key may carry a number. The longest word wins, as "runtime" begins with
 * "run". */
static int word_of(const char *key)
{
	for (size_t i = 0; i < NR_WORDS; i++) {
		size_t len = strlen(words[i].word);

		if (strncmp(key, words[i].word, len) == 0 &&
			strspn(key + len, "0123456789") == strlen(key + len))
			return (int)i;
	}
	return -1;
}

static int unknown_word(struct reader *r, const struct json *json)
{
	const char *names[NR_WORDS + sizeof(ignored) / sizeof(ignored[0])];
	char suggestion[512];
	size_t nr = 0;

	for (; nr < NR_WORDS; nr++)
		names[nr] = words[nr].word;
	for (size_t i = 0; ignored[i]; i++)
		names[nr++] = ignored[i];
	str_suggest(json->key, names, nr, suggestion, sizeof(suggestion));
	return error_at(r->err, ERROR_SCENARIO, json->at, "unknown event \"%.60s\"; %s", json->key,
		suggestion);
}

static int text_of(struct reader *r, const struct json *json, const char *what, const char **text)
{
	if (!json || json->type != JSON_TEXT)
		return error_at(r->err, ERROR_SCENARIO, json ? json->at : (struct where){ 0 },
			"%s is missing or no text in quotes", what);
	*text = json->text;
	return 0;
}

static int member(struct reader *r, const struct json *json, const char *key, const char **text)
{
	const struct json *value = json_get(json, key);

	if (value)
		return text_of(r, value, key, text);
	return error_at(r->err, ERROR_SCENARIO, json->at, "%s: \"%s\" is missing", json->key, key);
}

static int timer_event(struct reader *r, const struct json *json, struct rt_event *event)
{
	const struct json *period = json_get(json, "period"), *mode = json_get(json, "mode");
	const char *ref = "";
	int64_t us;

	if (member(r, json, "ref", &ref))
		return -1;
	if (!period)
		return error_at(
			r->err, ERROR_SCENARIO, json->at, "%s: \"period\" is missing", json->key);
	if (json_integer(period, 0, US_MAX, &us, r->err))
		return -1;
	event->ns = us * NSEC_PER_USEC;
	event->absolute = mode && mode->text && strcmp(mode->text, "absolute") == 0;
	/* Every instance has a timer "unique" of its own. */
	if (strcmp(ref, "unique") != 0)
		event->object = object_get(r, "", ref, RT_CLOCK);
	return 0;
}

/* Events that wait for something with a name, or wake who does. */
static int object_event(struct reader *r, const struct rt_task *task, const struct json *json,
	int word, struct rt_event *event)
{
	bool self = strcmp(words[word].word, "suspend") == 0 ||
		strcmp(words[word].word, "resume") == 0;
	const char *name = task->name, *mutex = "";

	if (json->type == JSON_MAP) {
		if (member(r, json, "ref", &name))
			return -1;
	} else if (!(self && json->type == JSON_NONE) && text_of(r, json, json->key, &name)) {
		return -1;
	}
	/* Those who suspend and resume use names of tasks, which may be names of conditions too. */
	event->object = object_get(r, self ? "suspend " : "", name, words[word].object);
	event->object->users += event->kind == RT_BARRIER ? max_i64(task->instances, 1) : 0;
	if (event->kind != RT_WAIT && event->kind != RT_SYNC)
		return 0;
	if (member(r, json, "mutex", &mutex))
		return -1;
	event->mutex = object_get(r, "", mutex, RT_MUTEX);
	return 0;
}

static int take_event(struct reader *r, const struct rt_task *task, struct rt_phase *phase,
	const struct json *json)
{
	int word = word_of(json->key);
	int64_t n;

	if (word < 0) {
		for (size_t i = 0; ignored[i]; i++)
			if (strcmp(json->key, ignored[i]) == 0)
				return 0;
		return unknown_word(r, json);
	}
	struct rt_event *event = event_add(r, phase, words[word].kind, json->at);
	switch (event->kind) {
	case RT_RUN:
	case RT_RUNTIME:
	case RT_SLEEP:
		if (strcmp(words[word].word, "iorun") == 0 ||
			strncmp(words[word].word, "mem", 3) == 0) {
			if (json_integer(json, 0, BYTES_MAX, &n, r->err))
				return -1;
			event->ns = n / BYTES_PER_NS;
			r->program->bytes = true;
			return 0;
		}
		if (json_integer(json, 0, US_MAX, &n, r->err))
			return -1;
		event->ns = n * NSEC_PER_USEC;
		return 0;
	case RT_TIMER:
		return timer_event(r, json, event);
	case RT_FORK:
		r->program->forks = true;
		return text_of(r, json, json->key, &event->child_name);
	default:
		return object_event(r, task, json, word, event);
	}
}

static int take_events(struct reader *r, const struct rt_task *task, struct rt_phase *phase,
	const struct json *map)
{
	for (const struct json *json = map->first; json; json = json->next)
		if (take_event(r, task, phase, json))
			return -1;
	return 0;
}

/* The entry of a resource in the files' own list of them. */
static const struct json *resource_of(const struct reader *r, const char *name)
{
	for (int i = 0; i < r->nr_roots; i++) {
		const struct json *found = json_get(json_get(r->roots[i], "resources"), name);

		if (found)
			return found;
	}
	return NULL;
}

static int resource_event(struct reader *r, struct rt_phase *phase, const struct json *use,
	const struct json *resource, int64_t ns)
{
	const struct json *access = json_get(use, "access");
	struct rt_object *mutex = NULL, *object;
	struct rt_event *event;
	const char *type = "", *name = resource->key;

	if (member(r, resource, "type", &type))
		return -1;
	bool wakes = strcmp(type, "signal") == 0 || strcmp(type, "sync") == 0 ||
		strcmp(type, "broadcast") == 0;
	if (access && access->first && access->first->text)
		mutex = object_get(r, "", access->first->text, RT_MUTEX);
	else if (strcmp(type, "mutex") == 0)
		mutex = object_get(r, "", name, RT_MUTEX);
	if (wakes && member(r, resource, "target", &name))
		return -1;
	if (mutex)
		event_add(r, phase, RT_LOCK, use->at)->object = mutex;
	object = object_get(r, "", name, RT_CONDITION);
	if (strcmp(type, "wait") == 0 || strcmp(type, "sync") == 0) {
		event = event_add(r, phase, wakes ? RT_SYNC : RT_WAIT, use->at);
		event->object = object;
		event->mutex = mutex ? mutex : object_get(r, "own ", name, RT_MUTEX);
	} else if (wakes) {
		event = event_add(r, phase, strcmp(type, "signal") ? RT_BROAD : RT_SIGNAL, use->at);
		event->object = object;
	} else {
		event_add(r, phase, strcmp(type, "sleep") ? RT_RUN : RT_SLEEP, use->at)->ns = ns;
	}
	if (mutex)
		event_add(r, phase, RT_UNLOCK, use->at)->object = mutex;
	return 0;
}

/* The grammar before 2014: work "exec" in each "period", part of it holding the resources that
 * "lock_order" lists, one after the other. */
static int take_legacy(struct reader *r, struct rt_phase *phase, const struct json *map)
{
	const struct json *exec = json_get(map, "exec"), *period = json_get(map, "period");
	const struct json *order = json_get(map, "lock_order"), *sleep = json_get(map, "sleep");
	int64_t us = 0, part_us, period_us = 0;

	if (json_integer(exec, 0, US_MAX, &us, r->err) ||
		(period && json_integer(period, 0, US_MAX, &period_us, r->err)))
		return -1;
	for (const struct json *name = order ? order->first : NULL; name; name = name->next) {
		if (name->type != JSON_TEXT)
			return error_at(r->err, ERROR_SCENARIO, name->at,
				"lock_order: expected the name of a resource in quotes");
		const struct json *use = json_get(json_get(map, "resources"), name->text);
		const struct json *resource = resource_of(r, name->text);
		const struct json *duration = json_get(use, "duration");

		if (!use || !resource)
			return error_at(r->err, ERROR_SCENARIO, name->at,
				"resource \"%.60s\" is not described; the file may be a part of a "
				"program: name all parts, separated by blanks",
				name->text);
		part_us = 0;
		if (duration && json_integer(duration, 0, US_MAX, &part_us, r->err))
			return -1;
		us -= part_us;
		if (resource_event(r, phase, use, resource, part_us * NSEC_PER_USEC))
			return -1;
	}
	event_add(r, phase, RT_RUN, map->at)->ns = max_i64(us, 0) * NSEC_PER_USEC;
	if (sleep && sleep->text && strcmp(sleep->text, "false") == 0)
		return 0;
	event_add(r, phase, RT_TIMER, map->at)->ns = period_us * NSEC_PER_USEC;
	return 0;
}

static int take_phase(struct reader *r, struct rt_task *task, const struct json *map, bool phase)
{
	const struct json *loop = json_get(map, "loop");
	int64_t loops = 1;

	if (map->type != JSON_MAP)
		return error_at(r->err, ERROR_SCENARIO, map->at, "a phase is a map of events");
	if (phase && loop && json_integer(loop, -1, LOOPS_MAX, &loops, r->err))
		return -1;
	struct rt_phase *added = phase_add(r, task, loops);
	return json_get(map, "exec") ? take_legacy(r, added, map)
				     : take_events(r, task, added, map);
}

static int take_cpus(struct reader *r, struct rt_task *task, const struct json *cpus)
{
	const struct json *one = cpus->type == JSON_LIST ? cpus->first : cpus;
	int64_t cpu;

	if (one)
		task->allowed = arena_alloc(r->arena, sizeof(*task->allowed));
	for (; one; one = cpus->type == JSON_LIST ? one->next : NULL) {
		if (json_integer(one, 0, CPUS_MAX - 1, &cpu, r->err))
			return -1;
		cpumask_set(task->allowed, (int)cpu);
		task->last_cpu = max_i64(task->last_cpu, cpu);
	}
	return 0;
}

static int take_deadline(struct reader *r, struct rt_task *task, const struct json *map)
{
	const struct json *runtime = json_get(map, "dl-runtime");
	const struct json *period = json_get(map, "dl-period");
	int64_t us;

	if (!runtime)
		return error_at(r->err, ERROR_SCENARIO, map->at,
			"task \"%.60s\" is SCHED_DEADLINE without \"dl-runtime\"", map->key);
	if (json_integer(runtime, 2, 1000000, &us, r->err))
		return -1;
	task->dl_runtime_ns = us * NSEC_PER_USEC;
	if (period && json_integer(period, us, 1000000, &us, r->err))
		return -1;
	task->dl_period_ns = us * NSEC_PER_USEC;
	return 0;
}

static int take_policy(
	struct reader *r, struct rt_task *task, const struct json *map, const struct json *global)
{
	static const char *const names[] = { "SCHED_OTHER", "SCHED_FIFO", "SCHED_RR",
		"SCHED_DEADLINE" };
	const struct json *policy = json_get(map, "policy");
	const struct json *priority = json_get(map, "priority");

	if (!policy)
		policy = json_get(global, "default_policy");
	for (size_t i = 0; policy && policy->text && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(policy->text, names[i]) == 0)
			task->class = (enum task_class)i;
	if (task->class == TASK_DEADLINE)
		return take_deadline(r, task, map);
	bool fair = task->class == TASK_FAIR;
	task->priority = fair ? 0 : RT_PRIORITY;
	return priority
		? json_integer(priority, fair ? -20 : 1, fair ? 19 : 99, &task->priority, r->err)
		: 0;
}

static int take_task(struct reader *r, const struct json *map, const struct json *global)
{
	struct rt_task *task = arena_alloc(r->arena, sizeof(*task));
	const struct json *phases = json_get(map, "phases"), *v;
	int64_t delay_us = 0;

	if (map->type != JSON_MAP)
		return error_at(
			r->err, ERROR_SCENARIO, map->at, "task \"%.60s\" is no map", map->key);
	*task = (struct rt_task){
		.name = map->key, .instances = 1, .loops = -1, .util_max = CAPACITY_SCALE
	};
	if (((v = json_get(map, "instance")) &&
		    json_integer(v, 0, INSTANCES_MAX, &task->instances, r->err)) ||
		((v = json_get(map, "loop")) &&
			json_integer(v, -1, LOOPS_MAX, &task->loops, r->err)) ||
		((v = json_get(map, "delay")) && json_integer(v, 0, US_MAX, &delay_us, r->err)) ||
		((v = json_get(map, "cpus")) && take_cpus(r, task, v)) ||
		((v = json_get(map, "util_min")) &&
			json_integer(v, 0, CAPACITY_SCALE, &task->util_min, r->err)) ||
		((v = json_get(map, "util_max")) &&
			json_integer(v, 0, CAPACITY_SCALE, &task->util_max, r->err)) ||
		take_policy(r, task, map, global))
		return -1;
	task->delay_ns = delay_us * NSEC_PER_USEC;
	r->program->endless |= task->loops < 0 && task->instances > 0;
	r->program->nr_instances += task->instances;
	if (r->program->last_task)
		r->program->last_task->next = task;
	else
		r->program->tasks = task;
	r->program->last_task = task;
	if (!phases)
		return take_phase(r, task, map, false);
	for (const struct json *phase = phases->first; phase; phase = phase->next)
		if (take_phase(r, task, phase, true))
			return -1;
	return 0;
}

static int find_children(struct reader *r)
{
	for (struct rt_task *task = r->program->tasks; task; task = task->next)
		for (struct rt_phase *phase = task->first; phase; phase = phase->next)
			for (struct rt_event *event = phase->first; event; event = event->next) {
				if (event->kind != RT_FORK)
					continue;
				struct rt_task *child = r->program->tasks;
				while (child && strcmp(child->name, event->child_name) != 0)
					child = child->next;
				if (!child)
					return error_at(r->err, ERROR_SCENARIO, event->at,
						"fork: there is no task \"%.60s\"",
						event->child_name);
				event->child = child;
			}
	return 0;
}

/* The files in @files, one after the other. */
static int read_files(struct reader *r, const char *dir, const char *files)
{
	while (*(files += strspn(files, " ")) != '\0') {
		int len = (int)strcspn(files, " ");
		const char *path = arena_printf(r->arena, "%.*s", len, files);

		if (r->nr_roots == FILES_MAX)
			return error_set(
				r->err, ERROR_SCENARIO, "workload.file: over %d files", FILES_MAX);
		if (path[0] != '/' && dir) {
			const char *beside = arena_printf(r->arena, "%s/%s", dir, path);

			path = access(beside, R_OK) == 0 ? beside : path;
		}
		if (json_read(r->arena, path, &r->roots[r->nr_roots], r->err))
			return -1;
		r->nr_roots++;
		files += len;
	}
	return 0;
}

int rt_program_read(struct arena *arena, const char *dir, const char *files,
	struct rt_program *program, struct error *err)
{
	struct reader r = { .arena = arena, .program = program, .err = err };
	const struct json *global = NULL, *duration;
	int64_t seconds = -1;

	*program = (struct rt_program){ .duration_ns = -1 };
	if (read_files(&r, dir, files))
		return -1;
	for (int i = 0; i < r.nr_roots; i++)
		if (json_get(r.roots[i], "global"))
			global = json_get(r.roots[i], "global");
	duration = json_get(global, "duration");
	if (duration && json_integer(duration, -1, 86400, &seconds, err))
		return -1;
	program->duration_ns = seconds < 0 ? -1 : seconds * NSEC_PER_SEC;
	for (int i = 0; i < r.nr_roots; i++) {
		const struct json *tasks = json_get(r.roots[i], "tasks");

		for (const struct json *task = tasks ? tasks->first : NULL; task; task = task->next)
			if (take_task(&r, task, global))
				return -1;
	}
	if (program->nr_instances == 0)
		return error_at(err, ERROR_SCENARIO, (struct where){ .file = files },
			"starts no task: there is nothing to run in \"tasks\"");
	return find_children(&r);
}
