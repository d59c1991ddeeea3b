#include "workloads/json.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/str.h"

#define FILE_BYTES (INT64_C(16) << 20)
#define DEPTH_MAX 64

struct parser {
	struct arena *arena;
	const char *path;
	const char *at, *end;
	int line;
	const char *line_start;
	struct error *err;
};

static struct where here(const struct parser *p)
{
	return (struct where){
		.file = p->path, .line = p->line, .col = (int)(p->at - p->line_start) + 1
	};
}

static int bad(struct parser *p, const char *expected)
{
	if (p->at == p->end)
		return error_at(p->err, ERROR_SCENARIO, here(p), "the file ends here; expected %s",
			expected);
	return error_at(p->err, ERROR_SCENARIO, here(p), "found '%c'; expected %s",
		*p->at >= ' ' && *p->at <= '~' ? *p->at : '?', expected);
}

static void step(struct parser *p)
{
	if (*p->at++ == '\n') {
		p->line++;
		p->line_start = p->at;
	}
}

static bool ahead(const struct parser *p, const char *text)
{
	size_t len = strlen(text);

	return (size_t)(p->end - p->at) >= len && memcmp(p->at, text, len) == 0;
}

/* White space and both kinds of comment. */
static int skip(struct parser *p)
{
	for (;;) {
		if (ahead(p, "//")) {
			while (p->at < p->end && *p->at != '\n')
				step(p);
		} else if (ahead(p, "/*")) {
			while (p->at < p->end && !ahead(p, "*/"))
				step(p);
			if (p->at == p->end)
				return bad(p, "the end of a comment");
			p->at += 2;
		} else if (p->at < p->end && strchr(" \t\r\n", *p->at) && *p->at) {
			step(p);
		} else {
			return 0;
		}
	}
}

/* A text in quotes. An escaped character stands for itself: names hold nothing else. */
static int take_text(struct parser *p, const char **text)
{
	const char *from = ++p->at;
	size_t len = 0;

	while (p->at < p->end && *p->at != '"' && *p->at != '\n')
		p->at += *p->at == '\\' && p->end - p->at > 1 ? 2 : 1;
	if (p->at >= p->end || *p->at != '"')
		return bad(p, "the closing quote of a text");
	char *copy = arena_alloc(p->arena, (size_t)(p->at - from) + 1);
	for (const char *c = from; c < p->at; c++) {
		if (*c == '\\')
			c++;
		copy[len++] = *c;
	}
	p->at++;
	*text = copy;
	return 0;
}

static int take_bare(struct parser *p, struct json *json)
{
	const char *from = p->at;

	while (p->at < p->end && !strchr(" \t\r\n,:{}[]\"/", *p->at))
		p->at++;
	if (p->at == from)
		return bad(p, "a value");
	char *text = arena_alloc(p->arena, (size_t)(p->at - from) + 1);
	memcpy(text, from, (size_t)(p->at - from));
	json->text = text;
	json->type = strchr("-+.0123456789", *from) ? JSON_NUMBER : JSON_WORD;
	return 0;
}

static int take_scalar(struct parser *p, struct json *json)
{
	if (*p->at != '"')
		return take_bare(p, json);
	json->type = JSON_TEXT;
	return take_text(p, &json->text);
}

/* The beginning of the next child of @in: its key, if it needs one. 1; 0 at the closing bracket. */
static int take_key(struct parser *p, const struct json *in, struct json *child)
{
	if (skip(p))
		return -1;
	if (p->at == p->end)
		return bad(p, in->type == JSON_MAP ? "'}'" : "']'");
	if (*p->at == (in->type == JSON_MAP ? '}' : ']')) {
		p->at++;
		return 0;
	}
	child->at = here(p);
	if (in->type == JSON_LIST)
		return 1;
	if (*p->at != '"')
		return bad(p, "a key in quotes, or '}'");
	if (take_text(p, &child->key) || skip(p))
		return -1;
	if (p->at < p->end && *p->at == ':') {
		p->at++;
		if (skip(p))
			return -1;
		child->at = here(p);
		return 1;
	}
	if (p->at < p->end && *p->at != ',' && *p->at != '}')
		return bad(p, "':' and a value, ',' or '}'");
	child->type = JSON_NONE;
	return 1;
}

