/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CPU lists. An accepted list must remain the same when it is formatted and parsed again. */
#include "fuzz.h"

#include "machine/machine.h"

static void check(const struct um_cpuset *set)
{
	struct um_cpuset again;
	char *text = um_cpuset_format(set);

	REQUIRE(text && um_cpuset_parse(&again, text, NULL) == 0 && again.num == set->num);
	for (size_t i = 0; i < set->num; i++) {
		REQUIRE(!i || set->cpus[i] > set->cpus[i - 1]);
		REQUIRE(set->cpus[i] == again.cpus[i]);
	}
	um_cpuset_free(&again);
	free(text);
}

static void target(const char *text, size_t size)
{
	struct um_cpuset set;
	const char *bad = NULL;
	int err = um_cpuset_parse(&set, text, &bad);

	fuzz_parsed();
	if (err < 0)
		REQUIRE(!set.cpus && !set.num && bad >= text && bad <= text + size);
	else
		check(&set);
	um_cpuset_free(&set);
}
