#include "sim/kernel/version.h"

#include <string.h>

/* As in the kernel's own KERNEL_VERSION(), a stable release above 255 counts as 255. */
#define PATCH_MAX 255

/* Reads one decimal number of at most @max; the digits behind it are *text. */
static int read_number(const char **text, unsigned max, unsigned *number)
{
	const char *p = *text;
	unsigned value = 0;

	if (*p < '0' || *p > '9')
		return -1;
	for (; *p >= '0' && *p <= '9'; p++) {
		value = value * 10 + (unsigned)(*p - '0');
		if (value > max)
			return -1;
	}
	*text = p;
	*number = value;
	return 0;
}

int kver_parse(const char *text, unsigned *version, const char **suffix)
{
	unsigned major, minor, candidate, patch = 0;

	if (read_number(&text, 255, &major) < 0 || *text++ != '.')
		return -1;
	if (read_number(&text, 255, &minor) < 0)
		return -1;
	if (*text == '.') {
		text++;
		if (read_number(&text, 9999, &patch) < 0)
			return -1;
	}
	if (strncmp(text, "-rc", 3) == 0) {
		text += 3;
		if (read_number(&text, 99, &candidate) < 0)
			return -1;
	}
	if (*text != '\0' && strcmp(text, "base") != 0)
		return -1;
	*version = KVER(major, minor, patch < PATCH_MAX ? patch : PATCH_MAX);
	if (suffix)
		*suffix = text;
	return 0;
}
