#include "tests/support/program.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ARGS 32

extern char **environ;

char *file_text(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = calloc(1, PROGRAM_MAX);

	cr_assert(file, "%s is missing", path);
	cr_assert(fread(text, 1, PROGRAM_MAX - 1, file) < PROGRAM_MAX - 1, "%s is too long", path);
	fclose(file);
	return text;
}

static void take_output(const char *path, char *to)
{
	char *text = file_text(path);

	snprintf(to, PROGRAM_MAX, "%s", text);
	free(text);
	unlink(path);
}

void program_run(struct program *program, const char *arg, ...)
{
	const char *path = getenv("CPUFREQSIM_PROGRAM");
	char out[] = "/tmp/program_out_XXXXXX", err[] = "/tmp/program_err_XXXXXX";
	const char *argv[MAX_ARGS] = { "cpufreq-sim" };
	posix_spawn_file_actions_t actions;
	int nr = 1, status;
	pid_t pid;
	va_list ap;

	va_start(ap, arg);
	for (; arg && nr < MAX_ARGS - 1; arg = va_arg(ap, const char *))
		argv[nr++] = arg;
	va_end(ap);
	close(mkstemp(out));
	close(mkstemp(err));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_TRUNC, 0600);
	posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_TRUNC, 0600);
	cr_assert(path, "CPUFREQSIM_PROGRAM is not set");
	cr_assert(posix_spawn(&pid, path, &actions, NULL, (char **)(void *)argv, environ) == 0,
		"cannot run %s", path);
	posix_spawn_file_actions_destroy(&actions);
	waitpid(pid, &status, 0);
	program->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	take_output(out, program->out);
	take_output(err, program->err);
}

void remove_tree(const char *path)
{
	const char *const argv[] = { "rm", "-rf", "--", path, NULL };
	pid_t pid;

	if (posix_spawnp(&pid, "rm", NULL, NULL, (char **)(void *)argv, environ) == 0)
		waitpid(pid, NULL, 0);
}
