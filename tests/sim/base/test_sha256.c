#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/sha256.h"

static struct digest digest_of(const char *text, size_t piece)
{
	size_t size = strlen(text);
	struct digest digest;
	struct sha256 sha;

	sha256_start(&sha);
	for (size_t at = 0; at < size; at += piece)
		sha256_add(&sha, text + at, size - at < piece ? size - at : piece);
	sha256_end(&sha, &digest);
	return digest;
}

/* The examples of FIPS 180-4's supplement. */
Test(sha256, the_published_examples)
{
	cr_assert(eq(str, digest_of("", 1).hex,
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
	cr_assert(eq(str, digest_of("abc", 3).hex,
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
	cr_assert(eq(str,
		digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 99).hex,
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
}

Test(sha256, a_million_letters)
{
	struct digest digest;
	struct sha256 sha;

	sha256_start(&sha);
	for (int i = 0; i < 100000; i++)
		sha256_add(&sha, "aaaaaaaaaa", 10);
	sha256_end(&sha, &digest);
	cr_assert(eq(str, digest.hex,
		"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

Test(sha256, how_the_text_is_cut_does_not_matter)
{
	char text[198];

	for (size_t length = 0; length < sizeof(text); length++) {
		memset(text, 'x', length);
		text[length] = '\0';
		struct digest whole = digest_of(text, sizeof(text));

		for (size_t piece = 1; piece < 70; piece += 17)
			cr_assert(eq(str, digest_of(text, piece).hex, whole.hex));
	}
}
