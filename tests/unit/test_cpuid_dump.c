/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parser of CPUID dumps. Uses internal headers, because parsing a dump opens no machine. */
#include <errno.h>
#include <string.h>

#include "helpers.h"
#include "access/access.h"
#include "suite.h"

#define LEAF_0(max) "   0x00000000 0x00: eax=0x000000" max " ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n"
#define LEAF_1 "   0x00000001 0x00: eax=0x000306a9 ebx=0x00100800 ecx=0x7fbae3ff edx=0xbfebfbff\n"
#define LEAF_A "   0x0000000a 0x00: eax=0x07300403 ebx=0x00000000 ecx=0x00000000 edx=0x00000603\n"
#define ONE_CPU "CPU 0:\n" LEAF_0("0d") LEAF_1 LEAF_A

static int parse(const char *text, size_t len, struct um_error *e)
{
	struct um_cpuid_dump d;
	int err = um_cpuid_dump_parse(&d, "F", text, len, e);

	if (err)
		ck_assert_ptr_null(d.leaves);
	else
		err = um_cpuid_dump_check(&d, "F", e);
	um_cpuid_dump_free(&d);
	return err;
}

TEST(a_dump_is_read_with_or_without_numbers_blank_lines_and_carriage_returns)
{
	static const char *const good[] = {
		ONE_CPU, "CPU:\n" LEAF_0("0d") LEAF_1 LEAF_A "\n\n", "CPU 7:\n" LEAF_1 LEAF_A LEAF_0("0d") ONE_CPU,
		"CPU 0:\r\n   0x0 0x0: eax=0x1 ebx=0x756e6547 ecx=0x0 edx=0x0 \r\n" LEAF_1,
		ONE_CPU "   0xc0000000 0x00: eax=0xc0000004 ebx=0x00000000 ecx=0x00000000 edx=0x00000000\n",
	};
	struct um_error e = { .msg = "" };

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		ck_assert_msg(parse(good[i], strlen(good[i]), &e) == 0, "%zu: %s", i, e.msg);
}

static const struct { const char *text, *where, *why; } damaged[] = {
	{ "CPU 0:\n", "F:1: ", "no CPUID leaf" },
	{ LEAF_0("0d"), "F:1: ", "not a line" },
	{ "CPU 0:\nCPU 1:\n" LEAF_0("0d"), "F:1: ", "has no leaf" },
	{ "CPU 0:\n" LEAF_0("0d") LEAF_1 LEAF_A "CPU 1:\n\n", "F:5: ", "has no leaf" },
	{ "CPU 0:\n" LEAF_1, "F:2: ", "without leaf 0x0" },
	{ ONE_CPU "CPU 1:\n" LEAF_0("0d") LEAF_1, "F:7: ", "CPU 1 ends here without leaf 0xa" },
	{ ONE_CPU "CPU 0:\n" LEAF_0("0d"), "F:6: ", "already in line 2" },
	{ "CPU 99999:\n" LEAF_0("0d"), "F:1: ", "CPU 99999" },
	{ "CPU -1:\n" LEAF_0("0d"), "F:1: ", "CPU -1" },
	{ "CPU 0 :\n" LEAF_0("0d"), "F:1: ", "not a line" },
	{ ONE_CPU "CPU:\n" LEAF_0("0d"), "F:5: ", "not a line" },
	{ ONE_CPU "a\tb\r\n", "F:5: ", "not a line" },
	{ ONE_CPU "a\x7f\n", "F:5: ", "binary data" },
	{ "CPU 0:\n   0x0 0x00: eax=0x-1 ebx=0x0 ecx=0x0 edx=0x0\n", "F:2: ", "0x-1" },
	{ "CPU 0:\n   0x0 0x00: eax=0x100000000 ebx=0x0 ecx=0x0 edx=0x0\n", "F:2: ", "0x100000000" },
	{ "CPU 0:\n   0x0 0x00: eax=0x ebx=0x0 ecx=0x0 edx=0x0\n", "F:2: ", "eax=0x " },
	{ "CPU 0:\n   0x0 0x00: eax=0x1 ebx=0x0 ecx=0x0 edx=0x0 x\n", "F:2: ", "not a line" },
	{ "CPU 0:\n   0x0 0x00: eax=0x1 ebx=0x0 ecx=0x0\n", "F:2: ", "not a line" },
	{ "CPU 0:\n   0x0 0x0: eax=0x0 ebx=0x0 ecx=0x0 edx=0x0\n" LEAF_1, "F:2: ", "impossible leaf 0" },
	{ "CPU 0:\n   0x0 0x0: eax=0xffffffff ebx=0x756e6547 ecx=0x0 edx=0x0\n" LEAF_1, "F:2: ", "impossible leaf 0" },
	{ "CPU 0:\n   0x0 0x0: eax=0xd ebx=0x0 ecx=0x0 edx=0x0\n" LEAF_1, "F:2: ", "impossible leaf 0" },
	{ "CPU 0:\n" LEAF_0("0d") LEAF_1 "   0xa 0x0: eax=0x07410403 ebx=0x0 ecx=0x0 edx=0x603\n", "F:4: ", "of 65 bits" },
	{ "CPU 0:\n" LEAF_0("0d") LEAF_1 "   0xa 0x0: eax=0x21300403 ebx=0x0 ecx=0x0 edx=0x603\n", "F:4: ", "33 events" },
	{ "CPU 0:\n" LEAF_0("0d") LEAF_1 "   0xa 0x0: eax=0x07300403 ebx=0x0 ecx=0x0 edx=0x823\n", "F:4: ", "of 65 bits" },
};

TEST_EACH(a_damaged_dump_is_refused_with_its_line_and_the_reason, ARRAY_SIZE(damaged))
{
	struct um_error e = { .msg = "" };
	const char *text = damaged[_i].text;

	ck_assert_int_eq(parse(text, strlen(text), &e), -EINVAL);
	ck_assert_msg(strncmp(e.msg, damaged[_i].where, strlen(damaged[_i].where)) == 0, "%s", e.msg);
	ck_assert_msg(strstr(e.msg, damaged[_i].why) != NULL, "%s", e.msg);
	ck_assert_int_eq(e.class, UNCOREMSR_ERROR_USAGE);
}

SUITE(cpuid_dump)
