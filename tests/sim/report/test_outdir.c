#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/report/outdir.h"
#include "tests/support/program.h"

static struct arena arena;
static struct error err;
static char top[64];

static void leave(void)
{
	remove_tree(top);
}

static void enter(void)
{
	strcpy(top, "/tmp/test_outdir_XXXXXX");
	cr_assert(ne(ptr, mkdtemp(top), NULL));
	if (arena_try(&arena))
		abort();
}

static int entries(const char *path)
{
	DIR *dir = opendir(path);
	int nr = 0;

	while (dir && readdir(dir))
		nr++;
	if (dir)
		closedir(dir);
	return nr - 2;
}

static const char *inside(const char *name)
{
	return arena_printf(&arena, "%s/%s", top, name);
}

Test(outdir, files_have_their_names_only_after_commit, .init = enter, .fini = leave)
{
	struct outdir dir;

	cr_assert(eq(int, outdir_open(&dir, &arena, inside("a/b"), &err), 0));
	FILE *file = outdir_file(&dir, "runs.csv", &err);
	cr_assert(ne(ptr, file, NULL));
	fputs("x\n", file);
	cr_assert(ne(ptr, outdir_file(&dir, "manifest.yaml", &err), NULL));
	cr_assert(ne(int, access(inside("a/b/runs.csv"), F_OK), 0));
	cr_assert(eq(int, outdir_commit(&dir, &err), 0));
	cr_assert(eq(int, access(inside("a/b/runs.csv"), F_OK), 0));
	cr_assert(eq(int, entries(inside("a/b")), 2));
	arena_free(&arena);
}

Test(outdir, abort_leaves_nothing_not_even_directories, .init = enter, .fini = leave)
{
	struct outdir dir;

	cr_assert(eq(int, outdir_open(&dir, &arena, inside("a/b/c"), &err), 0));
	cr_assert(ne(ptr, outdir_file(&dir, "runs.csv", &err), NULL));
	outdir_abort(&dir);
	cr_assert(eq(int, entries(top), 0));
	arena_free(&arena);
}

Test(outdir, a_directory_that_was_there_stays_with_its_files, .init = enter, .fini = leave)
{
	struct outdir dir;

	cr_assert(eq(int, mkdir(inside("a"), 0777), 0));
	fclose(fopen(inside("a/mine.txt"), "w"));
	cr_assert(eq(int, outdir_open(&dir, &arena, inside("a"), &err), 0));
	cr_assert(ne(ptr, outdir_file(&dir, "runs.csv", &err), NULL));
	outdir_abort(&dir);
	cr_assert(eq(int, entries(inside("a")), 1));
	arena_free(&arena);
}

Test(outdir, a_name_that_cannot_be_taken_undoes_all, .init = enter, .fini = leave)
{
	struct outdir dir;

	cr_assert(eq(int, mkdir(inside("a"), 0777), 0));
	cr_assert(eq(int, mkdir(inside("a/second"), 0777), 0));
	cr_assert(eq(int, mkdir(inside("a/second/x"), 0777), 0));
	cr_assert(eq(int, outdir_open(&dir, &arena, inside("a"), &err), 0));
	cr_assert(ne(ptr, outdir_file(&dir, "first", &err), NULL));
	cr_assert(ne(ptr, outdir_file(&dir, "second", &err), NULL));
	cr_assert(eq(int, outdir_commit(&dir, &err), -1));
	cr_assert(eq(int, err.code, ERROR_RUN));
	cr_assert(eq(int, entries(inside("a")), 1));
	arena_free(&arena);
}

Test(outdir, check_refuses_a_file_in_the_way, .init = enter, .fini = leave)
{
	fclose(fopen(inside("file"), "w"));
	cr_assert(eq(int, outdir_check(&arena, inside("file"), &err), -1));
	cr_assert(strstr(err.text, "file: not a directory") != NULL);
	err = (struct error){ 0 };
	cr_assert(eq(int, outdir_check(&arena, inside("file/below"), &err), -1));
	err = (struct error){ 0 };
	cr_assert(eq(int, outdir_check(&arena, "", &err), -1));
	cr_assert(eq(int, err.code, ERROR_USAGE));
	err = (struct error){ 0 };
	cr_assert(eq(int, outdir_check(&arena, inside("new/er"), &err), 0));
	cr_assert(eq(int, entries(top), 1));
	arena_free(&arena);
}

Test(outdir, too_many_files_are_refused, .init = enter, .fini = leave)
{
	struct outdir dir;

	cr_assert(eq(int, outdir_open(&dir, &arena, inside("a"), &err), 0));
	for (int i = 0; i < OUTDIR_MAX_FILES; i++)
		cr_assert(ne(ptr, outdir_file(&dir, arena_printf(&arena, "f%d", i), &err), NULL));
	cr_assert(eq(ptr, outdir_file(&dir, "more", &err), NULL));
	cr_assert(strstr(err.text, "more than 16 files") != NULL);
	outdir_abort(&dir);
	arena_free(&arena);
}
