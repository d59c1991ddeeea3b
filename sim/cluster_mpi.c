#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/str.h"
#include "sim/cluster.h"
#include "sim/sweep/runner.h"

enum tag { TAG_READY, TAG_DONE, TAG_BROKEN, TAG_JOB, TAG_STOP };

/* Between two looks for messages: short against any run worth a cluster. */
#define PAUSE_NS 100000
#define POLL_S 0.1
/* A rank of another host that is silent for so long, and for so many times the longest run, is
 * taken for dead. One that then answers after all is not believed. */
#define SILENCE_S 600.0
#define SILENCE_RUNS 50.0

enum rank_state { STATE_STARTING, STATE_IDLE, STATE_BUSY, STATE_GONE };

struct cluster_rank {
	enum rank_state state;
	uint64_t point; /* what a busy rank runs */
	int64_t repeat;
	double since_s;
	pid_t pid; /* when on this host, else 0 */
};

/* What a rank says of itself. */
struct greeting {
	char host[256];
	int64_t pid;
};

struct job {
	uint64_t point;
	int64_t repeat;
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool started_by_mpirun(void)
{
	return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMIX_RANK");
}

int cluster_start(struct cluster *cluster, struct arena *arena, struct error *err)
{
	*cluster = (struct cluster){ .size = 1 };
	if (!started_by_mpirun())
		return 0;
	if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
		return error_set(err, ERROR_RUN, "MPI could not be started");
	cluster->started = true;
	/* A message that fails is looked at by whoever sent it. */
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &cluster->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &cluster->size);
	cluster->ranks = arena_array(arena, (size_t)cluster->size, sizeof(*cluster->ranks));
	return 0;
}

static void greet(struct greeting *greeting)
{
	*greeting = (struct greeting){ .pid = getpid() };
	gethostname(greeting->host, sizeof(greeting->host) - 1);
}

static void send_bytes(int to, enum tag tag, const void *data, size_t size)
{
	MPI_Send(data, (int)size, MPI_BYTE, to, (int)tag, MPI_COMM_WORLD);
}

void cluster_work(struct cluster *cluster, const struct plan *plan, const char *problem)
{
	struct greeting greeting;
	struct outcome outcome = { 0 };
	struct runner runner;
	MPI_Status status;
	struct job job;

	greet(&greeting);
	send_bytes(0, TAG_READY, &greeting, sizeof(greeting));
	if (problem) {
		snprintf(outcome.message, sizeof(outcome.message), "rank %d on %.64s: %.400s",
			cluster->rank, greeting.host, problem);
		send_bytes(0, TAG_BROKEN, &outcome, sizeof(outcome));
	}
	runner_start(&runner, plan);
	while (MPI_Recv(&job, sizeof(job), MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status) ==
			MPI_SUCCESS &&
		status.MPI_TAG == TAG_JOB) {
		runner_run(&runner, (size_t)job.point, job.repeat, &outcome);
		send_bytes(0, TAG_DONE, &outcome, sizeof(outcome));
	}
	runner_end(&runner);
}

static void lose_rank(struct cluster *cluster, struct sweep *sweep, int rank, const char *why)
{
	struct cluster_rank *r = &cluster->ranks[rank];

	if (r->state == STATE_BUSY)
		schedule_lost(&sweep->schedule, (size_t)r->point, r->repeat);
	r->state = STATE_GONE;
	fprintf(stderr, "%s; going on without it\n", why);
}

static void take_greeting(struct cluster *cluster, int rank, const struct greeting *greeting)
{
	struct greeting own;

	greet(&own);
	if (strcmp(own.host, greeting->host) == 0)
		cluster->ranks[rank].pid = (pid_t)greeting->pid;
	cluster->ranks[rank].state = STATE_IDLE;
}

