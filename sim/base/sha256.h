/*
 * SHA-256 (FIPS 180-4) of a text that arrives in pieces. Knows bytes, not what they mean.
 *
 * It names things by their content: two runs with the same digest are the same run.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint32_t state[8];
	uint64_t bytes;
	unsigned char block[64];
};

/* 64 hexadecimal digits and a zero. */
struct digest {
	char hex[65];
};

void sha256_start(struct sha256 *sha);
void sha256_add(struct sha256 *sha, const void *data, size_t size);
void sha256_end(struct sha256 *sha, struct digest *digest);
