/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Flat trees: libfdt checks and parses them. */
#include <errno.h>
#include <libfdt.h>
#include <stdlib.h>

#include "imc/tree.h"

/*
 * The oldest format version that is accepted. Older trees are from before 2005, and POWER9's catalogs are from 2017.
 * libfdt 1.6 crashes if the root of an older tree has no slash in its name.
 */
#define OLDEST_VERSION 16

static int bad(const char *path, const char *why, struct um_error *e)
{
	UM_USAGE(e, "device tree %s: damaged: %s", UM_QUOTED(path), why);
	return um_advise(e, -EINVAL, "compile the file again with dtc, or download it again");
}

static int add_properties(struct um_tree_node *node, const void *blob, int at)
{
	int p;

	fdt_for_each_property_offset(p, blob, at) {
		const char *name;
		int len;
		const void *data = fdt_getprop_by_offset(blob, p, &name, &len);

		if (data && um_tree_set(node, name, data, (size_t)len, false))
			return -ENOMEM;
	}
	return 0;
}

static int add_nodes(struct um_tree *t, const char *path, struct um_error *e)
{
	struct um_tree_node *path_to[UM_TREE_DEPTH] = { NULL };
	int depth = 0;

	for (int at = fdt_next_node(t->blob, -1, &depth); at >= 0;
	     at = fdt_next_node(t->blob, at, &depth)) {
		struct um_tree_node *node;
		const char *name;

		/* fdt_next_node() counts the root as depth 1. */
		if (depth < 1 || depth > UM_TREE_DEPTH)
			return depth < 1 ? 0 : bad(path, "too many levels", e);
		if (t->num_nodes == UM_TREE_NODES)
			return bad(path, "too many nodes", e);
		name = fdt_get_name(t->blob, at, NULL);
		if (!name)
			return bad(path, "a node without a name", e);
		node = um_tree_add(t, depth > 1 ? path_to[depth - 2] : NULL, name);
		if (!node || add_properties(node, t->blob, at))
			return um_no_memory(e);
		path_to[depth - 1] = node;
	}
	return 0;
}

/* libfdt before 1.7 loops forever if the offset plus the length of a property wraps around. */
static bool has_room_for_properties(const char *blob, size_t len)
{
	size_t begin, at = 0, size;

	if (fdt_check_header(blob) || fdt_off_dt_struct(blob) > len)
		return true; /* libfdt will report the error */
	begin = fdt_off_dt_struct(blob);
	for (size_t room = len - begin; at + 8 <= room; at = (at + 3) & ~(size_t)3) {
		uint32_t tag = fdt32_ld((const void *)(blob + begin + at));

		at += 4;
		if (tag == FDT_BEGIN_NODE) {
			at += strnlen(blob + begin + at, room - at) + 1;
		} else if (tag == FDT_PROP) {
			size = fdt32_ld((const void *)(blob + begin + at));
			at += 8;
			if (at > room || size > room - at)
				return false;
			at += size;
		} else if (tag != FDT_END_NODE && tag != FDT_NOP) {
			break;
		}
	}
	return true;
}

int um_tree_flat(struct um_tree **out, void *blob, size_t len, const char *path, struct um_error *e)
{
	struct um_tree *t = um_tree_new();
	int err;

	if (!t) {
		free(blob);
		return um_no_memory(e);
	}
	t->blob = blob;
	if (len < sizeof(struct fdt_header))
		err = -FDT_ERR_TRUNCATED;
	else if (!fdt_check_header(blob) && fdt_version(blob) < OLDEST_VERSION)
		err = -FDT_ERR_BADVERSION;
	else
		err = has_room_for_properties(blob, len) ? fdt_check_full(blob, len) : -FDT_ERR_TRUNCATED;
	err = err ? bad(path, fdt_strerror(err), e) : add_nodes(t, path, e);
	if (!err && !t->root)
		err = bad(path, "no root node", e);
	if (err)
		um_tree_free(t);
	else
		*out = t;
	return err;
}
