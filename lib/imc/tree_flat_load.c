/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For libuncoremsr.so: tree_flat.c is in libuncoremsr-lists.so, so that only programs with flat trees load libfdt. */
#include <stdlib.h>

#include "common/library.h"
#include "imc/tree.h"

typedef int tree_flat_fn(struct um_tree **out, void *blob, size_t len, const char *path, struct um_error *e);

int um_tree_flat(struct um_tree **out, void *blob, size_t len, const char *path, struct um_error *e)
{
	void *flat;
	int err = um_lists_find("um_tree_flat", &flat, e);

	if (err) {
		free(blob);
		return err;
	}
	return ((tree_flat_fn *)flat)(out, blob, len, path, e);
}
