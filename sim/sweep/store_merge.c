#include <stdio.h>
#include <string.h>

#include "sim/sweep/store.h"
#include "sim/sweep/store_sql.h"

/* Everything but the rows. */
static const char copy_frame[] =
	"INSERT INTO meta SELECT * FROM part.meta; INSERT INTO axis SELECT * FROM part.axis;"
	"INSERT INTO point SELECT * FROM part.point; INSERT INTO value SELECT * FROM part.value;";

static int check_part(struct store *store, struct arena *arena, const char *dir,
	const char **digest, struct error *err)
{
	struct store_info info;
	struct store part;
	int result = store_open(&part, arena, dir, err);

	if (result == 0)
		result = store_describe(&part, arena, &info, err);
	store_close(&part);
	if (result < 0)
		return -1;
	if (!*digest)
		*digest = info.digest;
	if (strcmp(*digest, info.digest) == 0)
		return 0;
	return error_at(err, ERROR_RUN, (struct where){ .file = dir },
		"is no part of the sweep in %s; expected results of the same one", store->dir);
}

static int attach(struct store *store, struct arena *arena, const char *dir, struct error *err)
{
	sqlite3_stmt *statement;

	if (store_prepare(store, "ATTACH ? AS part", &statement, err) < 0)
		return -1;
	sqlite3_bind_text(
		statement, 1, arena_printf(arena, "%s/%s", dir, STORE_FILE), -1, SQLITE_STATIC);
	int result = store_step(store, statement, err);
	sqlite3_finalize(statement);
	return result;
}

/* The same run with other results: one of the two was not made by this version. */
static int check_rows(struct store *store, struct arena *arena, const char *dir, struct error *err)
{
	const char *differs = "a.message IS NOT b.message";
	int64_t nr;

	for (int m = 0; m < METRIC_NR; m++)
		differs = arena_printf(arena, "%s OR a.%s IS NOT b.%s", differs,
			metric_infos[m].name, metric_infos[m].name);
	const char *sql = arena_printf(arena,
		"SELECT count(*) FROM run a JOIN part.run b ON a.key = b.key WHERE %s", differs);
	if (store_number(store, sql, &nr, err) < 0)
		return -1;
	if (nr == 0)
		return 0;
	return error_at(err, ERROR_RUN, (struct where){ .file = dir },
		"%lld runs have other results than in %s: not the same build of the program",
		(long long)nr, store->dir);
}

static int copy_rows(struct store *store, struct arena *arena, const char *dir, int64_t *added,
	struct error *err)
{
	const char *columns = store_metric_columns(arena, "");
	const char *sql = arena_printf(arena,
		"INSERT OR IGNORE INTO run(key, digest, repeat, seed, message, session, wall_s%s)"
		" SELECT key, digest, repeat, seed, message, %lld, wall_s%s FROM part.run",
		columns, (long long)store->session, columns);

	if (check_rows(store, arena, dir, err) < 0 || store_sql(store, sql, err) < 0)
		return -1;
	*added += sqlite3_changes(store->db);
	return 0;
}

static int merge_part(struct store *store, struct arena *arena, const char *dir, int64_t *added,
	struct error *err)
{
	if (attach(store, arena, dir, err) < 0)
		return -1;
	int result = copy_rows(store, arena, dir, added, err);
	sqlite3_exec(store->db, "DETACH part", NULL, NULL, NULL);
	return result;
}

static int make_frame(struct store *store, struct arena *arena, const char *from, struct error *err)
{
	if (attach(store, arena, from, err) < 0 || store_sql(store, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	int result = store_create_tables(store, arena, err);
	if (result == 0)
		result = store_sql(store, copy_frame, err);
	if (result == 0)
		result = store_sql(store, "COMMIT", err);
	if (result < 0)
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	sqlite3_exec(store->db, "DETACH part", NULL, NULL, NULL);
	return result;
}

int store_merge(struct store *store, struct arena *arena, const char *dir, const char *const *dirs,
	size_t nr, int64_t *added, struct error *err)
{
	const char *digest = NULL;
	struct store_info info;
	int64_t tables;

	*added = 0;
	*store = (struct store){ .dir = dir, .lock = -1 };
	for (size_t i = 0; i < nr; i++)
		if (check_part(store, arena, dirs[i], &digest, err) < 0)
			return -1;
	if (store_open_writer(store, arena, dir, err) < 0 ||
		store_number(store, "SELECT count(*) FROM sqlite_master", &tables, err) < 0)
		return -1;
	if (tables == 0 && make_frame(store, arena, dirs[0], err) < 0)
		return -1;
	if (store_describe(store, arena, &info, err) < 0)
		return -1;
	if (strcmp(info.digest, digest) != 0)
		return error_at(err, ERROR_RUN, (struct where){ .file = dir },
			"holds another sweep than %s; use another directory", dirs[0]);
	if (store_start_session(store, arena, err) < 0)
		return -1;
	for (size_t i = 0; i < nr; i++)
		if (merge_part(store, arena, dirs[i], added, err) < 0)
			return -1;
	return 0;
}
