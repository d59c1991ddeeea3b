#include "sim/base/error.h"

#include <stdio.h>
#include <string.h>

/* A message is one line and does not steer the terminal, whatever text it quotes. */
static void make_one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			*text = '?';
}

static int error_vset(
	struct error *err, enum error_code code, const char *prefix, const char *fmt, va_list ap)
{
	if (!err || err->code != ERROR_NONE)
		return -1;
	err->code = code;
	int n = snprintf(err->text, sizeof(err->text), "%s", prefix);
	if (n >= 0 && (size_t)n < sizeof(err->text))
		vsnprintf(err->text + n, sizeof(err->text) - (size_t)n, fmt, ap);
	make_one_line(err->text);
	return -1;
}

int error_set(struct error *err, enum error_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_vset(err, code, "", fmt, ap);
	va_end(ap);
	return -1;
}

int error_at(struct error *err, enum error_code code, struct where at, const char *fmt, ...)
{
	char prefix[512] = "";
	const char *file = at.file ? at.file : "(command line)";
	va_list ap;

	if (at.line > 0)
		snprintf(prefix, sizeof(prefix), "%s:%d:%d: ", file, at.line, at.col);
	else
		snprintf(prefix, sizeof(prefix), "%s: ", file);
	va_start(ap, fmt);
	error_vset(err, code, prefix, fmt, ap);
	va_end(ap);
	return -1;
}