static int take_comma(struct parser *p, const struct json *in)
{
	if (skip(p))
		return -1;
	if (p->at < p->end && *p->at == ',')
		p->at++;
	else if (p->at == p->end || *p->at != (in->type == JSON_MAP ? '}' : ']'))
		return bad(p, in->type == JSON_MAP ? "',' or '}'" : "',' or ']'");
	return 0;
}

/* Maps and lists inside each other, without recursion. */
static int take_all(struct parser *p, struct json *root)
{
	struct json *open[DEPTH_MAX], *last[DEPTH_MAX];
	int depth = 0;

	open[0] = root;
	last[0] = NULL;
	p->at++;
	while (depth >= 0) {
		struct json *child = arena_alloc(p->arena, sizeof(*child));
		int got;

		child->type = JSON_TEXT;
		got = take_key(p, open[depth], child);
		if (got < 0)
			return -1;
		if (got == 0) {
			if (--depth >= 0 && take_comma(p, open[depth]))
				return -1;
			continue;
		}
		if (last[depth])
			last[depth]->next = child;
		else
			open[depth]->first = child;
		last[depth] = child;
		open[depth]->nr++;
		if (child->type != JSON_NONE && p->at == p->end)
			return bad(p, "a value");
		if (child->type != JSON_NONE && (*p->at == '{' || *p->at == '[')) {
			if (++depth == DEPTH_MAX)
				return bad(p, "less than 64 maps and lists inside each other");
			child->type = *p->at++ == '{' ? JSON_MAP : JSON_LIST;
			open[depth] = child;
			last[depth] = NULL;
			continue;
		}
		if (child->type != JSON_NONE && take_scalar(p, child))
			return -1;
		if (take_comma(p, open[depth]))
			return -1;
	}
	return 0;
}

static int read_all(
	struct arena *arena, const char *path, const char **text, size_t *len, struct error *err)
{
	struct where at = { .file = path };
	struct stat st;

	if (stat(path, &st))
		return error_at(err, ERROR_SCENARIO, at, "cannot be opened: %s", strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_BYTES)
		return error_at(err, ERROR_SCENARIO, at, "is no file of at most 16 MiB");
	char *bytes = arena_alloc(arena, (size_t)st.st_size + 1);
	FILE *file = fopen(path, "rb");
	if (!file)
		return error_at(err, ERROR_SCENARIO, at, "cannot be opened: %s", strerror(errno));
	*len = fread(bytes, 1, (size_t)st.st_size, file);
	bool failed = ferror(file);
	fclose(file);
	*text = bytes;
	return failed ? error_at(err, ERROR_SCENARIO, at, "cannot be read") : 0;
}

int json_read(struct arena *arena, const char *path, struct json **root, struct error *err)
{
	struct parser p = { .arena = arena, .path = path, .line = 1, .err = err };
	size_t len = 0;

	if (read_all(arena, path, &p.at, &len, err))
		return -1;
	p.end = p.at + len;
	p.line_start = p.at;
	if (skip(&p))
		return -1;
	if (p.at == p.end || *p.at != '{')
		return bad(&p, "'{'");
	*root = arena_alloc(arena, sizeof(**root));
	(*root)->type = JSON_MAP;
	(*root)->at = here(&p);
	if (take_all(&p, *root) || skip(&p))
		return -1;
	return p.at == p.end ? 0 : bad(&p, "the end of the file");
}

struct json *json_get(const struct json *map, const char *key)
{
	if (!map || map->type != JSON_MAP)
		return NULL;
	for (struct json *child = map->first; child; child = child->next)
		if (strcmp(child->key, key) == 0)
			return child;
	return NULL;
}

int json_integer(const struct json *json, int64_t min, int64_t max, int64_t *v, struct error *err)
{
	bool scalar = json->type == JSON_NUMBER || json->type == JSON_TEXT;

	if (!scalar || str_to_i64(json->text, UNIT_NONE, v) || *v < min || *v > max)
		return error_at(err, ERROR_SCENARIO, json->at,
			"%s: %s is not a whole number in %lld..%lld",
			json->key ? json->key : "value",
			json->text ? json->text : "what stands here", (long long)min,
			(long long)max);
	return 0;
}
