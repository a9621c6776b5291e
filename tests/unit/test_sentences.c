/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Error messages: dots stand for omitted text. Uses internal headers, because the test makes messages of any length. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/error.h"
#include "suite.h"

TEST(a_sentence_that_fits_is_unchanged)
{
	char buf[12];

	um_message(buf, sizeof(buf), "%s %d", "a word", 7);
	ck_assert_str_eq(buf, "a word 7");
	um_message(buf, sizeof(buf), "eleven char");
	ck_assert_str_eq(buf, "eleven char");
	um_message(buf, sizeof(buf), "%s", "");
	ck_assert_str_eq(buf, "");
}

TEST(a_sentence_that_is_too_long_ends_with_dots)
{
	char buf[20];

	um_message(buf, sizeof(buf), "there is no %s here", "elephant");
	ck_assert_str_eq(buf, "there is no ...");
	um_message(buf, sizeof(buf), "%s", "Donaudampfschifffahrt");
	ck_assert_str_eq(buf, "Donaudampfschiff...");
	um_message(buf, sizeof(buf), "sixteen letters. and");
	ck_assert_str_eq(buf, "sixteen letters....");
}

TEST(a_long_word_is_shortened_in_its_middle)
{
	char word[4097], want[200], buf[UM_MESSAGE_SIZE];
	struct um_error e;

	memset(word, 'a', sizeof(word) - 1);
	word[0] = 'b';
	word[sizeof(word) - 2] = 'c';
	word[sizeof(word) - 1] = '\0';
	snprintf(want, sizeof(want), "file 'b%.*s...%.*sc': gone", 118, word + 1, 37, word + 1);
	ck_assert_int_eq(um_fail(&e, -ENOENT, UNCOREMSR_ERROR_USAGE, "file '%s': gone", word), -ENOENT);
	ck_assert_str_eq(e.msg, want);
	um_hint(&e, "file '%s': gone", word);
	ck_assert_str_eq(e.hint, want);
	word[200] = '\0';
	um_message(buf, sizeof(buf), "%s", word);
	ck_assert_str_eq(buf, word);
	/* Long words are shortened before the message is cut, so the end of this message is kept. */
	word[200] = 'a';
	um_message(buf, 190, "%s and %s", word, "more");
	ck_assert_uint_eq(strlen(buf), 163 + strlen(" and more"));
	ck_assert_ptr_nonnull(strstr(buf, "c and more"));
}

/* Number of bytes that are not part of a complete UTF-8 character; @text has only characters of two and three
 * bytes. */
static size_t stray_bytes(const char *text)
{
	size_t stray = 0;

	while (*text) {
		size_t num = (*text & 0x80) == 0 ? 1 : (*text & 0xe0) == 0xc0 ? 2 : 3;

		for (size_t i = 1; i < num; i++)
			num = (text[i] & 0xc0) == 0x80 ? num : 0;
		stray += !num || (*text & 0xc0) == 0x80;
		text += num ? num : 1;
	}
	return stray;
}

TEST(a_cut_is_between_two_characters)
{
	static const char *const characters[] = { "\xc3\xa4", "\xe2\x82\xac" };
	char word[400], buf[UM_MESSAGE_SIZE];

	for (size_t first = 0; first < 6; first++) {
		const char *one = characters[first / 3];
		size_t len = first % 3;

		memset(word, 'x', len);
		for (word[len] = '\0'; len + 3 < sizeof(word); len = strlen(word))
			strcpy(word + len, one);
		um_message(buf, sizeof(buf), "file '%s'", word);
		ck_assert_ptr_nonnull(strstr(buf, "..."));
		ck_assert_msg(stray_bytes(buf) == 0, "%zu: %s", first, buf);
		word[150 - (first < 3 ? (150 - first % 3) % 2 : (150 - first % 3) % 3)] = '\0';
		for (size_t size = 100; size < 104; size++) {
			um_message(buf, size, "%s", word);
			ck_assert_msg(stray_bytes(buf) == 0, "%zu, %zu: %s", first, size, buf);
		}
	}
	/* Text in another encoding may be cut anywhere. */
	memset(word, '\x80', 300);
	word[300] = '\0';
	um_message(buf, sizeof(buf), "%s", word);
	ck_assert_uint_eq(strlen(buf), 163);
}

TEST(a_list_that_is_too_long_ends_with_dots)
{
	char buf[20] = "";

	for (int i = 0; i < 4; i++)
		um_list_add(buf, sizeof(buf), "cpu%d", i);
	ck_assert_str_eq(buf, "cpu0, cpu1, ...");
	um_list_add(buf, sizeof(buf), "x");
	ck_assert_str_eq(buf, "cpu0, cpu1, ...");
	*buf = '\0';
	um_list_add(buf, sizeof(buf), "%s", "longer than the list");
	ck_assert_str_eq(buf, "...");
	*buf = '\0';
	for (int i = 0; i < 3; i++)
		um_list_add(buf, sizeof(buf), "%d", i);
	ck_assert_str_eq(buf, "0, 1, 2");
}

SUITE(sentences)
