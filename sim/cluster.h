/*
 * A sweep spread over processes that mpirun started: rank 0 hands out runs and writes the store,
 * the others run. Knows messages, not results.
 *
 * Two files implement it, of which the build takes one: with MPI, and without. Started by hand, the
 * program is a cluster of one and never touches MPI.
 */
#pragma once

#include "sim/sweep/sweep.h"

struct cluster_rank;

struct cluster {
	int rank, size;
	struct cluster_rank *ranks; /* what rank 0 knows of the others */
	bool started;
	bool lost; /* a rank has died */
};

/* Finds out whether mpirun started this, and as what. 0 or -1 with @err. */
int cluster_start(struct cluster *cluster, struct arena *arena, struct error *err);

/* Rank 0: runs what is left of the sweep on the other ranks. */
void cluster_serve(struct cluster *cluster, struct sweep *sweep);

/* Other ranks: run what they are given until they are told to stop. @problem, if any, is why this
 * one cannot; rank 0 prints it. */
void cluster_work(struct cluster *cluster, const struct plan *plan, const char *problem);

/* Rank 0 tells the others to stop. */
void cluster_end(struct cluster *cluster);
