/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces the files that need the JSON library if built without it (make JSON=no): refuses lists and says why. */
#include <errno.h>

#include "names/json_list_file.h"

#define UNUSED __attribute__((unused))

static int no_json(const char *path, struct um_error *e)
{
	um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"event list %s: this library was built without JSON event lists", path);
	um_hint(e, "build it with libjansson-dev and zlib1g-dev installed (make JSON=yes)");
	return -ENOTSUP;
}

int um_list_files(const char *dir, const struct um_identity *id UNUSED,
		  int (*fn)(void *user, const char *path, uint8_t core_type) UNUSED,
		  void *user UNUSED, struct um_error *e)
{
	return no_json(dir, e);
}

int um_list_core_type(const char *path UNUSED, uint8_t *type, struct um_error *e UNUSED)
{
	*type = 0;
	return 0;
}

int um_list_read(const char *path, char **text UNUSED, size_t *len UNUSED, struct um_error *e)
{
	return no_json(path, e);
}

int um_list_walk(const char *path, const char *text UNUSED, size_t len UNUSED,
		 const struct um_list_taker *taker UNUSED, struct um_error *e)
{
	return no_json(path, e);
}

struct um_json_event *um_list_event(const char *text UNUSED, size_t len UNUSED,
				    const char *name UNUSED, uint8_t core_type UNUSED)
{
	return NULL;
}
