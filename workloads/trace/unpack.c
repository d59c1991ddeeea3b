#include "workloads/trace/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RAW_BYTES ((size_t)64 * 1024)
#define DECODER_BYTES (UINT64_C(256) << 20)

/* One way to pack. unpack() moves what it can from raw to @buf: the number of bytes written (0 is
 * no end), or -1 with @err. */
struct trace_packing {
	const char *name;
	const char *magic;
	size_t magic_len;
	int (*begin)(struct trace_bytes *bytes);
	int64_t (*unpack)(
		struct trace_bytes *bytes, unsigned char *buf, size_t size, struct error *err);
	void (*end)(struct trace_bytes *bytes);
};

static int bad_bytes(struct trace_bytes *bytes, struct error *err, const char *what)
{
	return error_at(err, ERROR_TRACE, (struct where){ .file = bytes->path },
		"%s: the %s data cannot be unpacked", what, bytes->packing->name);
}

static int xz_begin(struct trace_bytes *bytes)
{
	bytes->xz = (lzma_stream)LZMA_STREAM_INIT;
	return lzma_stream_decoder(&bytes->xz, DECODER_BYTES, LZMA_CONCATENATED) == LZMA_OK ? 0
											    : -1;
}

static int64_t xz_unpack(
	struct trace_bytes *bytes, unsigned char *buf, size_t size, struct error *err)
{
	bytes->xz.next_in = bytes->raw + bytes->raw_at;
	bytes->xz.avail_in = bytes->raw_len - bytes->raw_at;
	bytes->xz.next_out = buf;
	bytes->xz.avail_out = size;
	lzma_ret ret = lzma_code(&bytes->xz, bytes->raw_ended ? LZMA_FINISH : LZMA_RUN);
	bytes->raw_at = bytes->raw_len - bytes->xz.avail_in;
	bytes->inside = true;
	switch (ret) {
	case LZMA_OK:
	case LZMA_BUF_ERROR:
		break;
	case LZMA_STREAM_END:
		bytes->inside = false;
		bytes->ended = true;
		break;
	case LZMA_MEMLIMIT_ERROR:
	case LZMA_MEM_ERROR:
		return bad_bytes(bytes, err, "needs too much memory");
	default:
		return bad_bytes(bytes, err, "is damaged");
	}
	return (int64_t)(size - bytes->xz.avail_out);
}

static void xz_end(struct trace_bytes *bytes)
{
	lzma_end(&bytes->xz);
}

static int gzip_begin(struct trace_bytes *bytes)
{
	memset(&bytes->gzip, 0, sizeof(bytes->gzip));
	return inflateInit2(&bytes->gzip, 15 + 16) == Z_OK ? 0 : -1;
}

static int64_t gzip_unpack(
	struct trace_bytes *bytes, unsigned char *buf, size_t size, struct error *err)
{
	if (bytes->raw_at == bytes->raw_len)
		return 0;
	bytes->gzip.next_in = bytes->raw + bytes->raw_at;
	bytes->gzip.avail_in = (uInt)(bytes->raw_len - bytes->raw_at);
	bytes->gzip.next_out = buf;
	bytes->gzip.avail_out = (uInt)size;
	int ret = inflate(&bytes->gzip, Z_NO_FLUSH);
	bytes->raw_at = bytes->raw_len - bytes->gzip.avail_in;
	bytes->inside = ret != Z_STREAM_END;
	if (ret == Z_STREAM_END)
		inflateReset(&bytes->gzip); /* packed pieces may follow each other */
	else if (ret == Z_MEM_ERROR)
		return bad_bytes(bytes, err, "needs too much memory");
	else if (ret != Z_OK && ret != Z_BUF_ERROR)
		return bad_bytes(bytes, err, "is damaged");
	return (int64_t)(size - bytes->gzip.avail_out);
}

static void gzip_end(struct trace_bytes *bytes)
{
	inflateEnd(&bytes->gzip);
}

static int zstd_begin(struct trace_bytes *bytes)
{
	bytes->zstd = ZSTD_createDStream();
	return bytes->zstd ? 0 : -1;
}

static int64_t zstd_unpack(
	struct trace_bytes *bytes, unsigned char *buf, size_t size, struct error *err)
{
	ZSTD_inBuffer in = { bytes->raw, bytes->raw_len, bytes->raw_at };
	ZSTD_outBuffer out = { buf, size, 0 };

	if (in.pos == in.size && !bytes->inside)
		return 0;
	size_t ret = ZSTD_decompressStream(bytes->zstd, &out, &in);
	bytes->raw_at = in.pos;
	bytes->inside = ret != 0;
	if (ZSTD_isError(ret))
		return bad_bytes(bytes, err, "is damaged");
	return (int64_t)out.pos;
}

static void zstd_end(struct trace_bytes *bytes)
{
	ZSTD_freeDStream(bytes->zstd);
}

static const struct trace_packing packings[] = {
	{ "xz",
		"\xfd"
		"7zXZ",
		6, xz_begin, xz_unpack, xz_end },
	{ "gzip", "\x1f\x8b", 2, gzip_begin, gzip_unpack, gzip_end },
	{ "zstd", "\x28\xb5\x2f\xfd", 4, zstd_begin, zstd_unpack, zstd_end },
};

