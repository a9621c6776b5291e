/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For libuncoremsr.so: load the parser from libuncoremsr-lists.so, so that other programs do not load libfdt. */
#include <stdlib.h>

#include "common/library.h"
#include "imc/tree.h"

int um_tree_parse(struct um_tree **out, char *text, size_t len, const char *path, struct um_error *e)
{
	void *parse;
	int err = um_lists_find("um_tree_parse", &parse, e);

	if (err) {
		free(text);
		return err;
	}
	return ((__typeof__(um_tree_parse) *)parse)(out, text, len, path, e);
}
