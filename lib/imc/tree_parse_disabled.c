/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Refuse device trees in a library built without libfdt (make FDT=no). */
#include <errno.h>
#include <stdlib.h>

#include "imc/tree.h"

int um_tree_parse(struct um_tree **out __attribute__((unused)), char *text,
		  size_t len __attribute__((unused)), const char *path, struct um_error *e)
{
	free(text);
	um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"device tree %s: this library was built without flat device trees", UM_QUOTED(path));
	return um_advise(e, -ENOTSUP, "build the library with libfdt-dev installed (make FDT=yes), or name a tree of "
		"folders");
}
