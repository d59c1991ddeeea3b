#include "sim/sysfs.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The longest list of frequencies or CPUs is shorter. */
#define TEXT_MAX 65536
#define PATH_LENGTH 4096
#define NUMBER_MAX (INT64_C(1) << 53)
#define NUMBERS_MAX 4096

/* Neither a device nor a pipe: those could wait for ever. */
static int open_plain(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The path of a file below the root; false when it is too long. */
static bool path_of(
	const struct sysfs *sysfs, const char *format, va_list args, char path[PATH_LENGTH])
{
	int used = snprintf(path, PATH_LENGTH, "%s/", sysfs->root);

	if (used < 0 || used >= PATH_LENGTH)
		return false;
	int more = vsnprintf(path + used, (size_t)(PATH_LENGTH - used), format, args);
	return more >= 0 && more < PATH_LENGTH - used;
}

static const char *read_line(const struct sysfs *sysfs, const char *format, va_list args)
{
	char path[PATH_LENGTH], text[TEXT_MAX];
	size_t len = 0;
	ssize_t got;

	if (!path_of(sysfs, format, args, path))
		return NULL;
	int fd = open_plain(path);
	if (fd < 0)
		return NULL;
	while (len < TEXT_MAX - 1 && (got = read(fd, text + len, TEXT_MAX - 1 - len)) > 0)
		len += (size_t)got;
	close(fd);
	text[len] = '\0';
	text[strcspn(text, "\n")] = '\0';
	const char *line = text + strspn(text, " \t");
	for (len = strlen(line); len && strchr(" \t\r", line[len - 1]);)
		len--;
	return len ? arena_printf(sysfs->arena, "%.*s", (int)len, line) : NULL;
}

const char *sysfs_text(const struct sysfs *sysfs, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const char *text = read_line(sysfs, format, args);
	va_end(args);
	return text;
}

static bool take_number(const char **s, int64_t *v)
{
	int64_t n = 0;
	const char *p = *s;

	for (; *p >= '0' && *p <= '9'; p++) {
		n = n * 10 + (*p - '0');
		if (n > NUMBER_MAX)
			return false;
	}
	if (p == *s)
		return false;
	*s = p;
	*v = n;
	return true;
}

int64_t sysfs_number(const struct sysfs *sysfs, const char *format, ...)
{
	va_list args;
	int64_t v;

	va_start(args, format);
	const char *text = read_line(sysfs, format, args);
	va_end(args);
	return text && take_number(&text, &v) && !*text ? v : -1;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

size_t sysfs_numbers(const struct sysfs *sysfs, const char *text, int64_t **numbers)
{
	int64_t *found = arena_array(sysfs->arena, NUMBERS_MAX, sizeof(*found));
	size_t nr = 0, kept = 0;

	while (text && nr < NUMBERS_MAX && take_number(&text, &found[nr])) {
		nr++;
		text += strspn(text, " \t");
	}
	if (nr)
		qsort(found, nr, sizeof(*found), compare);
	for (size_t i = 0; i < nr; i++)
		if (kept == 0 || found[i] != found[kept - 1])
			found[kept++] = found[i];
	*numbers = found;
	return kept;
}

int sysfs_cpus(const char *text, bool *cpus)
{
	int nr = 0;

	memset(cpus, 0, SYSFS_CPUS_MAX * sizeof(*cpus));
	while (text && *text) {
		int64_t first, last;

		if (!take_number(&text, &first))
			return 0;
		last = first;
		if (*text == '-' && (text++, !take_number(&text, &last)))
			return 0;
		if (last < first || last >= SYSFS_CPUS_MAX)
			return 0;
		for (; first <= last; first++) {
			nr += !cpus[first];
			cpus[first] = true;
		}
		if (*text && !strchr(" ,\t", *text))
			return 0;
		text += strspn(text, " ,\t");
	}
	return nr;
}
