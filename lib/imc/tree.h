/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Device trees, as far as IMC needs them (Devicetree Specification, chapters 2 and 5): nodes, and properties as
 * bytes. Read from a flat tree, from source text, or from folders as in proc/device-tree, where a node is a folder
 * and a property a file.
 *
 * Any byte of a tree may be wrong: everything is checked and sizes are limited.
 */
#ifndef UM_IMC_TREE_H
#define UM_IMC_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "access/access.h"
#include "common/error.h"

enum {
	UM_TREE_BYTES = 16 << 20,  /* size of a flat tree; those of servers are below 1 MiB */
	UM_TREE_NODES = 1 << 17,
	UM_TREE_DEPTH = 32,
	UM_TREE_PROPERTY = 1 << 16, /* size of a property; longer ones in folders are skipped */
};

struct um_tree_property {
	struct um_tree_property *next;
	const char *name;
	const void *data;
	size_t len;
};

struct um_tree_node {
	const char *name;          /* name with the unit address: "mcs01@c8"; "": the root */
	struct um_tree_node *parent, *first, *last, *next; /* first and last child; the next sibling */
	struct um_tree_property *properties;
	uint32_t phandle;          /* property "phandle" or, without it, "linux,phandle"; 0: none */
	struct um_tree_node *made_before; /* links all nodes, for freeing them */
};

struct um_tree {
	struct um_tree_node *root;
	struct um_tree_node *newest;
	size_t num_nodes;
	void *blob;                /* holds the names and properties of a flat tree */
};

/* Devicetree Specification 5.2: the magic number of a header. */
static inline bool um_tree_is_flat(const void *data, size_t len)
{
	static const unsigned char magic[] = { 0xd0, 0x0d, 0xfe, 0xed };

	return len >= sizeof(magic) && memcmp(data, magic, sizeof(magic)) == 0;
}

/* Is the file a device tree, by its name or its first bytes? */
bool um_tree_is_file(const char *path);
/*
 * Read a file: a flat tree (.dtb), or source (.dts) that a child process (dtc) compiles. 0; -ENOENT or another
 * errno of open(2); -EINVAL not a tree, or damaged; -ENOTSUP built without libfdt, or dtc is not installed;
 * -ENOMEM.
 */
int um_tree_file(struct um_tree **out, const char *path, struct um_error *e) UM_MUST_CHECK UM_CROSSES;
/* Read the folder @path below the root of @a. 0; -ENOENT or another errno of open(2); -EINVAL too large; -ENOMEM. */
int um_tree_folder(struct um_tree **out, struct um_access *a, const char *path, struct um_error *e) UM_MUST_CHECK;
void um_tree_free(struct um_tree *t) UM_CROSSES;

/* The node that follows @node, children before siblings; NULL: @node is the last one. For @node NULL: the root. */
const struct um_tree_node *um_tree_next(const struct um_tree *t, const struct um_tree_node *node) UM_CROSSES;
/* The first node with this phandle; NULL: there is none. */
const struct um_tree_node *um_tree_with_phandle(const struct um_tree *t, uint32_t phandle) UM_CROSSES;
const struct um_tree_property *um_tree_property(const struct um_tree_node *node, const char *name) UM_CROSSES;
/* The first string of a property; NULL: there is no property, or no terminating NUL. */
const char *um_tree_string(const struct um_tree_node *node, const char *name) UM_CROSSES;
/* The first 32-bit number of a property. False: the property is too short; *value is unchanged. */
bool um_tree_cell(const struct um_tree_node *node, const char *name, uint32_t *value) UM_CROSSES;
/* Is @text one of the strings of the property "compatible"? */
bool um_tree_compatible(const struct um_tree_node *node, const char *text) UM_CROSSES;

/* ---- for code that builds trees ---- */

struct um_tree *um_tree_new(void) UM_CROSSES;
/* Append a child node; the name is kept, not copied. NULL: no memory, or too many nodes. */
struct um_tree_node *um_tree_add(struct um_tree *t, struct um_tree_node *parent, const char *name) UM_CROSSES;
/* Add a property; @copy: copy name and data. 0; -ENOMEM. */
int um_tree_set(struct um_tree_node *node, const char *name, const void *data, size_t len,
		bool copy) UM_MUST_CHECK UM_CROSSES;

/*
 * Parse a flat tree, or source text by dtc. The text is freed, or the tree owns it. libuncoremsr.so loads the function
 * of tree_parse.c from libuncoremsr-lists.so; a build without libfdt has tree_parse_disabled.c.
 */
int um_tree_parse(struct um_tree **out, char *text, size_t len, const char *path, struct um_error *e) UM_MUST_CHECK
	__attribute__((visibility("default")));
/* Parse a flat tree. The tree owns the blob, which is freed on failure. */
int um_tree_flat(struct um_tree **out, void *blob, size_t len, const char *path, struct um_error *e) UM_MUST_CHECK;

#endif
