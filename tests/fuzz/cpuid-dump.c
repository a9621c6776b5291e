/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parser of CPUID dumps, which are the output of "cpuid -r". */
#include "fuzz.h"

#include "access/access.h"

static void look(struct um_cpuid_dump *d)
{
	struct um_error e = { 0 };

	REQUIRE(d->num);
	for (size_t i = 0; i < d->num; i++) {
		const struct um_cpuid_leaf *l = &d->leaves[i];

		REQUIRE(um_cpuid_dump_find(d, l->cpu, l->leaf, l->subleaf) == l);
	}
	if (um_cpuid_dump_check(d, "dump", &e) < 0)
		REQUIRE(strncmp(e.msg, "dump:", 5) == 0);
}

static void target(const char *text, size_t size)
{
	struct um_cpuid_dump d;
	struct um_error e = { 0 };
	int err = um_cpuid_dump_parse(&d, "dump", text, size, &e);

	if (err)
		/* The message must begin with file and line, and have no line break. */
		REQUIRE(strncmp(e.msg, "dump:", 5) == 0 && e.msg[5] >= '1' && e.msg[5] <= '9' &&
			!strchr(e.msg, '\n'));
	else
		look(&d);
	um_cpuid_dump_free(&d);
}
