/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Device trees, as far as IMC needs them (Devicetree Specification, chapters 2 and 5): nodes, and properties
 * that are bytes. From a flat tree, from source text, or from folders as in proc/device-tree, where
 * a node is a folder and a property a file.
 *
 * Every byte of a tree may be wrong: what is read is checked, and its size is bounded.
 */
#ifndef UM_IMC_TREE_H
#define UM_IMC_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/access.h"
#include "common/error.h"

enum {
	UM_TREE_BYTES = 16 << 20,  /* of a flat tree; those of servers are below 1 MiB */
	UM_TREE_NODES = 1 << 17,
	UM_TREE_DEPTH = 32,
	UM_TREE_PROPERTY = 1 << 16, /* bytes; longer ones of folders are left out */
};

struct um_tree_property {
	struct um_tree_property *next;
	const char *name;
	const void *data;
	size_t len;
};

struct um_tree_node {
	const char *name;          /* with the unit address: "mcs01@c8"; "" the root */
	struct um_tree_node *parent, *first, *last, *next; /* children, and the next sibling */
	struct um_tree_property *properties;
	struct um_tree_node *made_before; /* all nodes, to free them */
};

struct um_tree {
	struct um_tree_node *root;
	struct um_tree_node *newest;
	size_t num_nodes;
	void *blob;                /* names and properties of a flat tree are in it */
};

/* Is it the file of a tree, by its name or by its first bytes? */
bool um_tree_is_file(const char *path);
/*
 * The file of a tree, flat (.dtb) or its source (.dts), which a child process, dtc, compiles.
 * 0; -ENOENT or another errno of open(2); -EINVAL no such tree, or damaged; -ENOTSUP built without
 * libfdt, or there is no dtc; -ENOMEM.
 */
int um_tree_file(struct um_tree **out, const char *path, struct um_error *e) UM_MUST_CHECK;
/* A folder of @a. 0; -ENOENT, another errno of open(2); -EINVAL too large; -ENOMEM. */
int um_tree_folder(struct um_tree **out, struct um_access *a, const char *path,
		   struct um_error *e) UM_MUST_CHECK;
void um_tree_free(struct um_tree *t);

/* The node behind @node, first children, then siblings; NULL: the root. NULL past the last. */
const struct um_tree_node *um_tree_next(const struct um_tree *t, const struct um_tree_node *node);
/* NULL: there is none of that name. */
const struct um_tree_property *um_tree_property(const struct um_tree_node *node, const char *name);
/* The first string of a property; NULL: there is none, or it has no end. */
const char *um_tree_string(const struct um_tree_node *node, const char *name);
/* 32-bit number @index of a property. False: it is not that long. */
bool um_tree_cell(const struct um_tree_node *node, const char *name, size_t index, uint32_t *value);
/* 64-bit number @index of a property. */
bool um_tree_cell_pair(const struct um_tree_node *node, const char *name, size_t index,
		       uint64_t *value);
/* Is @text one of the strings of "compatible"? */
bool um_tree_compatible(const struct um_tree_node *node, const char *text);

/* ---- for those who make trees ---- */

/* An empty tree; NULL: no memory. */
struct um_tree *um_tree_new(void);
/* A node behind its siblings, its name kept, not copied. NULL: no memory, or too many nodes. */
struct um_tree_node *um_tree_add(struct um_tree *t, struct um_tree_node *parent, const char *name);
/* A property; where @copy, name and data are copied. 0; -ENOMEM. */
int um_tree_set(struct um_tree_node *node, const char *name, const void *data, size_t len,
		bool copy) UM_MUST_CHECK;

/* tree_flat.c, or what stands in for it: the blob is the tree's, or freed. */
int um_tree_flat(struct um_tree **out, void *blob, size_t len, const char *path,
		 struct um_error *e) UM_MUST_CHECK;

#endif
