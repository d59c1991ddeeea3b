/*
 * JSON as programs that read it by hand write it: comments, commas before a closing brace, keys
 * without a value, the same key again and again. Knows texts, not what they say: a map is a list of
 * pairs in the order of the file.
 */
#pragma once

#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"

enum json_type { JSON_NONE, JSON_TEXT, JSON_NUMBER, JSON_WORD, JSON_LIST, JSON_MAP };

struct json {
	enum json_type type; /* NONE: a key without a value */
	struct where at;
	const char *key;    /* in a map, else NULL */
	const char *text;   /* as written: of TEXT, NUMBER (1.5e3) and WORD (true false null) */
	struct json *first; /* of LIST and MAP */
	struct json *next;
	size_t nr;
};

/* Reads all of @path (at most 16 MiB). 0 or -1 with @err (code ERROR_SCENARIO). */
int json_read(struct arena *arena, const char *path, struct json **root, struct error *err);
/* The first of a map's values under @key, or NULL. */
struct json *json_get(const struct json *map, const char *key);
/* A whole number, written plain or as text. 0 or -1 with @err that names the key. */
int json_integer(const struct json *json, int64_t min, int64_t max, int64_t *v, struct error *err);
