/* The cluster of a build without MPI: of one. */
#include <stdlib.h>

#include "sim/base/str.h"
#include "sim/cluster.h"

int cluster_start(struct cluster *cluster, struct arena *arena, struct error *err)
{
	static const char *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE" };

	(void)arena;
	*cluster = (struct cluster){ .size = 1 };
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const char *text = getenv(sizes[i]);
		int64_t size;

		if (text && str_to_i64(text, UNIT_NONE, &size) == 0 && size > 1)
			return error_set(err, ERROR_USAGE,
				"started by mpirun, and built without MPI: install mpi-default-dev "
				"and "
				"build again, or use --shard");
	}
	return 0;
}

void cluster_serve(struct cluster *cluster, struct sweep *sweep)
{
	(void)cluster;
	sweep_run(sweep, 1);
}

void cluster_work(struct cluster *cluster, const struct plan *plan, const char *problem)
{
	(void)cluster;
	(void)plan;
	(void)problem;
}

void cluster_end(struct cluster *cluster)
{
	(void)cluster;
}
