#include "workloads/trace/script_file.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"

#define FIRST_LINE "cpufreq-sim workload 1"
#define TASKS_MAX INT64_C(4194304)
#define EDGES_MAX INT64_C(100000000)
#define LINE_SIZE 256
/* The least that a task and the two ends of an edge take. */
#define TASK_BYTES INT64_C(9)
#define EDGE_BYTES INT64_C(14)

bool script_file_is(const char *path)
{
	char head[sizeof(FIRST_LINE)] = { 0 };
	FILE *file = fopen(path, "rb");

	if (!file)
		return false;
	size_t got = fread(head, 1, sizeof(head) - 1, file);
	fclose(file);
	return got == sizeof(head) - 1 && memcmp(head, FIRST_LINE, got) == 0;
}

void script_file_begin(FILE *out)
{
	fprintf(out, FIRST_LINE "\n");
}

/* Tasks and edges by the numbers that the file knows them by. */
static int64_t number_all(struct trace_import *import, int64_t *nr_edges)
{
	int64_t nr_tasks = 0;

	*nr_edges = 0;
	for (struct trace_task *task = import->tasks; task; task = task->next) {
		if (!task->in_tree)
			continue;
		task->nr = nr_tasks++;
		for (struct trace_op *op = task->first; op; op = op->next)
			if (op->kind == TRACE_OP_BLOCK)
				op->u.wait.nr = (uint32_t)(*nr_edges)++;
	}
	return nr_tasks;
}

static bool starts_alone(const struct trace_import *import, const struct trace_task *task)
{
	return task == import->root || !task->parent || !task->parent->in_tree;
}

static const char *const post_words[] = {
	[WAKE_PLAIN] = "post",
	[WAKE_SYNC] = "postsync",
	[WAKE_EXITING] = "postexit",
};

static void save_op(FILE *out, const struct trace_op *op)
{
	switch (op->kind) {
	case TRACE_OP_NONE:
		break;
	case TRACE_OP_RUN:
		fprintf(out, "run %lld\n", (long long)op->u.work);
		break;
	case TRACE_OP_SPAWN:
		fprintf(out, "spawn %lld\n", (long long)op->u.child->nr);
		break;
	case TRACE_OP_POST:
		fprintf(out, "%s %lu\n", post_words[op->u.post.wake],
			(unsigned long)op->u.post.block->u.wait.nr);
		break;
	case TRACE_OP_BLOCK:
		fprintf(out, "wait %lu\n", (unsigned long)op->u.wait.nr);
		break;
	case TRACE_OP_SLEEP:
		fprintf(out, "sleep %lld\n", (long long)op->ns);
		break;
	case TRACE_OP_IO:
		fprintf(out, "io %lld\n", (long long)op->ns);
		break;
	case TRACE_OP_UNTIL:
		fprintf(out, "until %lld\n", (long long)op->ns);
		break;
	}
}

static void save_machine(FILE *out, const struct trace_machine *machine)
{
	if (machine->nr_cpus)
		fprintf(out, "recorded %lld %lld %lld\nstart %lld\nnewidle %lld %lld\n",
			(long long)machine->nr_cpus, (long long)machine->wake_ns[0],
			(long long)machine->wake_ns[1], (long long)machine->start_ns,
			(long long)machine->newidle.pulls, (long long)machine->newidle.looks);
	for (int cpu = 0; machine->standin && cpu < TRACE_MAX_CPUS; cpu++)
		if (machine->standin[cpu])
			fprintf(out, "standin %d\n", cpu);
}

void script_file_save(FILE *out, struct trace_import *import)
{
	int64_t nr_edges, nr_tasks = number_all(import, &nr_edges);

	save_machine(out, &import->machine);

	fprintf(out, "tasks %lld edges %lld\n", (long long)nr_tasks, (long long)nr_edges);
	for (const struct trace_task *task = import->tasks; task; task = task->next) {
		if (!task->in_tree)
			continue;
		fprintf(out, "task %lld ", (long long)task->pid);
		if (starts_alone(import, task))
			fprintf(out, "%lld", (long long)task->delay_ns);
		else
			fputc('-', out);
		fprintf(out, " %s\n", task->comm);
		if (task->prio < 0)
			fputs("deadline 0\n", out);
		else if (task->prio != TRACE_PRIO_NORMAL)
			fprintf(out, "prio %d\n", task->prio);
		for (const struct trace_op *op = task->first; op; op = op->next)
			save_op(out, op);
	}
}

