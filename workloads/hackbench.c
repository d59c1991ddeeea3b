/*
 * hackbench: groups of senders and receivers that pass small messages, as hackbench of rt-tests
 * and perf bench sched messaging do. Each receiver reads one pipe (or socket) until it has had a
 * message of every sender of its group per loop; each sender writes to all receivers of its group
 * in turn. Who blocks when follows pipe_read() and pipe_write() of fs/pipe.c and, of Linux 6.1,
 * net/unix/af_unix.c. A reader sleeps on an empty pipe or socket. A pipe is full when all its pages
 * are in use: a writer that finds no room in the last one sleeps, and takes a page of its own when
 * it goes on. Who reads from a full pipe wakes a writer, up to 6.13 at each message, then only when
 * that frees a page. Writers of a socket go on once a quarter of its buffer is left. Messages
 * between two such points are counted together, at most `batch` of them.
 *
 * Ends when every message has been read. The clock starts when all tasks are let go, as
 * hackbench's own. Cycles per message are those of a 2.94 GHz x86 machine; `cost` says how many
 * times as many another one takes.
 */
#include "sim/kernel/version.h"
#include "workloads/steps.h"

enum transport { PIPE, SOCKET };

struct hackbench_params {
	int64_t groups, fds, loops, transport, processes;
	int64_t write_cycles, read_cycles, wake_cycles, switch_cycles, create_cycles, cost_ppm,
		batch;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct hackbench_params, field, name, unit, min, max, def, help)

static const char *const transports[] = { [PIPE] = "pipe", [SOCKET] = "socket", NULL };

static const struct param params[] = {
	ROW(groups, "groups", UNIT_NONE, 1, 100000, 10, "-g: groups of senders and receivers"),
	ROW(fds, "fds", UNIT_NONE, 1, 1000, 20, "-f: senders, and receivers, of a group"),
	ROW(loops, "loops", UNIT_NONE, 1, INT64_C(1000000000), 100,
		"-l: messages from each sender to each receiver"),
	PARAM_CHOICE(struct hackbench_params, transport, "transport", transports, SOCKET,
		"pipe (-p) or socket, the default of hackbench"),
	PARAM_BOOL(struct hackbench_params, processes, "processes", 1,
		"processes, the default of hackbench; off: threads (-T), cheaper to create"),
	ROW(write_cycles, "write", UNIT_NONE, 1, 1000000000, PARAM_AUTO,
		"cycles to write a message; auto: 750, sockets 1650"),
	ROW(read_cycles, "read", UNIT_NONE, 1, 1000000000, PARAM_AUTO,
		"cycles to read one; auto: 650, sockets 1430"),
	ROW(wake_cycles, "wake", UNIT_NONE, 0, 1000000000, 2000, "cycles to wake a task"),
	ROW(switch_cycles, "switch", UNIT_NONE, 0, 1000000000, 3000,
		"cycles to come back after sleeping"),
	ROW(create_cycles, "create", UNIT_NONE, 0, 1000000000, PARAM_AUTO,
		"cycles to create a task; auto: 50000, processes 363000"),
	ROW(cost_ppm, "cost", UNIT_PPM, PPM / 100, 100 * PPM, PPM,
		"what all of these are multiplied by, for a CPU that does less in a cycle"),
	ROW(batch, "batch", UNIT_NONE, 1, 1000, 4,
		"messages counted together when nobody has to wait; 1 is exact, more is faster"),
	PARAM_END,
};

/* A page of a pipe holds 40 messages of 100 bytes, and a pipe 16 pages; a socket's buffer. */
#define PAGE_MESSAGES 40
#define PIPE_PAGES 16
#define SOCKET_MESSAGES 278
#define SOCKET_LOW 69

struct mailbox {
	int64_t written;  /* or about to be: what fills it */
	int64_t readable; /* of these */
	struct pipe_pages {
		int used, first;          /* how many; the oldest of the ring */
		int messages[PIPE_PAGES]; /* left in each; of the newest: */
		int in_last;              /* written to it */
	} pages;
	bool reader_waits;
	int64_t writers_wait;
	struct channel reader, writers;
};

struct hackbench_state {
	struct mailbox *mailboxes; /* groups x fds */
	struct channel ready, go, done;
	int64_t start_ns, end_ns;
	int64_t read; /* messages */
};

enum role { PARENT, SENDER, RECEIVER };

