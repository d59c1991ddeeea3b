/*
 * What the files of the store share: statements with our kind of error. For store*.c alone.
 */
#pragma once

#include "sim/sweep/store.h"

int store_sql(struct store *store, const char *sql, struct error *err);
int store_prepare(
	struct store *store, const char *sql, sqlite3_stmt **statement, struct error *err);
/* Runs a statement that returns nothing and makes it ready for the next time. */
int store_step(struct store *store, sqlite3_stmt *statement, struct error *err);
/* The first column of the first row as a whole number; 0 when there is none. */
int store_number(struct store *store, const char *sql, int64_t *value, struct error *err);
/* ", elapsed_s REAL, ..." with @type " REAL". */
const char *store_metric_columns(struct arena *arena, const char *type);

/* Opens for writing, takes the lock, turns the log on. */
int store_open_writer(struct store *store, struct arena *arena, const char *dir, struct error *err);
int store_create_tables(struct store *store, struct arena *arena, struct error *err);
int store_start_session(struct store *store, struct arena *arena, struct error *err);