struct loader {
	struct arena *arena;
	struct trace_import *import;
	const char *path;
	int64_t size; /* of the file */
	int line;
	char text[LINE_SIZE];
	struct trace_task *tasks;          /* all of the file */
	int64_t nr_tasks, task;            /* task: the one being read, -1 before the first */
	struct trace_op **blocks, **posts; /* by edge */
	int64_t nr_edges;
	uint8_t *standin; /* by CPU */
	struct error *err;
};

static int bad_line(struct loader *l, const char *what)
{
	struct where at = { .file = l->path, .line = l->line, .col = 1 };

	return error_at(l->err, ERROR_TRACE, at, "found \"%.40s\"; expected %s", l->text, what);
}

static bool take_number(const char **s, int64_t max, int64_t *v)
{
	char *end;

	if (**s < '0' || **s > '9')
		return false;
	errno = 0;
	long long n = strtoll(*s, &end, 10);
	*s = end;
	*v = n;
	return errno == 0 && n <= max;
}

static bool take_word(const char **s, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*s, word, len) != 0)
		return false;
	*s += len;
	return true;
}

static int load_recorded(struct loader *l, const char *s)
{
	struct trace_machine *machine = &l->import->machine;

	if (!take_number(&s, TRACE_MAX_CPUS, &machine->nr_cpus) || !take_word(&s, " ") ||
		!take_number(&s, NSEC_PER_SEC, &machine->wake_ns[0]) || !take_word(&s, " ") ||
		!take_number(&s, NSEC_PER_SEC, &machine->wake_ns[1]) || *s)
		return bad_line(l, "recorded CPUS NS NS");
	return 0;
}

static int load_start(struct loader *l, const char *s)
{
	if (!take_number(&s, INT64_MAX / 4, &l->import->machine.start_ns) || *s)
		return bad_line(l, "start NS");
	return 0;
}

static int load_newidle(struct loader *l, const char *s)
{
	struct trace_newidle *newidle = &l->import->machine.newidle;

	if (!take_number(&s, INT32_MAX, &newidle->pulls) || !take_word(&s, " ") ||
		!take_number(&s, INT32_MAX, &newidle->looks) || *s ||
		newidle->pulls > newidle->looks)
		return bad_line(l, "newidle PULLED OF");
	return 0;
}

static int load_standin(struct loader *l, const char *s)
{
	int64_t cpu;

	if (!take_number(&s, TRACE_MAX_CPUS - 1, &cpu) || *s)
		return bad_line(l, "standin CPU");
	l->standin[cpu] = 1;
	return 0;
}

static int load_sizes(struct loader *l)
{
	const char *s = l->text;

	/* No more than the file has room for: what it announces is believed before it is read. */
	if (!take_word(&s, "tasks ") ||
		!take_number(&s, min_i64(TASKS_MAX, l->size / TASK_BYTES), &l->nr_tasks) ||
		!take_word(&s, " edges ") ||
		!take_number(&s, min_i64(EDGES_MAX, l->size / EDGE_BYTES), &l->nr_edges) || *s ||
		l->nr_tasks == 0)
		return bad_line(l, "tasks NUMBER edges NUMBER");
	l->tasks = arena_array(l->arena, (size_t)l->nr_tasks, sizeof(*l->tasks));
	l->blocks = arena_array(l->arena, (size_t)l->nr_edges, sizeof(*l->blocks));
	l->posts = arena_array(l->arena, (size_t)l->nr_edges, sizeof(*l->posts));
	for (int64_t i = 0; i < l->nr_tasks; i++) {
		l->tasks[i].in_tree = true;
		l->tasks[i].prio = TRACE_PRIO_NORMAL;
		l->tasks[i].next = i + 1 < l->nr_tasks ? &l->tasks[i + 1] : NULL;
	}
	l->import->tasks = l->tasks;
	return 0;
}

