/*
 * Settings as rows: name, unit, range, default, help and the field they fill. Knows rows, not who
 * owns them. From the rows alone come YAML keys, --set paths, sweep axes, `help`, `show` and the
 * manifest.
 *
 * Every number is an int64_t field in the row's unit, every flag an int64_t 0 or 1, every choice
 * an int64_t index into choices[], every text a const char *. A default may be PARAM_AUTO: it
 * depends on kernel or driver and is filled in by the owner's tune() function; PARAM_AUTO left in a
 * field means "not set by the user".
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/base/str.h"

#define PARAM_AUTO INT64_MIN

enum param_type {
	PARAM_TYPE_END,
	PARAM_TYPE_INT,
	PARAM_TYPE_BOOL,
	PARAM_TYPE_CHOICE,
	PARAM_TYPE_TEXT,
};

struct param {
	const char *name; /* sysfs or YAML name */
	enum param_type type;
	enum unit unit;
	size_t offset;
	int64_t min, max, def;      /* in the unit; max inclusive */
	const char *const *choices; /* NULL-terminated, for PARAM_TYPE_CHOICE */
	const char *def_text;       /* for PARAM_TYPE_TEXT; may be NULL */
	const char *help;           /* one line, what it does */
};

#define PARAM_INT(type_, field_, name_, unit_, min_, max_, def_, help_)                         \
	{                                                                                       \
		.name = (name_), .type = PARAM_TYPE_INT, .unit = (unit_),                       \
		.offset = offsetof(type_, field_), .min = (min_), .max = (max_), .def = (def_), \
		.help = (help_)                                                                 \
	}
#define PARAM_BOOL(type_, field_, name_, def_, help_)                                        \
	{                                                                                    \
		.name = (name_), .type = PARAM_TYPE_BOOL, .offset = offsetof(type_, field_), \
		.min = 0, .max = 1, .def = (def_), .help = (help_)                           \
	}
#define PARAM_CHOICE(type_, field_, name_, choices_, def_, help_)                              \
	{                                                                                      \
		.name = (name_), .type = PARAM_TYPE_CHOICE, .offset = offsetof(type_, field_), \
		.def = (def_), .choices = (choices_), .help = (help_)                          \
	}
#define PARAM_TEXT(type_, field_, name_, def_, help_)                                        \
	{                                                                                    \
		.name = (name_), .type = PARAM_TYPE_TEXT, .offset = offsetof(type_, field_), \
		.def_text = (def_), .help = (help_)                                          \
	}
#define PARAM_END                      \
	{                              \
		.type = PARAM_TYPE_END \
	}

/* Fills every field of @object with its default. @params may be NULL (no rows). */
void param_defaults(const struct param *params, void *object);

/* The row called @name, or NULL. */
const struct param *param_find(const struct param *params, const char *name);

/* Sets one field from text. On a mistake: an error at @at that names the parameter, the text found
 * and what was allowed (range, choices, unit). A PARAM_TYPE_TEXT keeps the pointer @text. */
int param_set(const struct param *param, void *object, const char *text, struct where at,
	struct error *err);

/* The error for an unknown name at @at, with the nearest known one. @owner: "governor ondemand".
 * @also: NULL-terminated names that are known beside the rows; may be NULL. */
int param_unknown(const struct param *params, const char *const *also, const char *owner,
	const char *name, struct where at, struct error *err);

/* The value of a field as text that param_set() reads back; "auto" for PARAM_AUTO. */
void param_print(const struct param *param, const void *object, char *buf, size_t size);

/* Field access by row. */
int64_t *param_i64(const struct param *param, void *object);
