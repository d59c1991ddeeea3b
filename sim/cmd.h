/*
 * What a sub-command is, and how its command line is read. Knows words that begin with a dash, not
 * what they mean.
 *
 * A command reads its arguments with cmd_next() and returns 0, or -1 with the error set; main()
 * prints it and makes its code the exit status. All memory is the arena's, under main()'s guard.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/catalog.h"
#include "sim/hw/machine_spec.h"

struct cmd_option {
	const char *name;  /* "--set" */
	char letter;       /* 'o' for -o; 0 = none */
	const char *value; /* what it takes, as help shows it; NULL = nothing */
	const char *help;
};

struct cmd_env {
	struct arena *arena;
	const struct catalog *catalog;
	struct error *err;
};

struct command {
	const char *name;
	const char *operands;             /* as the synopsis shows them */
	const char *summary;              /* one line */
	const char *notes;                /* further text of --help; may be NULL */
	const struct cmd_option *options; /* ends with a NULL name; may be NULL */
	int (*run)(struct cmd_env *env, int argc, char **argv);
};

extern const struct command cmd_run, cmd_check, cmd_list, cmd_help, cmd_show, cmd_plot,
	cmd_reproduce, cmd_sweep, cmd_export, cmd_merge, cmd_import, cmd_replay, cmd_compare,
	cmd_tune, cmd_report, cmd_validate, cmd_probe, cmd_calibrate;

/* The walk over a command's arguments. */
struct cmd_args {
	const struct command *command;
	int argc; /* of the arguments after the command's name */
	char **argv;
	int at;
	bool operands_only; /* after "--" */
	const char *value;  /* of the option just returned, or the operand */
};

#define CMD_OPERAND (-1)
#define CMD_END (-2)
#define CMD_BAD (-3)

/* The next argument: the option's index, CMD_OPERAND, CMD_END, or CMD_BAD with @err. */
int cmd_next(struct cmd_args *args, struct error *err);

/* Takes an operand into @slot, once. */
int cmd_operand(struct cmd_args *args, const char **slot, struct error *err);
/* The error for a missing operand. */
int cmd_missing(const struct command *command, const char *what, struct error *err);
/* A whole number within limits. */
int cmd_integer(const char *option, const char *text, int64_t min, int64_t max, int64_t *value,
	struct error *err);
/* The place of @text in @choices (NULL at the end). */
int cmd_choice(const char *what, const char *text, const char *const *choices, int *value,
	struct error *err);

void cmd_print_help(const struct command *command);

/* A file that comes with the program ("plots/bars.gp"): beside the sources it was built from, else
 * where it was installed. NULL when it is in neither place. */
const char *cmd_data_path(struct arena *arena, const char *name);