static int load_task(struct loader *l, const char *s)
{
	const char *const expected = "task PID NS|- NAME";

	if (++l->task >= l->nr_tasks)
		return bad_line(l, "no more tasks than announced");
	struct trace_task *task = &l->tasks[l->task];
	if (!take_number(&s, INT64_MAX, &task->pid) || *s++ != ' ')
		return bad_line(l, expected);
	if (*s == '-') {
		task->delay_ns = -1;
		s++;
	} else if (!take_number(&s, INT64_MAX / 4, &task->delay_ns)) {
		return bad_line(l, expected);
	}
	if (*s++ != ' ')
		return bad_line(l, expected);
	size_t len = strlen(s);
	memcpy(task->comm, s, len < sizeof(task->comm) ? len : sizeof(task->comm) - 1);
	return 0;
}

static int load_spawn(struct loader *l, struct trace_task *task, int64_t nr)
{
	struct trace_task *child = nr < l->nr_tasks ? &l->tasks[nr] : NULL;

	if (!child || child->parent || child == task)
		return bad_line(l, "a task that no other spawns");
	trace_op_add(l->arena, task, TRACE_OP_SPAWN)->u.child = child;
	child->parent = task;
	l->import->totals.forks++;
	return 0;
}

/* @slots: of one end of the edges. */
static int load_edge(struct loader *l, struct trace_task *task, struct trace_op **slots,
	enum trace_op_kind kind, int64_t nr)
{
	if (nr >= l->nr_edges || slots[nr])
		return bad_line(l, "an edge that has no such end yet");
	slots[nr] = trace_op_add(l->arena, task, kind);
	if (kind == TRACE_OP_BLOCK)
		slots[nr]->u.wait.nr = (uint32_t)nr;
	l->import->totals.edges += kind == TRACE_OP_BLOCK;
	return 0;
}

static int load_prio(struct loader *l, struct trace_task *task, const char *s)
{
	int64_t prio;

	if (!take_number(&s, 139, &prio) || *s)
		return bad_line(l, "prio 0 to 139");
	task->prio = (int)prio;
	return 0;
}

static int load_op(struct loader *l)
{
	static const struct {
		const char *word;
		enum trace_op_kind kind;
		enum wake_kind wake;
	} words[] = {
		{ "run ", TRACE_OP_RUN, WAKE_PLAIN },
		{ "spawn ", TRACE_OP_SPAWN, WAKE_PLAIN },
		{ "post ", TRACE_OP_POST, WAKE_PLAIN },
		{ "postsync ", TRACE_OP_POST, WAKE_SYNC },
		{ "postexit ", TRACE_OP_POST, WAKE_EXITING },
		{ "wait ", TRACE_OP_BLOCK, WAKE_PLAIN },
		{ "sleep ", TRACE_OP_SLEEP, WAKE_PLAIN },
		{ "io ", TRACE_OP_IO, WAKE_PLAIN },
		{ "until ", TRACE_OP_UNTIL, WAKE_PLAIN },
	};
	struct trace_task *task = &l->tasks[l->task];
	const char *s = l->text;
	size_t i = 0;
	int64_t v;

	if (take_word(&s, "prio "))
		return load_prio(l, task, s);
	if (strcmp(s, "deadline 0") == 0) {
		task->prio = -1;
		return 0;
	}
	while (i < sizeof(words) / sizeof(words[0]) && !take_word(&s, words[i].word))
		i++;
	if (i == sizeof(words) / sizeof(words[0]) || !take_number(&s, INT64_MAX / 4, &v) || *s)
		return bad_line(l,
			"run, spawn, post, postsync, postexit, wait, sleep, until or io, and a "
			"number");
	switch (words[i].kind) {
	case TRACE_OP_SPAWN:
		return load_spawn(l, task, v);
	case TRACE_OP_POST:
		if (load_edge(l, task, l->posts, TRACE_OP_POST, v))
			return -1;
		l->posts[v]->u.post.wake = words[i].wake;
		return 0;
	case TRACE_OP_BLOCK:
		return load_edge(l, task, l->blocks, TRACE_OP_BLOCK, v);
	case TRACE_OP_RUN:
		trace_op_add(l->arena, task, TRACE_OP_RUN)->u.work = v;
		l->import->totals.work += v;
		return 0;
	case TRACE_OP_SLEEP:
	case TRACE_OP_IO:
	case TRACE_OP_UNTIL:
		trace_op_add(l->arena, task, words[i].kind)->ns = v;
		l->import->totals.sleeps += words[i].kind != TRACE_OP_IO;
		l->import->totals.beats += words[i].kind == TRACE_OP_UNTIL;
		l->import->totals.ios += words[i].kind == TRACE_OP_IO;
		return 0;
	case TRACE_OP_NONE:
		break;
	}
	return 0;
}

