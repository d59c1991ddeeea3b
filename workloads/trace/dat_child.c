#include "workloads/trace/dat_child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <trace-cmd.h>
#include <unistd.h>

#include "sim/base/arena.h"
#include "workloads/trace/state.h"

#define OUT_BYTES ((size_t)64 * 1024)
#define EVENT_IDS 65536 /* the type of a record has 16 bits */
#define PIDS INT64_C(4194304)
#define STATE_BITS 16
#define CLOCK_BYTES ((size_t)64 * 1024)
/* What the library may use: so much, and so many times the file. */
#define MEMORY_BYTES (UINT64_C(128) << 20)
#define MEMORY_TIMES 16
/* Its CPU time: so much, and a second for each of so many bytes. */
#define CPU_SECONDS 2
#define CPU_BYTES_PER_SECOND (5 << 20)
#define IRQ_FLAGS 0x58 /* hard and soft interrupt, NMI */

enum field { FIELD_A_PID, FIELD_A_COMM, FIELD_B_PID, FIELD_B_COMM, FIELD_X, FIELD_Y, FIELD_Z };
#define FIELDS (FIELD_Z + 1)

/* Which fields of an event fill what. */
struct grammar {
	const char *name;
	enum trace_kind kind;
	const char *fields[FIELDS];
};

/* Several names of one field, as versions have it, are tried in order. */
static const struct grammar grammars[] = {
	{ "sched_switch", TRACE_SWITCH,
		{ "prev_pid", "prev_comm", "next_pid", "next_comm", "prev_state", "prev_prio",
			"next_prio" } },
	{ "sched_waking", TRACE_WAKING,
		{ NULL, NULL, "pid", "comm", "target_cpu", "success", "prio" } },
	{ "sched_wakeup", TRACE_WAKEUP,
		{ NULL, NULL, "pid", "comm", "target_cpu", "success", "prio" } },
	{ "sched_wakeup_new", TRACE_WAKEUP_NEW,
		{ NULL, NULL, "pid", "comm", "target_cpu", "success", "prio" } },
	{ "sched_process_fork", TRACE_FORK,
		{ "parent_pid", "parent_comm", "child_pid", "child_comm" } },
	{ "task_newtask", TRACE_FORK, { NULL, NULL, "pid", "comm" } },
	{ "sched_process_exec", TRACE_EXEC, { "old_pid", NULL, "pid" } },
	{ "sched_process_exit", TRACE_EXIT, { "pid", "comm" } },
	{ "sched_process_free", TRACE_FREE, { "pid", "comm" } },
	{ "sched_process_wait", TRACE_WAIT, { "pid", "comm" } },
	{ "task_rename", TRACE_RENAME, { "pid", "newcomm" } },
	{ "cpu_frequency", TRACE_FREQUENCY, { [FIELD_X] = "cpu_id", "state" } },
	{ "cpu_frequency_limits", TRACE_LIMITS, { [FIELD_X] = "cpu_id", "max_freq", "min_freq" } },
	{ "cpu_idle", TRACE_IDLE, { [FIELD_X] = "cpu_id", "state" } },
	{ "print", TRACE_MARK, { [FIELD_X] = "buf" } },
	{ "block_rq_complete", TRACE_IO_DONE, { NULL } },
};

/* One event of this file. */
struct known {
	const struct grammar *grammar; /* NULL: of no use */
	struct tep_format_field *fields[FIELDS];
};

/* The next record of one CPU of one buffer. */
struct source {
	struct tracecmd_input *handle;
	int cpu;
	struct tep_record *record;
};

struct child {
	struct arena arena;
	int fd;
	struct tep_handle *tep;
	struct known **events; /* by type */
	unsigned char *named;  /* by pid: its name has been told */
	struct source *sources;
	int nr_sources;
	struct trace_states states;
	/* Letters of prev_state, from the event's own format. */
	int64_t state_bits[STATE_BITS];
	char state_letters[STATE_BITS];
	int nr_states;
	unsigned char *out;
	size_t out_len;
};

size_t trace_dat_size(const struct trace_event *event)
{
	return event->kind == TRACE_OTHER ? offsetof(struct trace_event, a) : sizeof(*event);
}

