/*
 * The bytes of a recording, unpacked: plain, or packed with xz, gzip or zstd, from a file or from
 * standard input. Knows containers, not what is in them. Memory does not depend on the size of the
 * file.
 */
#pragma once

#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <zlib.h>
#include <zstd.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"

/* What "-" is called in messages. */
#define TRACE_STDIN_NAME "standard input"

struct trace_packing;

struct trace_bytes {
	const char *path;
	int fd; /* -1: closed */
	const struct trace_packing *packing;
	unsigned char *raw;
	size_t raw_at, raw_len;
	bool raw_ended;
	bool ended;  /* no further bytes */
	bool inside; /* of a packed piece that must have an end */
	lzma_stream xz;
	z_stream gzip;
	ZSTD_DStream *zstd;
};

/* @path "-" is standard input. 0 or -1 with @err (code 3). */
int trace_bytes_open(
	struct trace_bytes *bytes, struct arena *arena, const char *path, struct error *err);
/* Fills @buf with 1 to @size bytes. Their number, 0 at the end, -1 with @err. */
int64_t trace_bytes_read(struct trace_bytes *bytes, void *buf, size_t size, struct error *err);
void trace_bytes_close(struct trace_bytes *bytes);

/* Copies @head and all that is left of @bytes into a new file and gives its name, for readers that
 * must go back and forth. Who called removes it. */
int trace_bytes_spool(struct trace_bytes *bytes, struct arena *arena, const void *head,
	size_t head_len, const char **path, struct error *err);
