#include "sim/sweep/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim/report/outdir.h"
#include "sim/sweep/store_sql.h"

/* Of the layout below: a store of another layout is another version's. */
#define LAYOUT 2
/* Tells our files from other SQLite files ("cfqs"). */
#define APPLICATION_ID 0x63667173
#define WAIT_MS 20000
#define LOCK_FILE ".lock"

static const char tables[] =
	"CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE axis(id INTEGER PRIMARY KEY, path TEXT NOT NULL);"
	"CREATE TABLE point(id INTEGER PRIMARY KEY, digest TEXT NOT NULL, skipped TEXT);"
	"CREATE TABLE value(point INTEGER, axis INTEGER, value TEXT NOT NULL,"
	" PRIMARY KEY(point, axis)) WITHOUT ROWID;"
	"CREATE TABLE session(id INTEGER PRIMARY KEY, started TEXT, host TEXT, found INTEGER);";

static int db_error(const struct store *store, struct error *err)
{
	const char *hint = "";

	if (sqlite3_errcode(store->db) == SQLITE_NOTADB)
		hint = "; expected a result store of cpufreq-sim";
	else if (sqlite3_errcode(store->db) == SQLITE_FULL)
		hint = "; what is in it stays good, the same command goes on once there is room";
	return error_at(err, ERROR_RUN, (struct where){ .file = store->path }, "%s%s",
		store->db ? sqlite3_errmsg(store->db) : "out of memory", hint);
}

int store_sql(struct store *store, const char *sql, struct error *err)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0
									   : db_error(store, err);
}

int store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement, struct error *err)
{
	if (sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) == SQLITE_OK)
		return 0;
	return db_error(store, err);
}

int store_step(struct store *store, sqlite3_stmt *statement, struct error *err)
{
	int code = sqlite3_step(statement);
	int result = code == SQLITE_DONE ? 0 : db_error(store, err);

	sqlite3_reset(statement);
	return result;
}

static void bind_text(sqlite3_stmt *statement, int column, const char *text)
{
	sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
}

int store_number(struct store *store, const char *sql, int64_t *value, struct error *err)
{
	sqlite3_stmt *statement;

	*value = 0;
	if (store_prepare(store, sql, &statement, err) < 0)
		return -1;
	int code = sqlite3_step(statement);
	if (code == SQLITE_ROW)
		*value = sqlite3_column_int64(statement, 0);
	int result = code == SQLITE_ROW || code == SQLITE_DONE ? 0 : db_error(store, err);
	sqlite3_finalize(statement);
	return result;
}

static const char *column_text(struct arena *arena, sqlite3_stmt *statement, int column)
{
	const unsigned char *text = sqlite3_column_text(statement, column);

	return text ? arena_strdup(arena, (const char *)text) : NULL;
}

static const char *read_meta(
	struct store *store, struct arena *arena, const char *name, struct error *err)
{
	const char *value = NULL;
	sqlite3_stmt *statement;

	if (store_prepare(store, "SELECT value FROM meta WHERE name = ?", &statement, err) < 0)
		return NULL;
	bind_text(statement, 1, name);
	if (sqlite3_step(statement) == SQLITE_ROW)
		value = column_text(arena, statement, 0);
	sqlite3_finalize(statement);
	if (!value)
		error_at(err, ERROR_RUN, (struct where){ .file = store->path },
			"says nothing of its %s; expected a result store of cpufreq-sim", name);
	return value;
}

static int write_meta(struct store *store, const char *name, const char *value, struct error *err)
{
	sqlite3_stmt *statement;

	if (store_prepare(store, "INSERT INTO meta VALUES(?, ?)", &statement, err) < 0)
		return -1;
	bind_text(statement, 1, name);
	bind_text(statement, 2, value);
	int result = store_step(store, statement, err);
	sqlite3_finalize(statement);
	return result;
}

const char *store_metric_columns(struct arena *arena, const char *type)
{
	const char *text = "";

	for (int m = 0; m < METRIC_NR; m++)
		text = arena_printf(arena, "%s, %s%s", text, metric_infos[m].name, type);
	return text;
}