static int load_head(struct loader *l, const char *s)
{
	if (take_word(&s, "recorded "))
		return load_recorded(l, s);
	if (take_word(&s, "start "))
		return load_start(l, s);
	if (take_word(&s, "newidle "))
		return load_newidle(l, s);
	if (take_word(&s, "standin "))
		return load_standin(l, s);
	return load_sizes(l);
}

static int load_line(struct loader *l)
{
	const char *s = l->text;

	if (!l->tasks)
		return load_head(l, s);
	if (take_word(&s, "task "))
		return load_task(l, s);
	return l->task < 0 ? bad_line(l, "a task") : load_op(l);
}

/* Both ends of the edges, and somebody to start each task. */
static int join(struct loader *l)
{
	struct trace_totals *totals = &l->import->totals;

	if (!l->tasks || l->task + 1 != l->nr_tasks) {
		l->text[0] = '\0';
		return bad_line(l, "as many tasks as announced");
	}
	for (int64_t i = 0; i < l->nr_edges; i++) {
		if (!l->blocks[i] || !l->posts[i])
			return error_at(l->err, ERROR_TRACE, (struct where){ .file = l->path },
				"edge %lld has no \"%s\"", (long long)i,
				l->blocks[i] ? "post" : "wait");
		l->posts[i]->u.post.block = l->blocks[i];
	}
	for (int64_t i = 0; i < l->nr_tasks; i++)
		if (l->tasks[i].parent ? l->tasks[i].delay_ns >= 0 : l->tasks[i].delay_ns < 0)
			return error_at(l->err, ERROR_TRACE, (struct where){ .file = l->path },
				"task %lld starts %s", (long long)i,
				l->tasks[i].parent ? "twice: alone, and spawned" : "never");
		else
			l->tasks[i].delay_ns = max_i64(l->tasks[i].delay_ns, 0);
	totals->tasks = l->nr_tasks;
	totals->tasks_seen = l->nr_tasks;
	return 0;
}

static int load_lines(struct loader *l, FILE *file)
{
	int rc = 0;

	while (rc == 0 && fgets(l->text, sizeof(l->text), file)) {
		l->text[strcspn(l->text, "\n")] = '\0';
		if (l->line++ > 0 && l->text[0] != '#' && l->text[0])
			rc = load_line(l);
	}
	return rc ? rc : join(l);
}

int script_file_load(
	struct arena *arena, const char *path, struct trace_import *import, struct error *err)
{
	struct loader *const l = arena_alloc(arena, sizeof(*l));
	FILE *const file = fopen(path, "rb");
	jmp_buf outer;

	memset(import, 0, sizeof(*import));
	*l = (struct loader){
		.arena = arena, .import = import, .path = path, .task = -1, .err = err
	};
	if (!file)
		return error_at(err, ERROR_TRACE, (struct where){ .file = path },
			"cannot be opened: %s", strerror(errno));
	if (fseek(file, 0, SEEK_END) == 0)
		l->size = ftell(file);
	rewind(file);
	/* Out of memory must not leave the file open: stand in the way of the caller's guard. */
	memcpy(&outer, &arena->out_of_memory, sizeof(outer));
	if (arena_try(arena)) {
		fclose(file);
		memcpy(&arena->out_of_memory, &outer, sizeof(outer));
		longjmp(arena->out_of_memory, 1);
	}
	l->standin = arena_array(arena, TRACE_MAX_CPUS, sizeof(*l->standin));
	import->machine.standin = l->standin;
	int rc = load_lines(l, file);
	memcpy(&arena->out_of_memory, &outer, sizeof(outer));
	fclose(file);
	return rc;
}
