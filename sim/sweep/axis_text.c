#include "sim/sweep/axis_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/manifest.h"

#define MAX_DIGITS 15
#define MAX_SUFFIX 7

/* A decimal number as its digits, with what follows it. */
struct number {
	int64_t digits;
	int decimals; /* of the digits, behind the point */
	char suffix[MAX_SUFFIX + 1];
};

/* Reads a number up to ':' or the end; NULL when there is none. */
static const char *read_number(const char *p, struct number *number)
{
	bool negative = *p == '-', point = false;
	int nr = 0;
	size_t length = 0;

	*number = (struct number){ 0 };
	for (p += negative; isdigit((unsigned char)*p) || (*p == '.' && !point); p++) {
		if (*p == '.') {
			point = true;
			continue;
		}
		if (++nr > MAX_DIGITS)
			return NULL;
		number->digits = 10 * number->digits + (*p - '0');
		number->decimals += point;
	}
	for (; *p && *p != ':'; p++) {
		if ((!isalpha((unsigned char)*p) && *p != '%') || length == MAX_SUFFIX)
			return NULL;
		number->suffix[length++] = *p;
	}
	if (negative)
		number->digits = -number->digits;
	return nr ? p : NULL;
}

/* Brings the parts to the same number of decimals and the same suffix; a part without one takes
 * that of the upper end. */
static bool align(struct number *parts, int nr)
{
	int decimals = 0;

	for (int i = 0; i < nr; i++) {
		if (!parts[i].suffix[0])
			memcpy(parts[i].suffix, parts[1].suffix, sizeof(parts[i].suffix));
		if (strcmp(parts[i].suffix, parts[1].suffix) != 0)
			return false;
		if (parts[i].decimals > decimals)
			decimals = parts[i].decimals;
	}
	for (int i = 0; i < nr; i++)
		for (; parts[i].decimals < decimals; parts[i].decimals++) {
			if (llabs(parts[i].digits) > INT64_MAX / 10)
				return false;
			parts[i].digits *= 10;
		}
	return true;
}

static int bad_range(
	struct where at, const char *path, const char *text, const char *why, struct error *err)
{
	return error_at(err, ERROR_SCENARIO, at, "%s: the range \"%.60s\" %s", path, text, why);
}

static int read_range(struct axis *axis, struct arena *arena, struct where at, const char *text,
	struct error *err)
{
	struct number parts[3];
	const char *p = text;
	int nr = 0;

	for (; p && nr < 3; nr++) {
		p = read_number(p, &parts[nr]);
		if (p && *p == ':')
			p++;
		else if (p)
			break;
	}
	nr++;
	if (!p || *p || nr < 2 || nr > 3)
		return bad_range(
			at, axis->path, text, "is none; expected lo:hi or lo:hi:step", err);
	if (nr == 2)
		parts[nr++] = (struct number){ .digits = 1 };
	if (!align(parts, nr))
		return bad_range(
			at, axis->path, text, "mixes units; expected the same in each", err);
	if (parts[2].digits <= 0 || parts[1].digits < parts[0].digits)
		return bad_range(
			at, axis->path, text, "is empty; expected lo <= hi and step > 0", err);
	int64_t steps = (parts[1].digits - parts[0].digits) / parts[2].digits;
	if (steps >= UINT32_MAX)
		return bad_range(at, axis->path, text, "has too many values", err);
	axis->nr = (size_t)steps + 1;
	axis->values = NULL;
	axis->lo = parts[0].digits;
	axis->step = parts[2].digits;
	axis->decimals = parts[0].decimals;
	axis->suffix = arena_strdup(arena, parts[0].suffix);
	return 0;
}

/* The length of a list's first element: up to a comma that is not inside brackets or quotes. */
static size_t element_length(const char *text)
{
	size_t length = 0;
	int depth = 0;
	char quote = 0;

	for (; text[length]; length++) {
		char c = text[length];

		if (quote)
			quote = c == quote ? '\0' : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else if (c == '[' || c == '{')
			depth++;
		else if (c == ']' || c == '}')
			depth--;
		else if (c == ',' && depth == 0)
			break;
	}
	return length;
}

static int check_list(const struct axis *axis, struct where at, struct error *err)
{
	for (size_t i = 0; i < axis->nr; i++) {
		if (!axis->values[i][0])
			return error_at(err, ERROR_SCENARIO, at,
				"%s: value %zu is empty; expected a,b,c", axis->path, i + 1);
		for (size_t k = 0; k < i; k++)
			if (strcmp(axis->values[i], axis->values[k]) == 0)
				return error_at(err, ERROR_SCENARIO, at,
					"%s: \"%.60s\" is given twice", axis->path,
					axis->values[i]);
	}
	return 0;
}

int axis_from_text(struct axis *axis, struct arena *arena, struct where at, const char *text,
	struct error *err)
{
	size_t nr = 1, length;

	axis->at = at;
	for (const char *p = text; *(p += element_length(p)); p++)
		nr++;
	if (nr == 1 && strchr(text, ':') && !strchr("[{\"'", text[0]))
		return read_range(axis, arena, at, text, err);
	axis->nr = nr;
	axis->values = arena_array(arena, nr, sizeof(*axis->values));
	for (size_t i = 0; i < nr; i++, text += length + 1) {
		length = element_length(text);
		axis->values[i] = arena_printf(arena, "%.*s", (int)length, text);
	}
	return check_list(axis, at, err);
}

/* A value of the tree as the text that an override takes. NULL when memory is out. */
static const char *value_text(struct arena *arena, const struct node *node)
{
	char *text = NULL;
	size_t size;

	if (node->type == NODE_SCALAR)
		return node->text;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	manifest_write_value(out, node);
	const char *copy = fclose(out) == 0 ? arena_strdup(arena, text) : NULL;
	free(text);
	return copy;
}

int axis_from_node(
	struct axis *axis, struct arena *arena, const struct node *node, struct error *err)
{
	size_t i = 0;

	if (node->type == NODE_SCALAR)
		return axis_from_text(axis, arena, node->at, node->text, err);
	if (node->type != NODE_SEQ || node->nr == 0)
		return error_at(err, ERROR_SCENARIO, node->at,
			"%s: found %s; expected lo:hi:step or a list of values", axis->path,
			node_describe(node));
	axis->at = node->at;
	axis->nr = node->nr;
	axis->values = arena_array(arena, axis->nr, sizeof(*axis->values));
	for (const struct node *child = node->first; child; child = child->next, i++) {
		axis->values[i] = value_text(arena, child);
		if (!axis->values[i])
			return error_set(err, ERROR_RUN, "out of memory for an axis");
	}
	return check_list(axis, node->at, err);
}
