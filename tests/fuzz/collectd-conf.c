/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Configuration files in collectd's syntax. An accepted file is a tree of properly nested blocks. */
#include <errno.h>

#include "fuzz.h"

#include "../../tools/agent/conf.h"

static void check(const struct conf *c, unsigned lines)
{
	for (const struct conf_item *item = c->items; item < c->end; item++) {
		REQUIRE(item->key && *item->key && item->line && item->line <= lines);
		REQUIRE(item->end > item && item->end <= c->end);
		REQUIRE(item->block || item->end == item + 1);
		REQUIRE(item->num <= CONF_VALUES && item->values >= c->values);
		for (const struct conf_item *inner = item + 1; inner < item->end; inner++)
			REQUIRE(inner->end <= item->end);
		for (const struct conf_value *v = item->values; v < item->values + item->num; v++) {
			REQUIRE(v->text && strlen(v->text) <= CONF_TEXT && (v->quoted || *v->text));
			REQUIRE(!v->quoted || v->type == CONF_STRING);
		}
	}
}

static void target(const char *text, size_t size)
{
	struct conf c;
	unsigned lines = 1;
	int err = conf_parse(&c, text, size);

	fuzz_parsed();
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	REQUIRE(!err || err == -EINVAL);
	if (err)
		REQUIRE(c.line && c.line <= lines && c.why[0] && memchr(c.why, '\0', sizeof(c.why)));
	else
		check(&c, lines);
	conf_free(&c);
}
