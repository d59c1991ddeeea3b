#include "sim/cmd_experiment.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/search.h"

#define SUFFIX ".yaml"

const char *cmd_experiment_path(struct arena *arena, const char *name)
{
	const char *path = search_file(
		arena, NULL, arena_printf(arena, "experiments/%s" SUFFIX, name));

	return strchr(name, '/') || !path ? name : path;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t cmd_experiment_all(struct arena *arena, const char **paths)
{
	const char *folder = search_file(arena, NULL, "experiments");
	DIR *dir = folder ? opendir(folder) : NULL;
	size_t nr = 0, suffix = strlen(SUFFIX);

	for (struct dirent *d; dir && nr < MAX_EXPERIMENTS && (d = readdir(dir));) {
		size_t len = strlen(d->d_name);

		if (d->d_name[0] != '.' && len > suffix &&
			strcmp(d->d_name + len - suffix, SUFFIX) == 0)
			paths[nr++] = arena_printf(arena, "%s/%s", folder, d->d_name);
	}
	if (dir)
		closedir(dir);
	qsort(paths, nr, sizeof(*paths), compare_paths);
	return nr;
}
