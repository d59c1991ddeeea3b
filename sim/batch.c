#include "sim/batch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "sim/run.h"

#define MAX_THREADS 256

struct batch {
	struct batch_item *items;
	size_t nr;
	atomic_size_t next;
	atomic_size_t failed; /* lowest item that failed, nr when none */
};

int batch_default_jobs(void)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN);

	return nr >= 1 && nr <= MAX_THREADS ? (int)nr : 1;
}

static void item_run(struct batch_item *item)
{
	struct run run;

	if (run_build(&run, item->scenario, item->repeat, &item->error) < 0)
		return;
	if ((!item->probe || item->probe->built(item->arg, &run, &item->error) == 0) &&
		run_execute(&run, &item->error) == 0 &&
		result_collect(&item->result, &run, item->repeat + 1, &item->error) == 0 &&
		item->probe)
		item->probe->done(item->arg, &run);
	run_free(&run);
}

static void note_failure(struct batch *batch, size_t i)
{
	size_t lowest = atomic_load(&batch->failed);

	while (i < lowest && !atomic_compare_exchange_weak(&batch->failed, &lowest, i))
		;
}

/* An item before the lowest failure still runs, so that the same error is reported whatever the
 * number of threads. */
static void *batch_thread(void *arg)
{
	struct batch *batch = arg;
	size_t i;

	while ((i = atomic_fetch_add(&batch->next, 1)) < batch->nr) {
		if (i > atomic_load(&batch->failed))
			break;
		item_run(&batch->items[i]);
		if (batch->items[i].error.code != ERROR_NONE)
			note_failure(batch, i);
	}
	return NULL;
}

int batch_run(struct batch_item *items, size_t nr, int jobs, struct error *err)
{
	pthread_t threads[MAX_THREADS];
	struct batch batch = { .items = items, .nr = nr };
	int nr_threads = 0;

	atomic_init(&batch.next, 0);
	atomic_init(&batch.failed, nr);
	while (nr_threads < jobs - 1 && nr_threads < MAX_THREADS && (size_t)nr_threads + 1 < nr)
		if (pthread_create(&threads[nr_threads], NULL, batch_thread, &batch) == 0)
			nr_threads++;
		else
			break;
	batch_thread(&batch);
	for (int i = 0; i < nr_threads; i++)
		pthread_join(threads[i], NULL);
	size_t failed = atomic_load(&batch.failed);
	if (failed == nr)
		return 0;
	*err = items[failed].error;
	return -1;
}

void batch_free(struct batch_item *items, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		result_free(&items[i].result);
}
