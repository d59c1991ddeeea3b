/*
 * One error message, passed by the caller and filled by whoever finds the mistake. Knows files and
 * lines, not what they mean.
 *
 * A message about input reads "FILE:LINE:COL: what was found; what was expected". The code is the
 * exit status of the program: 1 a run failed, 2 the scenario is wrong, 3 a trace is wrong,
 * 64 the command line is wrong.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>

enum error_code {
	ERROR_NONE = 0,
	ERROR_RUN = 1,
	ERROR_SCENARIO = 2,
	ERROR_TRACE = 3,
	ERROR_USAGE = 64,
};

/* A place in a text. file is borrowed; line and col count from 1, 0 means the whole file. */
struct where {
	const char *file;
	int line;
	int col;
};

struct error {
	enum error_code code;
	char text[1024];
};

/* Each sets @err and returns -1, so that a caller can return it at once. A first error stays:
 * later ones are consequences. @err may be NULL. */
int error_set(struct error *err, enum error_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int error_at(struct error *err, enum error_code code, struct where at, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
