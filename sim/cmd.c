#include "sim/cmd.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/str.h"

#define MAX_NAMES 32

static int option_count(const struct command *command)
{
	int nr = 0;

	while (command->options && command->options[nr].name)
		nr++;
	return nr;
}

static int unknown_option(const struct command *command, const char *text, struct error *err)
{
	const char *names[MAX_NAMES] = { "--help" };
	char suggestion[512];
	size_t nr = 1;

	for (int i = 0; i < option_count(command) && nr < MAX_NAMES; i++)
		names[nr++] = command->options[i].name;
	str_suggest(text, names, nr, suggestion, sizeof(suggestion));
	error_set(err, ERROR_USAGE, "unknown option %.60s of %s; %s", text, command->name,
		suggestion);
	return CMD_BAD;
}

/* The option @text names, with what follows "=" in @value. */
static int find_option(const struct command *command, const char *text, const char **value)
{
	size_t len = strcspn(text, "=");

	*value = text[len] ? text + len + 1 : NULL;
	for (int i = 0; i < option_count(command); i++) {
		const struct cmd_option *option = &command->options[i];

		if (strlen(option->name) == len && strncmp(option->name, text, len) == 0)
			return i;
		if (option->letter && text[1] == option->letter && len == 2)
			return i;
	}
	return CMD_BAD;
}

int cmd_next(struct cmd_args *args, struct error *err)
{
	if (args->at == args->argc)
		return CMD_END;
	const char *text = args->argv[args->at++];
	if (!args->operands_only && strcmp(text, "--") == 0) {
		args->operands_only = true;
		return cmd_next(args, err);
	}
	args->value = text;
	if (args->operands_only || text[0] != '-' || !text[1])
		return CMD_OPERAND;
	int i = find_option(args->command, text, &args->value);
	if (i < 0)
		return unknown_option(args->command, text, err);
	const struct cmd_option *option = &args->command->options[i];
	if (option->value && !args->value && args->at < args->argc)
		args->value = args->argv[args->at++];
	if (option->value && !args->value) {
		error_set(err, ERROR_USAGE, "%s needs a value: %s", option->name, option->value);
		return CMD_BAD;
	}
	if (!option->value && args->value) {
		error_set(err, ERROR_USAGE, "%s takes no value", option->name);
		return CMD_BAD;
	}
	return i;
}

int cmd_operand(struct cmd_args *args, const char **slot, struct error *err)
{
	if (*slot)
		return error_set(err, ERROR_USAGE,
			"%s: unexpected \"%.60s\" after \"%.60s\"; expected %s",
			args->command->name, args->value, *slot, args->command->operands);
	*slot = args->value;
	return 0;
}

int cmd_missing(const struct command *command, const char *what, struct error *err)
{
	return error_set(err, ERROR_USAGE, "%s: %s is missing; usage: cpufreq-sim %s %s",
		command->name, what, command->name, command->operands);
}

int cmd_integer(const char *option, const char *text, int64_t min, int64_t max, int64_t *value,
	struct error *err)
{
	if (str_to_i64(text, UNIT_NONE, value) < 0 || *value < min || *value > max)
		return error_set(err, ERROR_USAGE,
			"%s: \"%.60s\" is not a whole number in %" PRId64 "..%" PRId64, option,
			text, min, max);
	return 0;
}

int cmd_choice(const char *what, const char *text, const char *const *choices, int *value,
	struct error *err)
{
	char suggestion[512];
	size_t nr = 0;

	for (; choices[nr]; nr++) {
		if (strcmp(choices[nr], text) == 0) {
			*value = (int)nr;
			return 0;
		}
	}
	str_suggest(text, choices, nr, suggestion, sizeof(suggestion));
	return error_set(err, ERROR_USAGE, "unknown %s \"%.60s\"; %s", what, text, suggestion);
}

void cmd_print_help(const struct command *command)
{
	printf("usage: cpufreq-sim %s%s %s\n\n%s\n", command->name,
		command->options ? " [OPTION]..." : "", command->operands, command->summary);
	if (command->options)
		printf("\noptions:\n");
	for (int i = 0; i < option_count(command); i++) {
		const struct cmd_option *option = &command->options[i];
		char left[64], letter[8] = "";

		if (option->letter)
			snprintf(letter, sizeof(letter), "-%c, ", option->letter);
		snprintf(left, sizeof(left), "%s%s%s%s", letter, option->name,
			option->value ? " " : "", option->value ? option->value : "");
		printf("  %-26s %s\n", left, option->help);
	}
	if (command->notes)
		printf("\n%s", command->notes);
}

const char *cmd_data_path(struct arena *arena, const char *name)
{
	static const char *const places[] = { CPUFREQSIM_SOURCEDIR, CPUFREQSIM_DATADIR };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *path = arena_printf(arena, "%s/%s", places[i], name);

		if (access(path, R_OK) == 0)
			return path;
	}
	return NULL;
}
