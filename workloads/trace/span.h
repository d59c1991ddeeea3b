/*
 * Part of a line of text, and what is taken off its ends. Knows characters, numbers and keys; knows
 * no trace. Nothing here allocates or needs a NUL at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* From at up to, not including, end. */
struct span {
	const char *at, *end;
};

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline struct span span_trim(struct span s)
{
	while (s.at < s.end && is_blank(*s.at))
		s.at++;
	while (s.end > s.at && is_blank(s.end[-1]))
		s.end--;
	return s;
}

static inline void span_skip_blanks(struct span *s)
{
	while (s->at < s->end && is_blank(*s->at))
		s->at++;
}

/* Takes @key off the front. */
static inline bool span_take(struct span *s, const char *key)
{
	size_t len = strlen(key);

	if ((size_t)(s->end - s->at) < len || memcmp(s->at, key, len) != 0)
		return false;
	s->at += len;
	return true;
}

/* Looks for the last byte of @key first: most keys end in '=', which is rare in a line. */
static inline const char *span_find_last(struct span s, const char *key)
{
	const size_t last = strlen(key) - 1;

	if ((size_t)(s.end - s.at) <= last)
		return NULL;
	for (const char *p = s.end - 1; p >= s.at + last; p--)
		if (*p == key[last] && memcmp(p - last, key, last) == 0)
			return p - last;
	return NULL;
}

static inline bool span_contains(struct span s, const char *key)
{
	return span_find_last(s, key) != NULL;
}

static inline bool span_ends(struct span s, const char *key)
{
	size_t len = strlen(key);

	return (size_t)(s.end - s.at) >= len && memcmp(s.end - len, key, len) == 0;
}

/* Cuts the last "KEYvalue" off the end. Names may hold anything, even what looks like a field: only
 * reading from the right finds the true ones. */
static inline bool span_cut(struct span *s, const char *key, struct span *value)
{
	const char *p = span_find_last(*s, key);

	if (!p)
		return false;
	*value = (struct span){ p + strlen(key), s->end };
	s->end = p;
	return true;
}

/* Without blanks around it, cut to @size - 1 bytes and ended by a NUL. */
void span_copy(struct span s, char *buf, size_t size);
/* Takes an unsigned number, decimal or 0x (the option `fields` prints "0x6fa (1786)"). */
bool span_take_number(struct span *s, int64_t *v);

/* A number at the front, whatever follows. */
static inline bool span_number(struct span s, int64_t *v)
{
	return span_take_number(&s, v);
}