static void flush(struct child *child)
{
	const unsigned char *at = child->out;

	while (child->out_len > 0) {
		ssize_t put = write(child->fd, at, child->out_len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			_exit(1); /* nobody listens any more */
		at += put;
		child->out_len -= (size_t)put;
	}
}

static void send(struct child *child, const struct trace_event *event)
{
	size_t size = trace_dat_size(event);

	if (child->out_len + size > OUT_BYTES)
		flush(child);
	memcpy(child->out + child->out_len, event, size);
	child->out_len += size;
}

static void finish(struct child *child, int kind, const char *text)
{
	struct trace_event event = { .kind = (enum trace_kind)kind };

	if (text)
		memcpy(event.text, text, strlen(text) + 1);
	send(child, &event);
	flush(child);
	_exit(0);
}

/* Flags that a printed state may consist of, anywhere in the arguments of the event's format. */
static void find_states(struct child *child, const struct tep_print_arg *arg, int depth)
{
	if (!arg || depth > 16)
		return;
	switch (arg->type) {
	case TEP_PRINT_FLAGS:
		for (const struct tep_print_flag_sym *flag = arg->flags.flags; flag;
			flag = flag->next) {
			if (child->nr_states == STATE_BITS || !flag->value || !flag->str)
				break;
			child->state_bits[child->nr_states] = strtoll(flag->value, NULL, 0);
			child->state_letters[child->nr_states++] = flag->str[0];
		}
		break;
	case TEP_PRINT_OP:
		find_states(child, arg->op.left, depth + 1);
		find_states(child, arg->op.right, depth + 1);
		break;
	case TEP_PRINT_TYPE:
		find_states(child, arg->typecast.item, depth + 1);
		break;
	default:
		break;
	}
}

static void learn_states(struct child *child, const struct tep_event *event)
{
	for (const struct tep_print_arg *arg = event->print_fmt.args; arg; arg = arg->next)
		if (child->nr_states == 0)
			find_states(child, arg, 0);
}

static enum trace_state state_of(struct child *child, int64_t bits)
{
	bool any = false, device = false;

	if (child->nr_states == 0)
		return trace_state_of_bits(&child->states, bits);
	for (int i = 0; i < child->nr_states; i++) {
		if (!(bits & child->state_bits[i]))
			continue;
		char letter = child->state_letters[i];
		if (letter == 'Z' || letter == 'X' || letter == 'x')
			return TRACE_DEAD;
		device |= letter == 'D';
		any = true;
	}
	if (!any)
		return TRACE_RUNNABLE;
	return device ? TRACE_BLOCKED_D : TRACE_BLOCKED;
}

static struct known *learn(struct child *child, struct tep_event *event)
{
	struct known *known = arena_alloc(&child->arena, sizeof(*known));

	for (size_t i = 0; i < sizeof(grammars) / sizeof(grammars[0]); i++)
		if (strcmp(grammars[i].name, event->name) == 0)
			known->grammar = &grammars[i];
	for (int i = 0; known->grammar && i < FIELDS; i++)
		if (known->grammar->fields[i])
			known->fields[i] = tep_find_field(event, known->grammar->fields[i]);
	if (known->grammar && known->grammar->kind == TRACE_SWITCH)
		learn_states(child, event);
	return known;
}

static const struct known *known_of(struct child *child, struct tep_record *record)
{
	static const struct known useless = { .grammar = NULL };
	int type = tep_data_type(child->tep, record);

	if (type < 0 || type >= EVENT_IDS)
		return &useless;
	if (!child->events[type]) {
		struct tep_event *event = tep_find_event(child->tep, type);

		child->events[type] = event ? learn(child, event)
					    : arena_alloc(&child->arena, sizeof(useless));
	}
	return child->events[type];
}

/* A whole number; false when the record does not hold it. */
static bool take_number(const struct child *child, const struct tep_record *record,
	const struct tep_format_field *field, int64_t *v)
{
	if (!field || field->offset < 0 || field->size < 1 || field->size > 8 ||
		field->offset + field->size > record->size)
		return false;
	unsigned long long bits = tep_read_number(
		child->tep, (const char *)record->data + field->offset, field->size);
	*v = (int64_t)bits;
	if ((field->flags & TEP_FIELD_IS_SIGNED) && field->size < 8 &&
		bits >> (8 * field->size - 1))
		*v = (int64_t)bits - (INT64_C(1) << (8 * field->size));
	return true;
}

static void take_text(const struct child *child, const struct tep_record *record,
	const struct tep_format_field *field, char *buf)
{
	int64_t from, len, where;

	if (!field)
		return;
	from = field->offset;
	len = field->size;
	if (field->flags & TEP_FIELD_IS_DYNAMIC) {
		if (!take_number(child, record, field, &where))
			return;
		from = where & 0xffff;
		len = where >> 16 & 0xffff;
		if (field->flags & TEP_FIELD_IS_RELATIVE)
			from += field->offset + field->size;
	} else if (len == 0) {
		len = record->size - from; /* the rest of the record */
	}
	if (from < 0 || len < 0 || from > record->size || len > record->size - from)
		return;
	len = len < TRACE_COMM_SIZE - 1 ? len : TRACE_COMM_SIZE - 1;
	const char *text = (const char *)record->data + from;
	const char *end = memchr(text, '\0', (size_t)len);
	memcpy(buf, text, end ? (size_t)(end - text) : (size_t)len);
}

static bool take_pid(const struct child *child, const struct tep_record *record,
	const struct tep_format_field *field, struct trace_who *who)
{
	return take_number(child, record, field, &who->pid) && who->pid >= 0 && who->pid < PIDS;
}

static bool take_cpu(const struct child *child, const struct tep_record *record,
	const struct tep_format_field *field, struct trace_event *event)
{
	int64_t cpu;

	if (!take_number(child, record, field, &cpu) || cpu < 0 || cpu >= TRACE_MAX_CPUS)
		return false;
	event->target_cpu = (int)cpu;
	return true;
}

static void take_prio(const struct child *child, const struct tep_record *record,
	const struct tep_format_field *field, struct trace_who *who)
{
	int64_t prio;

	if (take_number(child, record, field, &prio) && prio < 2 * TRACE_PRIO_NORMAL)
		who->prio = prio < 0 ? -1 : (int)prio;
}

/* false when the record lacks what its kind needs. */
static bool take_payload(struct child *child, const struct tep_record *record,
	const struct known *known, struct trace_event *event)
{
	struct tep_format_field *const *f = known->fields;
	int64_t v = 0;

	switch (known->grammar->kind) {
	case TRACE_SWITCH:
		if (!take_number(child, record, f[FIELD_X], &v))
			return false;
		event->prev_state = state_of(child, v);
		take_prio(child, record, f[FIELD_Y], &event->a);
		take_prio(child, record, f[FIELD_Z], &event->b);
		break;
	case TRACE_WAKING:
	case TRACE_WAKEUP:
	case TRACE_WAKEUP_NEW:
		/* Kernels before 4.4 also logged wake-ups that found the task awake. */
		if (f[FIELD_Y] && take_number(child, record, f[FIELD_Y], &v) && v == 0)
			event->kind = TRACE_OTHER;
		take_cpu(child, record, f[FIELD_X], event);
		take_prio(child, record, f[FIELD_Z], &event->b);
		break;
	case TRACE_FREQUENCY:
		return take_cpu(child, record, f[FIELD_X], event) &&
			take_number(child, record, f[FIELD_Y], &event->khz) && event->khz > 0;
	case TRACE_LIMITS:
		return take_cpu(child, record, f[FIELD_X], event) &&
			take_number(child, record, f[FIELD_Y], &event->khz) &&
			take_number(child, record, f[FIELD_Z], &event->min_khz);
	case TRACE_IDLE:
		if (!take_number(child, record, f[FIELD_Y], &event->idle_state))
			return false;
		if (event->idle_state == UINT32_MAX)
			event->idle_state = -1;
		return take_cpu(child, record, f[FIELD_X], event);
	case TRACE_MARK:
		take_text(child, record, f[FIELD_X], event->text);
		return true;
	case TRACE_IO_DONE:
		return true;
	default:
		break;
	}
	if (f[FIELD_A_PID] && !take_pid(child, record, f[FIELD_A_PID], &event->a))
		return false;
	if (f[FIELD_B_PID] && !take_pid(child, record, f[FIELD_B_PID], &event->b))
		return false;
	if (!f[FIELD_A_PID] && !f[FIELD_B_PID])
		return false;
	take_text(child, record, f[FIELD_A_COMM], event->a.comm);
	take_text(child, record, f[FIELD_B_COMM], event->b.comm);
	/* The parent of task_newtask is the task that runs. */
	if (!f[FIELD_A_PID] && event->kind == TRACE_FORK)
		event->a = event->head;
	return true;
}

/* Who ran; the file has one name for each pid, which is told once: payloads know better. */
static void take_head(struct child *child, struct tep_record *record, struct trace_event *event)
{
	int pid = tep_data_pid(child->tep, record);

	event->head.pid = pid >= 0 && pid < PIDS ? pid : TRACE_PID_UNKNOWN;
	event->context = tep_data_flags(child->tep, record) & IRQ_FLAGS ? TRACE_CONTEXT_IRQ
									: TRACE_CONTEXT_TASK;
	if (pid <= 0 || pid >= PIDS || child->named[pid])
		return;
	child->named[pid] = 1;
	const char *comm = tep_data_comm_from_pid(child->tep, pid);
	if (!comm || strcmp(comm, "<...>") == 0)
		return;
	size_t len = strlen(comm);
	memcpy(event->head.comm, comm, len < TRACE_COMM_SIZE ? len : TRACE_COMM_SIZE - 1);
}

static void send_record(struct child *child, struct tep_record *record, int cpu)
{
	const struct known *known = known_of(child, record);
	struct trace_event event = { .kind = TRACE_OTHER,
		.cpu = cpu,
		.target_cpu = -1,
		.state_bits = -1,
		.head.prio = TRACE_PRIO_NORMAL,
		.a.prio = TRACE_PRIO_NORMAL,
		.b.prio = TRACE_PRIO_NORMAL,
		.t_ns = (int64_t)(record->ts & INT64_MAX) };

	if (record->missed_events) {
		struct trace_event lost = event;

		lost.kind = TRACE_LOST;
		lost.head.pid = TRACE_PID_UNKNOWN;
		lost.lost = record->missed_events > 0 ? record->missed_events : -1;
		send(child, &lost);
	}
	take_head(child, record, &event);
	if (known->grammar) {
		event.kind = known->grammar->kind;
		if (!take_payload(child, record, known, &event))
			event.kind = TRACE_OTHER;
	}
	send(child, &event);
}

static bool earlier(const struct source *a, const struct source *b)
{
	if (a->record->ts != b->record->ts)
		return a->record->ts < b->record->ts;
	return a->cpu < b->cpu;
}

/* A heap of sources, the earliest record first. */
static void sift_down(struct child *child, int at)
{
	struct source *heap = child->sources;

	for (;;) {
		int least = at;

		for (int i = 2 * at + 1; i <= 2 * at + 2 && i < child->nr_sources; i++)
			if (earlier(&heap[i], &heap[least]))
				least = i;
		if (least == at)
			return;
		struct source moved = heap[at];
		heap[at] = heap[least];
		heap[least] = moved;
		at = least;
	}
}

static void merge(struct child *child)
{
	for (int i = child->nr_sources / 2 - 1; i >= 0; i--)
		sift_down(child, i);
	while (child->nr_sources > 0) {
		struct source *first = &child->sources[0];

		send_record(child, first->record, first->cpu);
		tracecmd_free_record(first->record);
		first->record = tracecmd_read_data(first->handle, first->cpu);
		if (!first->record)
			*first = child->sources[--child->nr_sources];
		sift_down(child, 0);
	}
}

static void add_sources(struct child *child, struct tracecmd_input *handle, int nr_cpus)
{
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		struct tep_record *record = tracecmd_read_cpu_first(handle, cpu);

		if (record)
			child->sources[child->nr_sources++] = (struct source){ handle, cpu,
				record };
	}
}