struct hackbench_task {
	enum role role;
	int stage;
	struct mailbox *group;  /* of its group; a receiver's own */
	int64_t left;           /* messages; the parent's tasks */
	int64_t at;             /* sender: next mailbox */
	int64_t burst, told;    /* messages being written or read; of these, told to the reader */
	int64_t pending_cycles; /* of waking and of being woken */
	bool woken;             /* sender: it waited, and passes on that there is room */
	bool wakes;             /* receiver: a writer, for what it has just read */
};

static int64_t pick(int64_t value, int64_t usual)
{
	return value == PARAM_AUTO ? usual : value;
}

/* The largest product, 10^9 cycles at a cost of 100, fits. */
static int64_t at_cost(const struct hackbench_params *p, int64_t cycles)
{
	return max_i64(cycles * p->cost_ppm / PPM, cycles > 0);
}

static int64_t write_cycles(const struct hackbench_params *p)
{
	return at_cost(p, pick(p->write_cycles, p->transport == PIPE ? 750 : 1650));
}

static int64_t read_cycles(const struct hackbench_params *p)
{
	return at_cost(p, pick(p->read_cycles, p->transport == PIPE ? 650 : 1430));
}

static int64_t nr_tasks(const struct hackbench_params *p)
{
	return 2 * p->groups * p->fds;
}

static struct mailbox *mailbox_of(
	const struct hackbench_params *p, struct hackbench_task *t, int64_t message)
{
	return &t->group[(t->at + message) % p->fds];
}

static bool pages_full(const struct pipe_pages *pages)
{
	return pages->used == PIPE_PAGES;
}

/* Room for a message, to who comes (a merge will do) or has waited (it takes a page). */
static bool has_room(const struct hackbench_params *p, const struct mailbox *m, bool waited)
{
	const struct pipe_pages *pages = &m->pages;

	if (p->transport == SOCKET)
		return m->written < SOCKET_MESSAGES;
	return !pages_full(pages) || (!waited && pages->in_last < PAGE_MESSAGES);
}

static int *newest(struct pipe_pages *pages)
{
	return &pages->messages[(pages->first + pages->used - 1) % PIPE_PAGES];
}

static void pages_put(struct pipe_pages *pages, bool waited)
{
	if (pages->used == 0 || pages->in_last == PAGE_MESSAGES || waited) {
		pages->used++;
		pages->in_last = 0;
		*newest(pages) = 0;
	}
	pages->in_last++;
	++*newest(pages);
}

/* True when that frees a page. */
static bool pages_take(struct pipe_pages *pages)
{
	if (--pages->messages[pages->first] > 0)
		return false;
	pages->first = (pages->first + 1) % PIPE_PAGES;
	pages->used--;
	return true;
}

static void run_burst(struct hackbench_task *t, int64_t cycles, struct step *step)
{
	step_cycles(step, t->burst * cycles + t->pending_cycles, PPM);
	t->pending_cycles = 0;
}

/* How many messages can be written before somebody has to wait or to be woken. */
static void plan_writes(const struct hackbench_params *p, struct hackbench_task *t)
{
	for (t->burst = 0; t->burst < p->batch && t->burst < t->left;) {
		struct mailbox *m = mailbox_of(p, t, t->burst);
		bool waited = t->woken && t->burst == 0;

		if (!has_room(p, m, waited))
			return;
		m->written++;
		if (p->transport == PIPE)
			pages_put(&m->pages, waited);
		t->burst++;
		if (m->reader_waits || (t->woken && m->writers_wait))
			return;
	}
}

/* After a burst: the next reader that sleeps on a mailbox written to, or NULL. */
static struct mailbox *next_sleeper(const struct hackbench_params *p, struct hackbench_task *t)
{
	while (t->told < t->burst) {
		struct mailbox *m = mailbox_of(p, t, t->told++);

		m->readable++;
		if (m->reader_waits) {
			m->reader_waits = false;
			return m;
		}
	}
	return NULL;
}