static int refill(struct trace_bytes *bytes, struct error *err)
{
	ssize_t got;

	if (bytes->raw_at < bytes->raw_len || bytes->raw_ended)
		return 0;
	do
		got = read(bytes->fd, bytes->raw, RAW_BYTES);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return error_at(err, ERROR_TRACE, (struct where){ .file = bytes->path },
			"cannot be read: %s", strerror(errno));
	bytes->raw_ended = got == 0;
	bytes->raw_at = 0;
	bytes->raw_len = (size_t)got;
	return 0;
}

/* A pipe may deliver its first bytes one by one. */
static int refill_magic(struct trace_bytes *bytes, struct error *err)
{
	while (bytes->raw_len < 8 && !bytes->raw_ended) {
		ssize_t got = read(
			bytes->fd, bytes->raw + bytes->raw_len, RAW_BYTES - bytes->raw_len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_at(err, ERROR_TRACE, (struct where){ .file = bytes->path },
				"cannot be read: %s", strerror(errno));
		bytes->raw_ended = got == 0;
		bytes->raw_len += (size_t)got;
	}
	return 0;
}

static int sniff(struct trace_bytes *bytes, struct error *err)
{
	if (refill_magic(bytes, err))
		return -1;
	for (size_t i = 0; i < sizeof(packings) / sizeof(packings[0]); i++) {
		const struct trace_packing *packing = &packings[i];

		if (bytes->raw_len < packing->magic_len ||
			memcmp(bytes->raw, packing->magic, packing->magic_len) != 0)
			continue;
		if (packing->begin(bytes))
			return error_at(err, ERROR_TRACE, (struct where){ .file = bytes->path },
				"cannot be unpacked: out of memory");
		bytes->packing = packing;
		return 0;
	}
	return 0;
}

int trace_bytes_open(
	struct trace_bytes *bytes, struct arena *arena, const char *path, struct error *err)
{
	bool standard = strcmp(path, "-") == 0;

	*bytes = (struct trace_bytes){ .path = standard ? TRACE_STDIN_NAME
							: arena_strdup(arena, path) };
	bytes->raw = arena_alloc(arena, RAW_BYTES);
	bytes->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (bytes->fd < 0)
		return error_at(err, ERROR_TRACE, (struct where){ .file = bytes->path },
			"cannot be opened: %s", strerror(errno));
	if (sniff(bytes, err)) {
		trace_bytes_close(bytes);
		return -1;
	}
	return 0;
}

void trace_bytes_close(struct trace_bytes *bytes)
{
	if (bytes->packing)
		bytes->packing->end(bytes);
	bytes->packing = NULL;
	if (bytes->fd > STDIN_FILENO)
		close(bytes->fd);
	bytes->fd = -1;
}

static int64_t read_plain(struct trace_bytes *bytes, void *buf, size_t size, struct error *err)
{
	size_t left = bytes->raw_len - bytes->raw_at;
	ssize_t got;

	if (left > 0) {
		size = left < size ? left : size;
		memcpy(buf, bytes->raw + bytes->raw_at, size);
		bytes->raw_at += size;
		return (int64_t)size;
	}
	do
		got = read(bytes->fd, buf, size);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return error_at(err, ERROR_TRACE, (struct where){ .file = bytes->path },
			"cannot be read: %s", strerror(errno));
	return got;
}

int64_t trace_bytes_read(struct trace_bytes *bytes, void *buf, size_t size, struct error *err)
{
	if (!bytes->packing)
		return read_plain(bytes, buf, size, err);
	while (!bytes->ended) {
		if (refill(bytes, err))
			return -1;
		size_t before = bytes->raw_at;
		int64_t got = bytes->packing->unpack(bytes, buf, size, err);
		if (got != 0)
			return got;
		if (bytes->ended || !bytes->raw_ended || bytes->raw_at != before)
			continue;
		if (bytes->inside)
			return error_at(err, ERROR_TRACE, (struct where){ .file = bytes->path },
				"is cut short: the %s data have no end", bytes->packing->name);
		bytes->ended = true;
	}
	return 0;
}

static int write_all(int fd, const void *buf, size_t len)
{
	const char *at = buf;

	while (len > 0) {
		ssize_t put = write(fd, at, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return -1;
		at += put;
		len -= (size_t)put;
	}
	return 0;
}

int trace_bytes_spool(struct trace_bytes *bytes, struct arena *arena, const void *head,
	size_t head_len, const char **path, struct error *err)
{
	const char *dir = getenv("TMPDIR");
	char *name = arena_printf(arena, "%s/cpufreq-sim-XXXXXX", dir && dir[0] ? dir : "/tmp");
	unsigned char *buf = arena_alloc(arena, RAW_BYTES);
	int64_t got = 0;
	int fd = mkstemp(name);
	bool written = fd >= 0 && write_all(fd, head, head_len) == 0;

	while (written && (got = trace_bytes_read(bytes, buf, RAW_BYTES, err)) > 0)
		written = write_all(fd, buf, (size_t)got) == 0;
	int failed = errno;
	if (fd >= 0)
		close(fd);
	if (written && got == 0) {
		*path = name;
		return 0;
	}
	if (fd >= 0)
		unlink(name);
	if (got < 0)
		return -1;
	return error_at(err, ERROR_TRACE, (struct where){ .file = bytes->path },
		"has to be copied to a file first, and %s cannot be written: %s", name,
		strerror(failed));
}