static bool in_brackets(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at && at > text && at[-1] == '[' && at[strlen(word)] == ']';
}

/* The file keeps the text of tracefs' trace_clock, in which the clock used stands in brackets.
 * Those that count something else than time are looked for. */
static const char *odd_clock(struct child *child, const char *file)
{
	static const char *const clocks[] = { "counter", "uptime", "x86-tsc" };
	const size_t overlap = 256;
	char *buf = arena_alloc(&child->arena, CLOCK_BYTES + 1);
	int fd = open(file, O_RDONLY);
	size_t kept = 0;
	ssize_t got;

	while (fd >= 0 && (got = read(fd, buf + kept, CLOCK_BYTES - kept)) > 0) {
		size_t len = kept + (size_t)got;

		for (char *p = buf; (p = memchr(p, 'l', len - (size_t)(p - buf))); p++) {
			char clocks_line[128] = { 0 };

			if (len - (size_t)(p - buf) < sizeof(clocks_line) ||
				memcmp(p, "local global ", 13) != 0)
				continue;
			memcpy(clocks_line, p, sizeof(clocks_line) - 1);
			for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
				if (in_brackets(clocks_line, clocks[i])) {
					close(fd);
					return clocks[i];
				}
		}
		kept = len < overlap ? len : overlap;
		memmove(buf, buf + len - kept, kept);
	}
	if (fd >= 0)
		close(fd);
	return NULL;
}

