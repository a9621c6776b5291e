/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Built instead of the event lists (make JSON=no): the same symbols, which say so. */
#include <errno.h>
#include <stdlib.h>

#include "events/json_list.h"

#define UNUSED __attribute__((unused))

struct um_json_lists {
	char nothing;
};

int um_json_new(struct um_json_lists **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : -ENOMEM;
}

void um_json_free(struct um_json_lists *l)
{
	free(l);
}

int um_json_add(struct um_json_lists *l UNUSED, const char *path,
		const struct um_identity *id UNUSED, struct um_error *e)
{
	um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"event list %s: this library was built without JSON event lists", path);
	um_hint(e, "build it with libjansson-dev and zlib1g-dev installed (make JSON=yes)");
	return -ENOTSUP;
}

const struct um_json_event *um_json_find(const struct um_json_lists *l UNUSED,
					 const char *name UNUSED, size_t len UNUSED)
{
	return NULL;
}

const struct um_json_event *um_json_find_for(const struct um_json_lists *l UNUSED,
					     const char *name UNUSED, size_t len UNUSED,
					     uint8_t core_type UNUSED)
{
	return NULL;
}

size_t um_json_num(const struct um_json_lists *l UNUSED)
{
	return 0;
}

const struct um_json_event *um_json_event(const struct um_json_lists *l UNUSED,
					  size_t index UNUSED)
{
	return NULL;
}

const char *um_json_file(const struct um_json_lists *l UNUSED, size_t index UNUSED,
			 const char **version UNUSED)
{
	return NULL;
}
