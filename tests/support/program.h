/*
 * Runs the built program in a test and keeps what it prints.
 */
#pragma once

#define PROGRAM_MAX 262144

struct program {
	int status; /* exit status, -1 when it was killed */
	char out[PROGRAM_MAX], err[PROGRAM_MAX];
};

/* Arguments as text, the last one NULL. */
void program_run(struct program *program, const char *arg, ...);

/* The whole of a small file, to be freed; fails the test when there is none. */
char *file_text(const char *path);

/* A temporary directory of a test and all below it. */
void remove_tree(const char *path);
