/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Flat device trees: every event of an accepted tree has a name and a unit, and is found by its name. */
#include <stdlib.h>

#include "fuzz.h"

#include "imc/catalog.h"

static void check(const struct um_imc_catalog *c)
{
	REQUIRE(c->num_units <= UM_IMC_UNITS && c->num_events && c->num_events <= UM_IMC_EVENTS);
	for (size_t i = 0; i < c->num_events; i++) {
		const struct um_imc_event *ev = &c->events[i];
		const struct um_imc_unit *unit;

		REQUIRE(ev->unit < c->num_units && strlen(ev->name) < UM_IMC_NAME);
		unit = &c->units[ev->unit];
		REQUIRE(um_imc_level_name(unit->level));
		REQUIRE(um_imc_unit_is(unit, unit->pmu, strlen(unit->pmu)));
	}
}

static void target(const char *text, size_t size)
{
	struct um_error e = { 0 };
	struct um_imc_catalog *c;
	struct um_tree *tree;
	char *blob = malloc(size + 1);

	REQUIRE(blob);
	memcpy(blob, text, size);
	if (um_tree_parse(&tree, blob, size, "fuzz.dtb", &e)) {
		REQUIRE(e.msg[0]);
		return;
	}
	if (um_imc_catalog_make(&c, tree, "fuzz.dtb", &e)) {
		REQUIRE(e.msg[0]);
		return;
	}
	check(c);
	um_imc_catalog_free(c);
}
