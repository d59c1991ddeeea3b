#include "sim/experiment/expr.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPS 256
#define MAX_NAMES 32
#define MAX_DEPTH 32

enum op_kind { OP_NUMBER, OP_NAME, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_NEG, OP_CALL };

/* In reverse Polish order. */
struct expr_op {
	enum op_kind kind;
	double number; /* NUMBER */
	size_t index;  /* NAME: which; CALL: which */
};

static double call_abs(double a, double b)
{
	(void)b;
	return fabs(a);
}

static double call_sqrt(double a, double b)
{
	(void)b;
	return sqrt(a);
}

static double call_floor(double a, double b)
{
	(void)b;
	return floor(a);
}

static const struct call {
	const char *name;
	int nr; /* of arguments */
	double (*value)(double a, double b);
} calls[] = {
	{ "abs", 1, call_abs },
	{ "sqrt", 1, call_sqrt },
	{ "floor", 1, call_floor },
	{ "min", 2, fmin },
	{ "max", 2, fmax },
};

#define NR_CALLS (sizeof(calls) / sizeof(calls[0]))

struct parser {
	struct arena *arena;
	const char *text, *p;
	struct where at;
	struct expr *expr;
	struct error *err;
	int depth;
};

static int fail(struct parser *parser, const char *expected)
{
	return error_at(parser->err, ERROR_SCENARIO, parser->at,
		"\"%.80s\": found \"%.20s\"; expected %s", parser->text,
		*parser->p ? parser->p : "the end", expected);
}

static void skip(struct parser *parser)
{
	while (*parser->p == ' ')
		parser->p++;
}

static bool take(struct parser *parser, char c)
{
	skip(parser);
	if (*parser->p != c)
		return false;
	parser->p++;
	return true;
}

static int emit(struct parser *parser, struct expr_op op)
{
	if (parser->expr->nr_ops == MAX_OPS)
		return error_at(parser->err, ERROR_SCENARIO, parser->at,
			"\"%.80s\": more than %d operations", parser->text, MAX_OPS);
	parser->expr->ops[parser->expr->nr_ops++] = op;
	return 0;
}

static int parse_sum(struct parser *parser);

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *take_word(struct parser *parser, const char *also)
{
	const char *from = parser->p;

	while (is_letter(*parser->p) || is_digit(*parser->p) ||
		(*parser->p && strchr(also, *parser->p)))
		parser->p++;
	return arena_printf(parser->arena, "%.*s", (int)(parser->p - from), from);
}

static int parse_call(struct parser *parser, const char *name)
{
	size_t i = 0;

	while (i < NR_CALLS && strcmp(calls[i].name, name) != 0)
		i++;
	if (i == NR_CALLS)
		return error_at(parser->err, ERROR_SCENARIO, parser->at,
			"\"%.80s\": unknown function \"%.40s\"; expected abs, sqrt, floor, min or "
			"max",
			parser->text, name);
	for (int arg = 0; arg < calls[i].nr; arg++) {
		if (arg > 0 && !take(parser, ','))
			return fail(parser, "a comma");
		if (parse_sum(parser) < 0)
			return -1;
	}
	if (!take(parser, ')'))
		return fail(parser, "\")\"");
	return emit(parser, (struct expr_op){ .kind = OP_CALL, .index = i });
}

/* The index comes before the name on the stack; without one a NaN stands there. */
static int parse_name(struct parser *parser)
{
	struct expr_name name = { .name = take_word(parser, "") };

	if (take(parser, '('))
		return parse_call(parser, name.name);
	if (*parser->p == '[') {
		parser->p++;
		name.indexed = true;
		if (parse_sum(parser) < 0)
			return -1;
		if (!take(parser, ']'))
			return fail(parser, "\"]\"");
	} else if (emit(parser, (struct expr_op){ .kind = OP_NUMBER, .number = (double)NAN }) < 0) {
		return -1;
	}
	if (*parser->p == '@') {
		parser->p++;
		name.of = take_word(parser, ".+-");
		if (!*name.of)
			return fail(parser, "the name of a variant");
	}
	if (parser->expr->nr_names == MAX_NAMES)
		return error_at(parser->err, ERROR_SCENARIO, parser->at,
			"\"%.80s\": more than %d names", parser->text, MAX_NAMES);
	size_t index = parser->expr->nr_names++;
	parser->expr->names[index] = name;
	return emit(parser, (struct expr_op){ .kind = OP_NAME, .index = index });
}

