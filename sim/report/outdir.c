#include "sim/report/outdir.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int file_error(const char *path, struct error *err)
{
	return error_at(err, ERROR_RUN, (struct where){ .file = path }, "%s", strerror(errno));
}

/* The path without its last component; "." when it has one only. */
static char *parent_of(struct arena *arena, const char *path)
{
	char *parent = arena_strdup(arena, path);
	size_t len = strlen(parent);

	while (len > 1 && parent[len - 1] == '/')
		len--;
	while (len > 0 && parent[len - 1] != '/')
		len--;
	while (len > 1 && parent[len - 1] == '/')
		len--;
	parent[len] = '\0';
	return len ? parent : arena_strdup(arena, ".");
}

int outdir_check(struct arena *arena, const char *path, struct error *err)
{
	struct stat st;

	if (!*path)
		return error_set(err, ERROR_USAGE, "the output directory has no name");
	while (stat(path, &st) < 0) {
		if (errno != ENOENT)
			return file_error(path, err);
		path = parent_of(arena, path);
	}
	if (!S_ISDIR(st.st_mode))
		return error_at(err, ERROR_RUN, (struct where){ .file = path }, "not a directory");
	return access(path, W_OK | X_OK) < 0 ? file_error(path, err) : 0;
}

/* Removes the directories that were made, deepest first. */
static void remove_made(struct outdir *dir)
{
	const char *path = dir->path;

	for (; dir->nr_made; dir->nr_made--, path = parent_of(dir->arena, path))
		rmdir(path);
}

int outdir_open(struct outdir *dir, struct arena *arena, const char *path, struct error *err)
{
	struct stat st;

	*dir = (struct outdir){ .arena = arena, .path = arena_strdup(arena, path) };
	size_t missing = 0;
	for (const char *p = path; stat(p, &st) < 0; p = parent_of(arena, p)) {
		if (errno != ENOENT)
			return file_error(p, err);
		missing++;
	}
	for (size_t up = missing; up-- > 0;) {
		const char *p = path;

		for (size_t i = 0; i < up; i++)
			p = parent_of(arena, p);
		if (mkdir(p, 0777) < 0) {
			file_error(p, err);
			/* Only the upper ones exist: the walk starts at the lowest of them. */
			dir->path = parent_of(arena, p);
			remove_made(dir);
			return -1;
		}
		dir->nr_made++;
	}
	return 0;
}

static char *temporary_name(const struct outdir *dir, const char *name)
{
	return arena_printf(dir->arena, "%s/.%s.tmp", dir->path, name);
}

static char *final_name(const struct outdir *dir, size_t i)
{
	return arena_printf(dir->arena, "%s/%s", dir->path, dir->names[i]);
}

static int finish_file(struct outdir *dir, struct error *err)
{
	FILE *file = dir->file;

	if (!file)
		return 0;
	dir->file = NULL;
	int bad = ferror(file);
	if (fclose(file) != 0 || bad)
		return file_error(dir->path, err);
	return 0;
}

FILE *outdir_file(struct outdir *dir, const char *name, struct error *err)
{
	if (finish_file(dir, err) < 0)
		return NULL;
	if (dir->nr_files == OUTDIR_MAX_FILES) {
		error_set(err, ERROR_RUN, "more than %d files in one directory", OUTDIR_MAX_FILES);
		return NULL;
	}
	const char *path = temporary_name(dir, name);
	dir->file = fopen(path, "w");
	if (!dir->file) {
		file_error(path, err);
		return NULL;
	}
	dir->names[dir->nr_files++] = arena_strdup(dir->arena, name);
	return dir->file;
}

void outdir_abort(struct outdir *dir)
{
	if (dir->file)
		fclose(dir->file);
	dir->file = NULL;
	for (; dir->nr_files; dir->nr_files--)
		unlink(temporary_name(dir, dir->names[dir->nr_files - 1]));
	remove_made(dir);
}

int outdir_commit(struct outdir *dir, struct error *err)
{
	if (finish_file(dir, err) < 0) {
		outdir_abort(dir);
		return -1;
	}
	for (size_t i = 0; i < dir->nr_files; i++) {
		const char *path = final_name(dir, i);

		if (rename(temporary_name(dir, dir->names[i]), path) < 0) {
			file_error(path, err);
			while (i-- > 0)
				unlink(final_name(dir, i));
			outdir_abort(dir);
			return -1;
		}
	}
	return 0;
}
