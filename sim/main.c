/*
 * The program: argv to the table of commands. The only file that knows the rooms of plug-ins.
 */
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <string.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "sim/base/str.h"
#include "sim/cmd.h"
#include "workloads/workloads.h"

static const struct command *const commands[] = {
	&cmd_run,
	&cmd_probe,
	&cmd_import,
	&cmd_replay,
	&cmd_validate,
	&cmd_check,
	&cmd_list,
	&cmd_help,
	&cmd_show,
	&cmd_plot,
	&cmd_reproduce,
	&cmd_calibrate,
	&cmd_sweep,
	&cmd_export,
	&cmd_merge,
	&cmd_compare,
	&cmd_tune,
	&cmd_report,
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_usage(FILE *out)
{
	fprintf(out,
		"usage: cpufreq-sim COMMAND [OPTION]... [ARGUMENT]...\n"
		"       cpufreq-sim COMMAND --help\n"
		"       cpufreq-sim --help | --version\n\ncommands:\n");
	for (size_t i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fprintf(out,
		"\nexit status: 0 fine, 1 a run failed, 2 a scenario is wrong, "
		"3 a trace is wrong, 64 usage\n");
}

static const struct command *find_command(const char *name, struct error *err)
{
	const char *names[NR_COMMANDS];
	char suggestion[512];

	for (size_t i = 0; i < NR_COMMANDS; i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
		names[i] = commands[i]->name;
	}
	str_suggest(name, names, NR_COMMANDS, suggestion, sizeof(suggestion));
	error_set(err, ERROR_USAGE, "unknown command \"%.60s\"; %s", name, suggestion);
	return NULL;
}

/* Whether --help stands among the arguments, before "--" ends the options. */
static bool wants_help(int argc, char **argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return true;
	return false;
}

static int run_command(const struct command *command, int argc, char **argv, struct error *err)
{
	static const struct catalog catalog = { governors, drivers, workloads };
	struct arena arena = { 0 };
	struct cmd_env env = { .arena = &arena, .catalog = &catalog, .err = err };

	if (arena_try(&arena))
		error_set(err, ERROR_RUN, "out of memory");
	else
		command->run(&env, argc, argv);
	arena_free(&arena);
	if (fflush(stdout) != 0 || ferror(stdout))
		error_set(err, ERROR_RUN, "the output could not be written");
	return err->code == ERROR_NONE ? 0 : -1;
}

static int dispatch(int argc, char **argv, struct error *err)
{
	if (argc < 2) {
		print_usage(stderr);
		return error_set(err, ERROR_USAGE, "no command given");
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_usage(stdout);
		return 0;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("cpufreq-sim " CPUFREQSIM_VERSION "\n");
		return 0;
	}
	const struct command *command = find_command(argv[1], err);
	if (!command)
		return -1;
	if (wants_help(argc - 2, argv + 2)) {
		cmd_print_help(command);
		return 0;
	}
	return run_command(command, argc - 2, argv + 2, err);
}

int main(int argc, char **argv)
{
	struct error err = { .code = ERROR_NONE };

	gsl_set_error_handler_off();
	if (dispatch(argc, argv, &err) == 0)
		return 0;
	fprintf(stderr, "cpufreq-sim: %s\n", err.text);
	return (int)err.code;
}
