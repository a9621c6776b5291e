/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of lease files. */
#include <stdio.h>
#include <string.h>

#include "counting/lease.h"

static const char *const kind_words[] = {
	[UM_LEASE_COUNTER] = "counter", [UM_LEASE_EXTRA] = "extra", [UM_LEASE_GATE] = "gate",
};

void um_lease_name(const struct um_lease_id *id, char *buf, size_t size)
{
	/* Sessions from before there were units know this name. */
	bool plain = id->kind == UM_LEASE_COUNTER && !strcmp(id->unit, "uncore");
	char die[24] = "", number[16];

	if (id->die >= 0)
		snprintf(die, sizeof(die), "-die%d", id->die);
	snprintf(number, sizeof(number), id->kind == UM_LEASE_COUNTER ? "%u" : "%x", id->number);
	snprintf(buf, size, "package%d%s%s%s-%s%s", id->package, die,
		 plain || !id->unit[0] ? "" : "-", plain ? "" : id->unit, kind_words[id->kind],
		 number);
}

/* "counter2", "extra0", "gatee01" */
static bool parse_kind(const char *text, struct um_lease_id *id)
{
	for (size_t kind = 0; kind < ARRAY_SIZE(kind_words); kind++) {
		size_t len = strlen(kind_words[kind]);

		if (strncmp(text, kind_words[kind], len))
			continue;
		id->kind = (enum um_lease_kind)kind;
		return sscanf(text + len, kind == UM_LEASE_COUNTER ? "%3u" : "%8x",
			      &id->number) == 1;
	}
	return false;
}

bool um_lease_parse_name(const char *name, struct um_lease_id *id)
{
	const char *last = strrchr(name, '-'), *unit;
	char again[96];
	int used = 0;

	*id = (struct um_lease_id){ .die = -1 };
	if (!last || sscanf(name, "package%9d%n", &id->package, &used) != 1 ||
	    !parse_kind(last + 1, id))
		return false;
	unit = name + used;
	used = 0;
	if (sscanf(unit, "-die%9d%n", &id->die, &used) == 1)
		unit += used;
	if (unit > last || (size_t)(last - unit) > sizeof(id->unit))
		return false;
	if (unit < last)
		memcpy(id->unit, unit + 1, (size_t)(last - unit - 1));
	else if (id->kind == UM_LEASE_COUNTER)
		strcpy(id->unit, "uncore");
	um_lease_name(id, again, sizeof(again));
	return !strcmp(name, again);
}