static void take_message(struct cluster *cluster, struct sweep *sweep, const MPI_Status *status)
{
	struct cluster_rank *r = &cluster->ranks[status->MPI_SOURCE];
	struct greeting greeting;
	struct outcome outcome;
	bool ready = status->MPI_TAG == TAG_READY;

	if (MPI_Recv(ready ? (void *)&greeting : (void *)&outcome,
		    ready ? (int)sizeof(greeting) : (int)sizeof(outcome), MPI_BYTE,
		    status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD,
		    MPI_STATUS_IGNORE) != MPI_SUCCESS)
		return;
	if (ready) {
		take_greeting(cluster, status->MPI_SOURCE, &greeting);
	} else if (status->MPI_TAG == TAG_BROKEN) {
		lose_rank(cluster, sweep, status->MPI_SOURCE, outcome.message);
	} else if (r->state == STATE_BUSY && r->point == outcome.point &&
		r->repeat == outcome.repeat) {
		sweep_put(sweep, &outcome);
		r->state = STATE_IDLE;
	}
}

/* Whether any message was there. */
static bool take_messages(struct cluster *cluster, struct sweep *sweep)
{
	MPI_Status status;
	bool any = false;
	int waiting;

	while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waiting, &status) ==
			MPI_SUCCESS &&
		waiting) {
		take_message(cluster, sweep, &status);
		any = true;
	}
	return any;
}

static void hand_out(struct cluster *cluster, struct sweep *sweep)
{
	for (int rank = 1; rank < cluster->size; rank++) {
		struct cluster_rank *r = &cluster->ranks[rank];
		int64_t repeat;
		size_t point;

		if (r->state != STATE_IDLE)
			continue;
		if (sweep_take(sweep, &point, &repeat) != SCHEDULE_JOB)
			return;
		const struct job job = { .point = point, .repeat = repeat };
		r->state = STATE_BUSY;
		r->point = point;
		r->repeat = repeat;
		r->since_s = now_s();
		send_bytes(rank, TAG_JOB, &job, sizeof(job));
	}
}

static void look_for_dead(struct cluster *cluster, struct sweep *sweep, double longest_s)
{
	char why[64];

	for (int rank = 1; rank < cluster->size; rank++) {
		struct cluster_rank *r = &cluster->ranks[rank];
		double silent_s = now_s() - r->since_s;
		bool dead = r->pid ? kill(r->pid, 0) < 0 && errno == ESRCH
				   : silent_s > SILENCE_S && silent_s > SILENCE_RUNS * longest_s;

		if (r->state == STATE_GONE || !dead || (!r->pid && r->state != STATE_BUSY))
			continue;
		snprintf(why, sizeof(why), "rank %d has died", rank);
		lose_rank(cluster, sweep, rank, why);
		cluster->lost = true;
	}
}

static bool any_left(const struct cluster *cluster)
{
	for (int rank = 1; rank < cluster->size; rank++)
		if (cluster->ranks[rank].state != STATE_GONE)
			return true;
	return false;
}

static double longest_run_s(const struct cluster *cluster, double longest_s)
{
	for (int rank = 1; rank < cluster->size; rank++) {
		const struct cluster_rank *r = &cluster->ranks[rank];

		if (r->state == STATE_IDLE && r->since_s > 0 && now_s() - r->since_s > longest_s)
			longest_s = now_s() - r->since_s;
	}
	return longest_s;
}

void cluster_serve(struct cluster *cluster, struct sweep *sweep)
{
	static const struct timespec pause = { .tv_nsec = PAUSE_NS };
	const struct schedule *schedule = &sweep->schedule;
	double polled_s = 0, longest_s = 0;

	while (schedule->running > 0 || (!sweep->stopping && schedule->nr_queued > 0)) {
		if (!any_left(cluster)) {
			error_set(&sweep->error, ERROR_RUN,
				"no rank is left to run anything; "
				"the same command goes on");
			return;
		}
		hand_out(cluster, sweep);
		if (!take_messages(cluster, sweep))
			nanosleep(&pause, NULL);
		if (now_s() - polled_s < POLL_S)
			continue;
		polled_s = now_s();
		longest_s = longest_run_s(cluster, longest_s);
		look_for_dead(cluster, sweep, longest_s);
		sweep_poll(sweep);
	}
}

void cluster_end(struct cluster *cluster)
{
	if (!cluster->started)
		return;
	for (int rank = 1; rank < cluster->size && cluster->rank == 0; rank++)
		if (cluster->ranks[rank].state != STATE_GONE)
			send_bytes(rank, TAG_STOP, NULL, 0);
	/* Those that died would be waited for. */
	if (cluster->lost)
		MPI_Abort(MPI_COMM_WORLD, ERROR_RUN);
	MPI_Finalize();
}