/* The library speaks on both; and what a damaged file makes it allocate has a limit. */
static void confine(const char *file)
{
	const struct rlimit no_core = { 0, 0 };
	struct rlimit memory;
	struct stat st;
	char statm[64] = { 0 };
	int null = open("/dev/null", O_RDWR);
	int fd = open("/proc/self/statm", O_RDONLY);

	if (null >= 0) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	setrlimit(RLIMIT_CORE, &no_core);
	if (fd < 0 || read(fd, statm, sizeof(statm) - 1) <= 0 || stat(file, &st) ||
		getrlimit(RLIMIT_AS, &memory))
		return;
	close(fd);
	rlim_t seconds = CPU_SECONDS + (rlim_t)(st.st_size / CPU_BYTES_PER_SECOND);
	setrlimit(RLIMIT_CPU, &(struct rlimit){ seconds, seconds });
	rlim_t pages = (rlim_t)strtoull(statm, NULL, 10);
	rlim_t limit = pages * (rlim_t)sysconf(_SC_PAGESIZE) + MEMORY_BYTES +
		MEMORY_TIMES * (rlim_t)st.st_size;
	if (memory.rlim_cur == RLIM_INFINITY || memory.rlim_cur > limit) {
		memory.rlim_cur = limit;
		setrlimit(RLIMIT_AS, &memory);
	}
}

