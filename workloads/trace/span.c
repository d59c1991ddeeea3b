#include "workloads/trace/span.h"

/* At most so many digits: more would be no pid, CPU, frequency or count. */
#define DIGITS_MAX 15

void span_copy(struct span s, char *buf, size_t size)
{
	s = span_trim(s);
	size_t len = (size_t)(s.end - s.at);

	if (len > size - 1)
		len = size - 1;
	memcpy(buf, s.at, len);
	buf[len] = '\0';
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static bool span_take_hex(struct span *s, int64_t *v)
{
	int digits = 0;

	*v = 0;
	for (; s->at < s->end && hex_digit(*s->at) >= 0; s->at++, digits++) {
		if (digits == DIGITS_MAX)
			return false;
		*v = *v * 16 + hex_digit(*s->at);
	}
	return digits > 0 && (s->at == s->end || !is_word(*s->at));
}

bool span_take_number(struct span *s, int64_t *v)
{
	const char *from = s->at;

	if (s->end - from > 1 && from[0] == '0' && from[1] == 'x') {
		s->at += 2;
		return span_take_hex(s, v);
	}
	*v = 0;
	for (; s->at < s->end && is_digit(*s->at); s->at++) {
		if (s->at - from == DIGITS_MAX)
			return false;
		*v = *v * 10 + (*s->at - '0');
	}
	return s->at > from && (s->at == s->end || !is_word(*s->at));
}
