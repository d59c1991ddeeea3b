#include "sim/scenario/search.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/str.h"

#define MAX_FOLDERS 6

struct folders {
	const char *paths[MAX_FOLDERS];
	size_t nr;
};

/* Up to the last slash. */
static const char *folder_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return ".";
	if (slash == path)
		return "/";
	return arena_printf(arena, "%.*s", (int)(slash - path), path);
}

static const char *folder_above(struct arena *arena, const char *folder)
{
	const char *slash = strrchr(folder, '/');
	const char *last = slash ? slash + 1 : folder;

	if (!*last || strcmp(last, ".") == 0 || strcmp(last, "..") == 0)
		return arena_printf(arena, "%s/..", folder);
	return folder_of(arena, folder);
}

static const char *join(struct arena *arena, const char *folder, const char *name)
{
	if (strcmp(folder, ".") == 0)
		return arena_strdup(arena, name);
	return arena_printf(arena, "%s/%s", folder, name);
}

static struct folders all_folders(struct arena *arena, const char *from)
{
	const char *configs = getenv("CPUFREQSIM_CONFIGS");
	struct folders folders = { .nr = 0 };

	if (from) {
		const char *folder = folder_of(arena, from);

		folders.paths[folders.nr++] = folder;
		folders.paths[folders.nr++] = folder_above(arena, folder);
	}
	folders.paths[folders.nr++] = ".";
	if (configs && *configs)
		folders.paths[folders.nr++] = configs;
	folders.paths[folders.nr++] = CPUFREQSIM_SOURCEDIR "/configs";
	folders.paths[folders.nr++] = CPUFREQSIM_DATADIR "/configs";
	return folders;
}

const char *search_file(struct arena *arena, const char *from, const char *name)
{
	if (*name == '/')
		return access(name, F_OK) == 0 ? name : NULL;
	struct folders folders = all_folders(arena, from);
	for (size_t i = 0; i < folders.nr; i++) {
		const char *path = join(arena, folders.paths[i], name);

		if (access(path, F_OK) == 0)
			return path;
	}
	return NULL;
}

#define SUFFIX ".yaml"
#define MAX_MACHINES 64
#define MAX_MACHINE_NAME 64

struct machine_names {
	char text[MAX_MACHINES][MAX_MACHINE_NAME];
	const char *sorted[MAX_MACHINES];
	size_t nr;
};

static void add_name(struct machine_names *names, const char *file)
{
	size_t len = strlen(file), suffix = strlen(SUFFIX);

	if (names->nr == MAX_MACHINES || len <= suffix || len - suffix >= MAX_MACHINE_NAME ||
		strcmp(file + len - suffix, SUFFIX) != 0)
		return;
	memcpy(names->text[names->nr], file, len - suffix);
	names->sorted[names->nr] = names->text[names->nr];
	names->nr++;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Machines of the first folder that has any, in order of name, whatever the file system says. */
static void list_machines(
	struct arena *arena, const struct folders *folders, struct machine_names *names)
{
	for (size_t i = 0; i < folders->nr && !names->nr; i++) {
		DIR *dir = opendir(join(arena, folders->paths[i], "machines"));

		for (struct dirent *d; dir && (d = readdir(dir));)
			add_name(names, d->d_name);
		if (dir)
			closedir(dir);
	}
	qsort(names->sorted, names->nr, sizeof(names->sorted[0]), compare_names);
}

const char *search_machine(
	struct arena *arena, const char *from, const char *name, struct where at, struct error *err)
{
	bool is_path = strchr(name, '/') || strstr(name, SUFFIX);
	const char *file = is_path ? name : arena_printf(arena, "machines/%s" SUFFIX, name);
	const char *path = search_file(arena, from, file);
	char suggestion[512];

	if (path)
		return path;
	struct folders folders = all_folders(arena, from);
	struct machine_names *names = arena_alloc(arena, sizeof(*names));
	list_machines(arena, &folders, names);
	const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	int len = (int)(strlen(base) - (strstr(base, SUFFIX) ? strlen(SUFFIX) : 0));
	str_suggest(arena_printf(arena, "%.*s", len, base), names->sorted, names->nr, suggestion,
		sizeof(suggestion));
	error_at(err, ERROR_SCENARIO, at, "machine: there is no \"%.60s\"; %s", name, suggestion);
	return NULL;
}
