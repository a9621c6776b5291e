/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON event lists: every event of what is accepted becomes terms, and is found under its name. */
#include <jansson.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#include "events/json_list.h"

static void check(const struct um_json_lists *l)
{
	const struct um_json_event *ev;

	for (size_t i = 0; (ev = um_json_event(l, i)) && i < 64; i++) {
		REQUIRE(ev->name && ev->pmu[0] && ev->unit && ev->counters && ev->description);
		REQUIRE(ev->terms[0] && strlen(ev->terms) < 256 && ev->impossible);
		REQUIRE(um_json_find(l, ev->name, strlen(ev->name)));
	}
}

/* Entries are stepped over where that is safe: what is taken is JSON to the JSON library, too. */
static bool is_json(const char *text, size_t size)
{
	size_t mark = size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
	json_t *json = json_loadb(text + mark, size - mark, JSON_DISABLE_EOF_CHECK, NULL);

	json_decref(json);
	return json || (size > 1 && !memcmp(text, "\x1f\x8b", 2));
}

static void target(const char *text, size_t size)
{
	struct um_identity id = { .source = NULL };
	struct um_json_lists *l = NULL;
	struct um_error e = { 0 };
	char path[64];
	int num, fd = memfd_create("list", MFD_CLOEXEC);

	REQUIRE(fd >= 0 && write(fd, text, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	REQUIRE(um_json_new(&l) == 0);
	num = um_json_add(l, path, &id, &e);
	REQUIRE(num == 1 || (num < 0 && e.msg[0] && e.class != UNCOREMSR_ERROR_NONE));
	REQUIRE(num != 1 || is_json(text, size));
	check(l);
	um_json_free(l);
	close(fd);
}
