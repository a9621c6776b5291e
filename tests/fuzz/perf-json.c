/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON event lists: every event of an accepted list has terms, and is found by its name. */
#include <jansson.h>
#include <unistd.h>

#include "fuzz.h"

#include "uncoremsr/names.h"

static int count(void *user, const struct uncoremsr_event *ev)
{
	++*(int *)user;
	return ev == NULL;
}

static void check(struct uncoremsr *um)
{
	const struct uncoremsr_event *ev;

	/* This processor has no tables, so all events are from the lists. */
	for (size_t i = 0; (ev = uncoremsr_event(um, "zen", i)) && i < 64; i++) {
		int found = 0;

		REQUIRE(*ev->name && ev->pmu && *ev->pmu && ev->terms && *ev->terms && strlen(ev->terms) < 256);
		/* A name that looks like a pattern would match further names, or be too long for a pattern. */
		if (!strpbrk(ev->name, "*?["))
			REQUIRE(uncoremsr_event_find(um, "zen", ev->name, count, &found) > 0 && found);
	}
}

/* The library reads simple entries without the JSON library. Still, an accepted file must be JSON, or compressed. */
static bool is_json(const char *text, size_t size)
{
	size_t mark = size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
	json_t *json = json_loadb(text + mark, size - mark, JSON_DISABLE_EOF_CHECK, NULL);

	json_decref(json);
	return json || (size > 1 && !memcmp(text, "\x1f\x8b", 2));
}

static void target(const char *text, size_t size)
{
	struct uncoremsr *um;
	char path[64];
	int num, fd = fuzz_file(text, size);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	REQUIRE(!uncoremsr_new(&um));
	num = uncoremsr_event_list_add(um, path);
	REQUIRE(num == 1 || (num < 0 && *uncoremsr_error(um)->message && uncoremsr_error(um)->error_class != UNCOREMSR_ERROR_NONE));
	REQUIRE(num != 1 || is_json(text, size));
	if (num == 1)
		check(um);
	uncoremsr_free(um);
	close(fd);
}