int store_create_tables(struct store *store, struct arena *arena, struct error *err)
{
	const char *runs = arena_printf(arena,
		"CREATE TABLE run(key TEXT PRIMARY KEY, digest TEXT NOT NULL,"
		" repeat INTEGER NOT NULL, seed INTEGER NOT NULL, message TEXT,"
		" session INTEGER NOT NULL, wall_s REAL%s) WITHOUT ROWID;"
		"PRAGMA application_id = %d; PRAGMA user_version = %d;",
		store_metric_columns(arena, " REAL"), APPLICATION_ID, LAYOUT);

	if (store_sql(store, tables, err) < 0 || store_sql(store, runs, err) < 0)
		return -1;
	return 0;
}

static int write_axes(struct store *store, const struct plan *plan, struct error *err)
{
	sqlite3_stmt *statement;
	int result = 0;

	if (store_prepare(store, "INSERT INTO axis VALUES(?, ?)", &statement, err) < 0)
		return -1;
	for (size_t a = 0; a < plan->nr_axes && result == 0; a++) {
		sqlite3_bind_int64(statement, 1, (sqlite3_int64)a);
		bind_text(statement, 2, plan->axes[a].path);
		result = store_step(store, statement, err);
	}
	sqlite3_finalize(statement);
	return result;
}

static int write_points(struct store *store, const struct points *points, struct error *err)
{
	sqlite3_stmt *statement;
	int result = 0;

	if (store_prepare(store, "INSERT INTO point VALUES(?, ?, ?)", &statement, err) < 0)
		return -1;
	for (size_t i = 0; i < points->nr && result == 0; i++) {
		sqlite3_bind_int64(statement, 1, (sqlite3_int64)i);
		bind_text(statement, 2, points->list[i].digest.hex);
		bind_text(statement, 3, points->list[i].skipped);
		result = store_step(store, statement, err);
	}
	sqlite3_finalize(statement);
	return result;
}

static int write_values(struct store *store, const struct plan *plan, struct error *err)
{
	struct arena scratch = { 0 };
	sqlite3_stmt *statement;
	volatile int result = 0;

	if (store_prepare(store, "INSERT INTO value VALUES(?, ?, ?)", &statement, err) < 0)
		return -1;
	if (arena_try(&scratch)) {
		result = error_set(err, ERROR_RUN, "out of memory for the values of an axis");
	} else {
		for (size_t i = 0; i < plan->nr_points * plan->nr_axes && result == 0; i++) {
			size_t point = i / plan->nr_axes, a = i % plan->nr_axes;
			size_t value = plan_value_of(plan, point, a);

			sqlite3_bind_int64(statement, 1, (sqlite3_int64)point);
			sqlite3_bind_int64(statement, 2, (sqlite3_int64)a);
			bind_text(statement, 3, axis_value(&plan->axes[a], &scratch, value));
			result = store_step(store, statement, err);
		}
	}
	sqlite3_finalize(statement);
	arena_free(&scratch);
	return result;
}

