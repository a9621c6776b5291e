/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Trees of folders: proc/device-tree and copies of it. Nodes are sorted by name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "imc/tree.h"

struct folder {
	struct um_tree *tree;
	struct um_access *access;
	char *buf;
	char path[4096];
};

struct names {
	char **at;
	size_t num;
};

static int keep_name(void *user, const char *name)
{
	struct names *n = user;
	char *copy;

	if (name[0] == '.')
		return 0;
	if (n->num >= UM_TREE_NODES)
		return -EINVAL;
	copy = strdup(name);
	if (copy && !ARRAY_APPEND(n->at, n->num, copy))
		return 0;
	free(copy);
	return -ENOMEM;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_folder(struct folder *f, struct um_tree_node *node, unsigned depth);

/* Add an entry: a file is a property, a folder is a node. The file "name" only repeats the folder's name. */
static int add_entry(struct folder *f, struct um_tree_node *node, const char *name, unsigned depth)
{
	ssize_t len = f->access->ops->read_text(f->access, f->path, f->buf, UM_TREE_PROPERTY + 2);
	struct um_tree_node *child;
	int err;

	if (len == -ENOMEM || um_lacks_permission((int)len))
		return (int)len;
	if (len > UM_TREE_PROPERTY)
		return 0;
	if (len >= 0)
		return um_tree_set(node, name, f->buf, (size_t)len, true);
	if (len != -EISDIR)
		return 0;
	if (depth == UM_TREE_DEPTH || f->tree->num_nodes == UM_TREE_NODES)
		return -EINVAL;
	child = um_tree_add(f->tree, node, "");
	/* Store the name as a property, so that it is freed with the node. */
	err = child ? um_tree_set(child, "name", name, strlen(name) + 1, true) : -ENOMEM;
	if (err)
		return err;
	child->name = child->properties->data;
	return add_folder(f, child, depth + 1);
}

static int add_folder(struct folder *f, struct um_tree_node *node, unsigned depth)
{
	struct names n = { NULL, 0 };
	size_t len = strlen(f->path);
	int err = f->access->ops->list(f->access, f->path, keep_name, &n);

	if (n.num)
		qsort(n.at, n.num, sizeof(*n.at), by_name);
	for (size_t i = 0; i < n.num && !err; i++) {
		if (strcmp(n.at[i], "name") == 0)
			continue;
		if ((size_t)snprintf(f->path + len, sizeof(f->path) - len, "%s%s", len ? "/" : "",
				     n.at[i]) >= sizeof(f->path) - len)
			err = -EINVAL;
		else
			err = add_entry(f, node, n.at[i], depth);
		f->path[len] = '\0';
	}
	for (size_t i = 0; i < n.num; i++)
		free(n.at[i]);
	free(n.at);
	return err;
}

static int explain(const struct folder *f, int err, struct um_error *e)
{
	const char *root = f->access->root;

	if (err == -ENOMEM)
		return um_no_memory(e);
	if (err == -EINVAL)
		return um_fail(e, err, UNCOREMSR_ERROR_USAGE, "device tree %s/%s: too many folders, or folders "
				"nested too deep", UM_QUOTED(root), f->path);
	return um_fail(e, err, UNCOREMSR_ERROR_ACCESS, "device tree %s/%s: %s", UM_QUOTED(root), f->path,
		       strerror(-err));
}

int um_tree_folder(struct um_tree **out, struct um_access *a, const char *path, struct um_error *e)
{
	struct folder f = { um_tree_new(), a, malloc(UM_TREE_PROPERTY + 2), "" };
	struct um_tree_node *root = f.tree && f.buf ? um_tree_add(f.tree, NULL, "") : NULL;
	int err = root ? 0 : -ENOMEM;

	snprintf(f.path, sizeof(f.path), "%s", path);
	if (!err)
		err = add_folder(&f, root, 1);
	if (err)
		err = explain(&f, err, e);
	free(f.buf);
	if (err)
		um_tree_free(f.tree);
	else
		*out = f.tree;
	return err;
}