static void next_sender(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct hackbench_params *p = ctx->params;
	struct hackbench_state *s = ctx->state;
	struct hackbench_task *t = task->priv;
	enum { READY, GO, WRITE, TELL, DONE, LEAVE };
	struct mailbox *m;

	switch (t->stage) {
	case READY:
		step_post(step, &s->ready);
		t->stage = GO;
		return;
	case GO:
		step_wait(step, &s->go);
		t->pending_cycles = at_cost(p, p->switch_cycles);
		t->stage = WRITE;
		return;
	case WRITE:
		m = mailbox_of(p, t, 0);
		plan_writes(p, t);
		if (t->burst == 0) {
			m->writers_wait++;
			step_wait(step, &m->writers);
			t->pending_cycles += at_cost(p, p->switch_cycles);
			t->woken = true;
			return;
		}
		run_burst(t, write_cycles(p), step);
		t->told = 0;
		t->stage = TELL;
		return;
	case TELL:
		m = next_sleeper(p, t);
		if (m) {
			t->pending_cycles += at_cost(p, p->wake_cycles);
			step_post_sync(step, &m->reader);
			return;
		}
		m = mailbox_of(p, t, 0);
		t->at = (t->at + t->burst) % p->fds;
		t->left -= t->burst;
		t->stage = t->left ? WRITE : DONE;
		/* A pipe's writer wakes the next one while there is room. */
		if (t->woken && p->transport == PIPE && m->writers_wait && !pages_full(&m->pages)) {
			m->writers_wait--;
			t->pending_cycles += at_cost(p, p->wake_cycles);
			step_post_sync(step, &m->writers);
		} else {
			step_cycles(step, 0, PPM);
		}
		t->woken = false;
		return;
	case DONE:
		step_post(step, &s->done);
		t->stage = LEAVE;
		return;
	default:
		step_exit(step);
	}
}

/* Up to 6.13 a pipe's reader wakes a writer whenever the pipe was full; from 6.14 on when that
 * frees a page of it. */
static bool wakes_early(const struct workload_ctx *ctx)
{
	return ctx->version < KVER(6, 14, 0);
}

/* A reader stops where it has to wake writers: in a full pipe, at a socket's low mark. */
static void plan_reads(const struct workload_ctx *ctx, struct hackbench_task *t)
{
	const struct hackbench_params *p = ctx->params;
	const struct mailbox *m = t->group;

	t->burst = min_i64(min_i64(m->readable, p->batch), t->left);
	if (!m->writers_wait)
		return;
	if (p->transport == PIPE && pages_full(&m->pages))
		t->burst = min_i64(
			t->burst, wakes_early(ctx) ? 1 : m->pages.messages[m->pages.first]);
	else if (p->transport == SOCKET && m->written > SOCKET_LOW)
		t->burst = min_i64(t->burst, m->written - SOCKET_LOW);
}

static void take_reads(const struct workload_ctx *ctx, struct hackbench_task *t)
{
	const struct hackbench_params *p = ctx->params;
	struct hackbench_state *s = ctx->state;
	struct mailbox *m = t->group;
	bool was_full = pages_full(&m->pages), freed = false;

	for (int64_t i = 0; i < t->burst && p->transport == PIPE; i++)
		freed |= pages_take(&m->pages);
	m->readable -= t->burst;
	m->written -= t->burst;
	t->left -= t->burst;
	s->read += t->burst;
	t->wakes = was_full && (freed || wakes_early(ctx));
}

/* Whether a sleeping writer is to be woken now: one by a full pipe, all by a low socket. */
static bool wakes_writer(const struct hackbench_params *p, const struct hackbench_task *t)
{
	if (!t->group->writers_wait)
		return false;
	return p->transport == PIPE ? t->wakes : t->group->written <= SOCKET_LOW;
}

static void next_receiver(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct hackbench_params *p = ctx->params;
	struct hackbench_state *s = ctx->state;
	struct hackbench_task *t = task->priv;
	struct mailbox *m = t->group;
	enum { READY, GO, READ, TAKE, WAKE, DONE, LEAVE };

	switch (t->stage) {
	case READY:
		step_post(step, &s->ready);
		t->stage = GO;
		return;
	case GO:
		step_wait(step, &s->go);
		t->pending_cycles = at_cost(p, p->switch_cycles);
		t->stage = READ;
		return;
	case READ:
		if (m->readable == 0) {
			m->reader_waits = true;
			step_wait(step, &m->reader);
			t->pending_cycles += at_cost(p, p->switch_cycles);
			return;
		}
		plan_reads(ctx, t);
		run_burst(t, read_cycles(p), step);
		t->stage = TAKE;
		return;
	case TAKE:
		take_reads(ctx, t);
		t->stage = WAKE;
		/* fall through */
	case WAKE:
		if (wakes_writer(p, t)) {
			m->writers_wait--;
			t->wakes = false;
			t->pending_cycles += at_cost(p, p->wake_cycles);
			step_post_sync(step, &m->writers);
			return;
		}
		t->stage = t->left ? READ : DONE;
		step_cycles(step, 0, PPM);
		return;
	case DONE:
		step_post(step, &s->done);
		t->stage = LEAVE;
		return;
	default:
		step_exit(step);
	}
}