/* All or nothing: a store without its frame does not exist. */
static int write_frame(struct store *store, struct arena *arena, const struct plan *plan,
	const struct points *points, struct error *err)
{
	if (store_sql(store, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (store_create_tables(store, arena, err) < 0 ||
		write_meta(store, "version", model_version, err) < 0 ||
		write_meta(store, "digest", points->digest.hex, err) < 0 ||
		write_meta(store, "scenario", points->scenario, err) < 0 ||
		write_meta(store, "manifest", points->manifest, err) < 0 ||
		write_meta(store, "design", design_names[plan->design], err) < 0 ||
		write_axes(store, plan, err) < 0 || write_points(store, points, err) < 0 ||
		write_values(store, plan, err) < 0 || store_sql(store, "COMMIT", err) < 0) {
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
		return -1;
	}
	return 0;
}

static int check_application(struct store *store, struct error *err)
{
	const struct where at = { .file = store->path };
	int64_t id, layout;

	if (store_number(store, "PRAGMA application_id", &id, err) < 0 ||
		store_number(store, "PRAGMA user_version", &layout, err) < 0)
		return -1;
	if (id != APPLICATION_ID)
		return error_at(err, ERROR_RUN, at, "is no result store of cpufreq-sim");
	if (layout != LAYOUT)
		return error_at(err, ERROR_RUN, at,
			"has layout %" PRId64 " of result stores; this version has %d", layout,
			LAYOUT);
	return 0;
}

static int check_version(struct store *store, struct arena *arena, struct error *err)
{
	const struct where at = { .file = store->path };
	const char *version = read_meta(store, arena, "version", err);
	sqlite3_stmt *statement;

	if (!version)
		return -1;
	if (strcmp(version, model_version) != 0)
		return error_at(err, ERROR_RUN, at,
			"holds results of cpufreq-sim %.60s and this is %s: they do not mix; use "
			"another directory",
			version, model_version);
	const char *sql = arena_printf(
		arena, "SELECT key%s FROM run LIMIT 0", store_metric_columns(arena, ""));
	if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
		return error_at(err, ERROR_RUN, at,
			"was written by a build with other metrics; use another directory");
	sqlite3_finalize(statement);
	return 0;
}

/* Says what differs, as far as that can be seen from the axes. */
static int other_sweep(
	struct store *store, struct arena *arena, const struct plan *plan, struct error *err)
{
	struct store_info info;
	const char *theirs = "", *ours = "";

	if (store_describe(store, arena, &info, err) < 0)
		return -1;
	for (size_t a = 0; a < info.nr_axes; a++)
		theirs = arena_printf(arena, "%s %s", theirs, info.axes[a]);
	for (size_t a = 0; a < plan->nr_axes; a++)
		ours = arena_printf(arena, "%s %s", ours, plan->axes[a].path);
	return error_at(err, ERROR_RUN, (struct where){ .file = store->path },
		"holds another sweep (%s, %zu points over%.200s; this one has %zu over%.200s%s); "
		"use another directory",
		info.scenario, info.nr_points, theirs, plan->nr_points, ours,
		info.nr_points == plan->nr_points && strcmp(theirs, ours) == 0 ? " of other values"
									       : "");
}

static int check_frame(struct store *store, struct arena *arena, const struct plan *plan,
	const struct points *points, struct error *err)
{
	if (check_application(store, err) < 0 || check_version(store, arena, err) < 0)
		return -1;
	const char *digest = read_meta(store, arena, "digest", err);
	if (!digest)
		return -1;
	return strcmp(digest, points->digest.hex) == 0 ? 0 : other_sweep(store, arena, plan, err);
}

static int take_lock(struct store *store, struct arena *arena, struct error *err)
{
	const char *path = arena_printf(arena, "%s/%s", store->dir, LOCK_FILE);
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (store->lock < 0)
		return error_at(
			err, ERROR_RUN, (struct where){ .file = path }, "%s", strerror(errno));
	if (fcntl(store->lock, F_SETLK, &lock) == 0)
		return 0;
	return error_at(err, ERROR_RUN, (struct where){ .file = store->dir },
		"another sweep is writing there");
}

static void store_start(struct store *store, struct arena *arena, const char *dir)
{
	*store = (struct store){ .dir = arena_strdup(arena, dir),
		.path = arena_printf(arena, "%s/%s", dir, STORE_FILE),
		.lock = -1 };
}

int store_open_writer(struct store *store, struct arena *arena, const char *dir, struct error *err)
{
	struct outdir outdir;

	store_start(store, arena, dir);
	if (outdir_check(arena, dir, err) < 0 || outdir_open(&outdir, arena, dir, err) < 0 ||
		take_lock(store, arena, err) < 0)
		return -1;
	if (sqlite3_open_v2(store->path, &store->db,
		    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
		    NULL) != SQLITE_OK)
		return db_error(store, err);
	sqlite3_extended_result_codes(store->db, 0);
	sqlite3_busy_timeout(store->db, WAIT_MS);
	/* With a write-ahead log NORMAL loses no consistency, and a killed program loses nothing:
	 * only a power cut may take the last runs away. */
	/* Rows are written once: a cache that fills up slowly would look like a leak. */
	return store_sql(store,
		"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -256",
		err);
}

int store_start_session(struct store *store, struct arena *arena, struct error *err)
{
	char host[256] = "", started[32] = "";
	struct timespec now;
	struct tm utc;
	const char *sql = arena_printf(arena,
		"INSERT INTO run(key, digest, repeat, seed, message, session, wall_s%s)"
		" VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7",
		store_metric_columns(arena, ""));

	for (int m = 0; m < METRIC_NR; m++)
		sql = arena_printf(arena, "%s, ?%d", sql, 8 + m);
	if (store_prepare(store, arena_printf(arena, "%s)", sql), &store->add, err) < 0)
		return -1;
	gethostname(host, sizeof(host) - 1);
	clock_gettime(CLOCK_REALTIME, &now);
	if (gmtime_r(&now.tv_sec, &utc))
		strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", &utc);
	sqlite3_stmt *statement;
	if (store_prepare(store,
		    "INSERT INTO session(started, host, found)"
		    " SELECT ?, ?, count(*) FROM run",
		    &statement, err) < 0)
		return -1;
	bind_text(statement, 1, started);
	bind_text(statement, 2, host);
	int result = store_step(store, statement, err);
	sqlite3_finalize(statement);
	store->session = sqlite3_last_insert_rowid(store->db);
	return result;
}

int store_create(struct store *store, struct arena *arena, const char *dir, const struct plan *plan,
	const struct points *points, struct error *err)
{
	int64_t tables_there;

	if (store_open_writer(store, arena, dir, err) < 0 ||
		store_number(store, "SELECT count(*) FROM sqlite_master", &tables_there, err) < 0)
		return -1;
	if (tables_there ? check_frame(store, arena, plan, points, err) < 0
			 : write_frame(store, arena, plan, points, err) < 0)
		return -1;
	return store_start_session(store, arena, err);
}

/* A directory that cannot be written has no place for the log's index: then the file is read as
 * one that nobody changes. */
static int open_reader(struct store *store, struct arena *arena, int64_t *id)
{
	const char *uri = arena_printf(arena, "file:%s?immutable=1", store->path);
	struct error ignored = { .code = ERROR_NONE };

	if (sqlite3_open_v2(store->path, &store->db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK) {
		sqlite3_busy_timeout(store->db, WAIT_MS);
		if (store_number(store, "PRAGMA application_id", id, &ignored) == 0)
			return 0;
	}
	if (sqlite3_errcode(store->db) != SQLITE_CANTOPEN || access(store->dir, W_OK) == 0)
		return -1;
	sqlite3_close(store->db);
	return sqlite3_open_v2(uri, &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) ==
			SQLITE_OK
		? 0
		: -1;
}

int store_open(struct store *store, struct arena *arena, const char *dir, struct error *err)
{
	int64_t id;

	store_start(store, arena, dir);
	if (access(store->path, R_OK) < 0)
		return error_at(err, ERROR_RUN, (struct where){ .file = store->path },
			"%s; expected a directory written by sweep -o", strerror(errno));
	if (open_reader(store, arena, &id) < 0)
		return db_error(store, err);
	if (check_application(store, err) < 0 || check_version(store, arena, err) < 0)
		return -1;
	return 0;
}

void store_close(struct store *store)
{
	sqlite3_finalize(store->add);
	/* The last one to close it folds the log into the file. */
	sqlite3_close(store->db);
	if (store->lock >= 0)
		close(store->lock);
	*store = (struct store){ .lock = -1 };
}

int store_add(struct store *store, const struct points *points, const struct outcome *outcome,
	struct error *err)
{
	const struct point *point = &points->list[outcome->point];
	sqlite3_stmt *add = store->add;
	struct digest key;

	identity_of_run(&point->digest, outcome->repeat, &key);
	bind_text(add, 1, key.hex);
	bind_text(add, 2, point->digest.hex);
	sqlite3_bind_int64(add, 3, outcome->repeat);
	sqlite3_bind_int64(add, 4, point->seed + outcome->repeat);
	bind_text(add, 5, outcome->failed ? outcome->message : NULL);
	sqlite3_bind_int64(add, 6, store->session);
	sqlite3_bind_double(add, 7, outcome->wall_s);
	for (int m = 0; m < METRIC_NR; m++)
		if (outcome->failed)
			sqlite3_bind_null(add, 8 + m);
		else
			sqlite3_bind_double(add, 8 + m, outcome->metrics[m]);
	return store_step(store, add, err);
}

int store_forget_failed(struct store *store, struct error *err)
{
	return store_sql(store, "DELETE FROM run WHERE message IS NOT NULL", err);
}

int store_read(struct store *store, store_each *each, void *ctx, struct error *err)
{
	struct arena scratch = { 0 };
	sqlite3_stmt *statement;
	double values[METRIC_NR];

	if (arena_try(&scratch)) {
		arena_free(&scratch);
		return error_set(err, ERROR_RUN, "out of memory for a query");
	}
	const char *sql = arena_printf(&scratch,
		"SELECT point.id, repeat, seed, message%s FROM point JOIN run"
		" ON run.digest = point.digest AND point.skipped IS NULL"
		" ORDER BY point.id, repeat",
		store_metric_columns(&scratch, ""));
	int result = store_prepare(store, sql, &statement, err);
	arena_free(&scratch);
	if (result < 0)
		return -1;
	int code;
	while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
		for (int m = 0; m < METRIC_NR; m++)
			values[m] = sqlite3_column_double(statement, 4 + m);
		const struct store_row row = {
			.point = (size_t)sqlite3_column_int64(statement, 0),
			.repeat = sqlite3_column_int64(statement, 1),
			.seed = sqlite3_column_int64(statement, 2),
			.message = (const char *)sqlite3_column_text(statement, 3),
			.values = values,
		};
		if (each(ctx, &row) < 0)
			break;
	}
	if (code != SQLITE_DONE && code != SQLITE_ROW)
		db_error(store, err);
	sqlite3_finalize(statement);
	return code == SQLITE_DONE ? 0 : -1;
}

static int describe_axes(
	struct store *store, struct arena *arena, struct store_info *info, struct error *err)
{
	sqlite3_stmt *statement;
	int64_t nr;

	if (store_number(store, "SELECT count(*) FROM axis", &nr, err) < 0)
		return -1;
	info->axes = arena_array(arena, (size_t)nr, sizeof(*info->axes));
	if (store_prepare(store, "SELECT path FROM axis ORDER BY id", &statement, err) < 0)
		return -1;
	for (; info->nr_axes < (size_t)nr && sqlite3_step(statement) == SQLITE_ROW; info->nr_axes++)
		info->axes[info->nr_axes] = column_text(arena, statement, 0);
	sqlite3_finalize(statement);
	return 0;
}

static int describe_points(
	struct store *store, struct arena *arena, struct store_info *info, struct error *err)
{
	sqlite3_stmt *statement;
	int64_t nr;

	if (store_number(store, "SELECT count(*) FROM point", &nr, err) < 0)
		return -1;
	info->nr_points = (size_t)nr;
	info->skipped = arena_array(arena, info->nr_points, sizeof(*info->skipped));
	info->values = arena_array(arena, info->nr_points, sizeof(*info->values));
	const char **values = arena_array(arena, info->nr_points * info->nr_axes, sizeof(*values));
	for (size_t i = 0; i < info->nr_points; i++)
		info->values[i] = values + i * info->nr_axes;
	if (store_prepare(store, "SELECT skipped FROM point ORDER BY id", &statement, err) < 0)
		return -1;
	for (size_t i = 0; i < info->nr_points && sqlite3_step(statement) == SQLITE_ROW; i++)
		info->skipped[i] = column_text(arena, statement, 0);
	sqlite3_finalize(statement);
	if (store_prepare(store, "SELECT value FROM value ORDER BY point, axis", &statement, err) <
		0)
		return -1;
	size_t nr_values = info->nr_points * info->nr_axes, i = 0;
	for (; i < nr_values && sqlite3_step(statement) == SQLITE_ROW; i++)
		values[i] = column_text(arena, statement, 0);
	sqlite3_finalize(statement);
	return i == nr_values ? 0 : db_error(store, err);
}

int store_describe(
	struct store *store, struct arena *arena, struct store_info *info, struct error *err)
{
	*info = (struct store_info){ .scenario = read_meta(store, arena, "scenario", err),
		.design = read_meta(store, arena, "design", err),
		.digest = read_meta(store, arena, "digest", err),
		.manifest = read_meta(store, arena, "manifest", err),
		.version = read_meta(store, arena, "version", err) };
	if (!info->scenario || !info->design || !info->digest || !info->manifest || !info->version)
		return -1;
	if (describe_axes(store, arena, info, err) < 0)
		return -1;
	return describe_points(store, arena, info, err);
}
