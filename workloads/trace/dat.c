#include "workloads/trace/dat.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/units.h"
#include "workloads/trace/dat_child.h"

#define BUF_BYTES ((size_t)256 * 1024)
#define POLL_MS 50
/* The child has a limit of CPU time; that it waits, and for nothing, is seen by its silence: so
 * long, and a second for each of so many bytes. */
#define SILENCE_MS 20000
#define SILENCE_BYTES_PER_MS INT64_C(20000)

static int bad_dat(const struct trace_dat *dat, struct error *err, const char *what)
{
	return error_at(err, ERROR_TRACE, (struct where){ .file = dat->path }, "%s", what);
}

/* After the magic and the version, each ending in a NUL or fixed: byte order, size of a long, four
 * bytes of page size and, from version 7 on, how the file is compressed. */
static void read_head(struct trace_dat *dat, const char *file)
{
	const size_t compression = TRACE_DAT_MAGIC_LEN + 8;
	char head[64] = { 0 };
	struct stat st;
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	dat->silence_ms = SILENCE_MS;
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0)
		dat->silence_ms += st.st_size / SILENCE_BYTES_PER_MS;
	if (read(fd, head, sizeof(head) - 1) > (ssize_t)compression &&
		memcmp(head + TRACE_DAT_MAGIC_LEN, "7", 2) == 0)
		memcpy(dat->compression, head + compression, sizeof(dat->compression) - 1);
	close(fd);
}

static int start(struct trace_dat *dat, const char *file, struct error *err)
{
	int ends[2];

	if (pipe(ends))
		return error_at(err, ERROR_TRACE, (struct where){ .file = dat->path },
			"cannot be read: %s", strerror(errno));
	dat->child = fork();
	if (dat->child == 0) {
		close(ends[0]);
		trace_dat_child(file, ends[1]);
	}
	close(ends[1]);
	if (dat->child < 0) {
		dat->child = 0;
		close(ends[0]);
		return error_at(err, ERROR_TRACE, (struct where){ .file = dat->path },
			"cannot be read: %s", strerror(errno));
	}
	dat->fd = ends[0];
	return 0;
}

int trace_dat_open(struct trace_dat *dat, struct arena *arena, const char *file, const char *path,
	struct error *err)
{
	*dat = (struct trace_dat){ .path = path, .fd = -1 };
	dat->buf = arena_alloc(arena, BUF_BYTES);
	read_head(dat, file);
	return start(dat, file, err);
}

/* Its status, or -1 while it lives. */
static int child_status(struct trace_dat *dat, int options)
{
	int status;
	pid_t got;

	if (dat->child == 0)
		return 0;
	do
		got = waitpid(dat->child, &status, options);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		return -1;
	dat->child = 0;
	return got < 0 ? 0 : status;
}

void trace_dat_close(struct trace_dat *dat)
{
	if (dat->child) {
		kill(dat->child, SIGKILL);
		child_status(dat, 0);
	}
	if (dat->fd >= 0)
		close(dat->fd);
	dat->fd = -1;
}

/* The child has gone without a closing record. */
static int lost_child(struct trace_dat *dat, struct error *err)
{
	int status = child_status(dat, 0);

	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU))
		return bad_dat(dat, err, "is damaged: libtracecmd does not come to an end with it");
	if (WIFSIGNALED(status))
		return error_at(err, ERROR_TRACE, (struct where){ .file = dat->path },
			"is damaged: libtracecmd ended with signal %d on it", WTERMSIG(status));
	return bad_dat(dat, err, "is damaged: libtracecmd gave up on it");
}

/* Waits for bytes. While other runs start children of their own, one of those may hold this pipe
 * open: the end of our child is looked for as well. */
static int wait_bytes(struct trace_dat *dat, struct error *err)
{
	struct pollfd fd = { .fd = dat->fd, .events = POLLIN };

	for (int64_t waited_ms = 0; waited_ms < dat->silence_ms; waited_ms += POLL_MS) {
		int ready = poll(&fd, 1, POLL_MS);

		if (ready > 0)
			return 0;
		if (ready < 0 && errno != EINTR)
			break;
		if (ready == 0 && dat->child && child_status(dat, WNOHANG) != -1 &&
			poll(&fd, 1, 0) == 0)
			return bad_dat(dat, err, "is damaged: libtracecmd gave up on it");
	}
	return bad_dat(dat, err, "is damaged: libtracecmd does not come to an end with it");
}

/* At least @need bytes in the buffer. */
static int fill(struct trace_dat *dat, size_t need, struct error *err)
{
	memmove(dat->buf, dat->buf + dat->at, dat->len - dat->at);
	dat->len -= dat->at;
	dat->at = 0;
	while (dat->len < need) {
		if (wait_bytes(dat, err))
			return -1;
		ssize_t got = read(dat->fd, dat->buf + dat->len, BUF_BYTES - dat->len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return lost_child(dat, err);
		dat->len += (size_t)got;
	}
	return 0;
}

static int closing_record(
	struct trace_dat *dat, int kind, const struct trace_event *event, struct error *err)
{
	struct where at = { .file = dat->path };

	switch (kind) {
	case TRACE_DAT_END:
		return 0;
	case TRACE_DAT_CUT:
		return bad_dat(dat, err, "is cut short: libtracecmd finds no end of its data");
	case TRACE_DAT_CLOCK:
		return error_at(err, ERROR_TRACE, at,
			"time stamps are those of trace_clock %s, which has no known unit; record "
			"with trace_clock mono, global or perf",
			event->text);
	}
	if (dat->compression[0] && strcmp(dat->compression, "none") != 0 &&
		strcmp(dat->compression, "zstd") != 0)
		return error_at(err, ERROR_TRACE, at,
			"is compressed with %s, which this libtracecmd cannot read; record with "
			"trace-cmd record --compression zstd",
			dat->compression);
	return bad_dat(dat, err, "is a trace.dat that libtracecmd cannot open");
}

int trace_dat_next(struct trace_dat *dat, struct trace_event *event, struct error *err)
{
	const size_t head = offsetof(struct trace_event, a);

	if (dat->len - dat->at < sizeof(*event) && fill(dat, head, err))
		return -1;
	memcpy(event, dat->buf + dat->at, head);
	size_t size = trace_dat_size(event);
	if (dat->len - dat->at < size && fill(dat, size, err))
		return -1;
	if (size == head)
		memset((char *)event + head, 0, sizeof(*event) - head);
	else
		memcpy(event, dat->buf + dat->at, size);
	dat->at += size;
	int kind = (int)event->kind;
	return kind < TRACE_KINDS ? 1 : closing_record(dat, kind, event, err);
}