/* Receivers and senders of a group by turns of fds, as hackbench creates them. */
static struct task *make_task(struct workload_ctx *ctx, int64_t nr)
{
	const struct hackbench_params *p = ctx->params;
	struct hackbench_state *s = ctx->state;
	int64_t group = nr / (2 * p->fds), place = nr % (2 * p->fds);
	bool sender = place >= p->fds;
	struct task *task = step_task(ctx, sender ? "sender" : "receiver", (uint64_t)nr + 2);
	struct hackbench_task *t = task->priv;

	t->role = sender ? SENDER : RECEIVER;
	t->group = &s->mailboxes[group * p->fds + (sender ? 0 : place)];
	t->left = p->fds * p->loops;
	return task;
}

static void next_parent(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct hackbench_params *p = ctx->params;
	struct hackbench_state *s = ctx->state;
	struct hackbench_task *t = task->priv;
	int64_t create = at_cost(p, pick(p->create_cycles, p->processes ? 363000 : 50000));
	enum { CREATE, SPAWN, READY, START, LET, GO, DONE, END };

	switch (t->stage) {
	case CREATE:
		step_cycles(step, create, PPM);
		t->stage = SPAWN;
		return;
	case SPAWN:
		step_spawn(step, make_task(ctx, t->at++));
		t->stage = t->at < nr_tasks(p) ? CREATE : READY;
		return;
	case READY:
		step_wait(step, &s->ready);
		t->stage = --t->at ? READY : START;
		return;
	case START:
		step_stamp(step, &s->start_ns);
		t->stage = LET;
		return;
	case LET:
		step_cycles(step, at_cost(p, p->wake_cycles), PPM);
		t->stage = GO;
		return;
	case GO:
		step_post(step, &s->go);
		t->stage = ++t->at < nr_tasks(p) ? LET : DONE;
		return;
	case DONE:
		step_wait(step, &s->done);
		t->stage = --t->at ? DONE : END;
		return;
	case END:
		step_stamp(step, &s->end_ns);
		t->stage++;
		return;
	default:
		step_exit(step);
	}
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	static void (*const by_role[])(struct workload_ctx *, struct task *, struct step *) = {
		[PARENT] = next_parent,
		[SENDER] = next_sender,
		[RECEIVER] = next_receiver,
	};
	const struct hackbench_task *t = task->priv;

	by_role[t->role](ctx, task, step);
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct hackbench_params *p = ctx->params;
	struct hackbench_state *s = ctx->state;

	if (nr_tasks(p) > 1000000)
		return error_set(err, ERROR_SCENARIO,
			"hackbench: %lld groups of %lld fds make %lld tasks; expected at most "
			"1000000",
			(long long)p->groups, (long long)p->fds, (long long)nr_tasks(p));
	s->mailboxes = arena_array(ctx->arena, (size_t)(p->groups * p->fds), sizeof(*s->mailboxes));
	task_pool(ctx, (size_t)nr_tasks(p) + 1);
	step_lead(ctx, step_task(ctx, "hackbench", 1), 0);
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct hackbench_state *s = ctx->state;
	int64_t end_ns = s->end_ns ? s->end_ns : elapsed_ns;
	int nr = measure_rate(
		out, "messages", "messages per second", (double)s->read, end_ns - s->start_ns);

	out[nr++] = (struct measure){ "time", "s",
		(double)(end_ns - s->start_ns) / (double)NSEC_PER_SEC };
	return nr;
}

const struct workload workload_hackbench = {
	.name = "hackbench",
	.summary = "groups of tasks that pass small messages through pipes or sockets",
	.params = params,
	.params_size = sizeof(struct hackbench_params),
	.state_size = sizeof(struct hackbench_state),
	.task_size = sizeof(struct hackbench_task),
	.build = build,
	.next = next,
	.measure = measure,
};