void trace_dat_child(const char *file, int fd)
{
	struct child *const child = &(struct child){ .fd = fd };

	confine(file);
	if (arena_try(&child->arena))
		_exit(1);
	child->out = arena_alloc(&child->arena, OUT_BYTES);
	child->events = arena_array(&child->arena, EVENT_IDS, sizeof(struct known *));
	child->named = arena_alloc(&child->arena, (size_t)PIDS);
	const char *clock = odd_clock(child, file);
	if (clock)
		finish(child, TRACE_DAT_CLOCK, clock);
	struct tracecmd_input *input = tracecmd_open_head(file, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!input)
		finish(child, TRACE_DAT_REFUSED, NULL);
	/* A handle whose data are not there must not be closed; the end of the process does. */
	if (tracecmd_init_data(input) < 0)
		finish(child, TRACE_DAT_CUT, NULL);
	child->tep = tracecmd_get_tep(input);
	int nr_cpus = tep_get_cpus(child->tep), nr_buffers = tracecmd_buffer_instances(input);
	if (nr_cpus < 1 || nr_cpus > TRACE_MAX_CPUS || nr_buffers < 0)
		finish(child, TRACE_DAT_REFUSED, NULL);
	child->sources = arena_array(
		&child->arena, (size_t)nr_cpus * (size_t)(nr_buffers + 1), sizeof(*child->sources));
	add_sources(child, input, nr_cpus);
	for (int i = 0; i < nr_buffers; i++) {
		struct tracecmd_input *buffer = tracecmd_buffer_instance_handle(input, i);

		if (buffer)
			add_sources(child, buffer, nr_cpus);
	}
	struct trace_event cpus = { .kind = TRACE_CPUS, .cpu = -1, .nr_cpus = nr_cpus };
	send(child, &cpus);
	merge(child);
	finish(child, TRACE_DAT_END, NULL);
}