static int parse_number(struct parser *parser)
{
	char *end;
	double number = strtod(parser->p, &end);

	parser->p = end;
	return emit(parser, (struct expr_op){ .kind = OP_NUMBER, .number = number });
}

static int parse_factor(struct parser *parser)
{
	int result = -1;

	if (++parser->depth > MAX_DEPTH)
		return error_at(parser->err, ERROR_SCENARIO, parser->at,
			"\"%.80s\": more than %d levels", parser->text, MAX_DEPTH);
	if (take(parser, '-')) {
		if (parse_factor(parser) == 0)
			result = emit(parser, (struct expr_op){ .kind = OP_NEG });
	} else if (take(parser, '(')) {
		if (parse_sum(parser) == 0)
			result = take(parser, ')') ? 0 : fail(parser, "\")\"");
	} else if (is_digit(*parser->p) || *parser->p == '.') {
		result = parse_number(parser);
	} else if (is_letter(*parser->p)) {
		result = parse_name(parser);
	} else {
		result = fail(parser, "a number, a name or \"(\"");
	}
	parser->depth--;
	return result;
}

static int parse_product(struct parser *parser)
{
	if (parse_factor(parser) < 0)
		return -1;
	for (;;) {
		enum op_kind kind;

		if (take(parser, '*'))
			kind = OP_MUL;
		else if (take(parser, '/'))
			kind = OP_DIV;
		else
			return 0;
		if (parse_factor(parser) < 0 || emit(parser, (struct expr_op){ .kind = kind }) < 0)
			return -1;
	}
}

static int parse_sum(struct parser *parser)
{
	if (parse_product(parser) < 0)
		return -1;
	for (;;) {
		enum op_kind kind;

		if (take(parser, '+'))
			kind = OP_ADD;
		else if (take(parser, '-'))
			kind = OP_SUB;
		else
			return 0;
		if (parse_product(parser) < 0 || emit(parser, (struct expr_op){ .kind = kind }) < 0)
			return -1;
	}
}

int expr_parse(struct arena *arena, const char *text, struct where at, struct expr *expr,
	struct error *err)
{
	struct expr_op ops[MAX_OPS];
	struct expr_name names[MAX_NAMES];
	struct parser parser = {
		.arena = arena, .text = text, .p = text, .at = at, .expr = expr, .err = err
	};

	*expr = (struct expr){ .text = text, .ops = ops, .names = names };
	if (parse_sum(&parser) < 0)
		return -1;
	skip(&parser);
	if (*parser.p)
		return fail(&parser, "an operator");
	expr->ops = arena_array(arena, expr->nr_ops, sizeof(*expr->ops));
	memcpy(expr->ops, ops, expr->nr_ops * sizeof(*ops));
	expr->names = arena_array(arena, expr->nr_names, sizeof(*expr->names));
	if (expr->nr_names)
		memcpy(expr->names, names, expr->nr_names * sizeof(*names));
	return 0;
}

static double binary(const struct expr_op *op, double a, double b)
{
	switch (op->kind) {
	case OP_ADD:
		return a + b;
	case OP_SUB:
		return a - b;
	case OP_MUL:
		return a * b;
	case OP_DIV:
		return a / b;
	case OP_CALL:
		return calls[op->index].value(a, b);
	case OP_NUMBER:
	case OP_NAME:
	case OP_NEG:
		break;
	}
	assert(false);
	return 0;
}

int expr_value(const struct expr *expr, const struct expr_values *values, double *value)
{
	double stack[MAX_OPS];
	size_t top = 0;

	for (size_t i = 0; i < expr->nr_ops; i++) {
		const struct expr_op *op = &expr->ops[i];

		if (op->kind == OP_NUMBER) {
			stack[top++] = op->number;
		} else if (op->kind == OP_NAME) {
			double index = stack[top - 1];

			if (values->get(values->arg, expr, op->index, index, &stack[top - 1]) < 0)
				return -1;
		} else if (op->kind == OP_NEG) {
			stack[top - 1] = -stack[top - 1];
		} else if (op->kind == OP_CALL && calls[op->index].nr == 1) {
			stack[top - 1] = binary(op, stack[top - 1], 0);
		} else {
			top--;
			stack[top - 1] = binary(op, stack[top - 1], stack[top]);
		}
	}
	assert(top == 1);
	*value = stack[0];
	return 0;
}
