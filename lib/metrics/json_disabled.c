/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces the files that need the JSON library if built without it (make JSON=no): refuses lists and says why. */
#include <errno.h>

#include "metrics/metrics.h"

int um_list_reader_find(const struct um_list_reader **found, const char *path, struct um_error *e)
{
	*found = NULL;
	um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"event list %s: this library was built without JSON event lists", path);
	return um_advise(e, -ENOTSUP, "build the library with libjansson-dev and zlib1g-dev installed (make JSON=yes)");
}
