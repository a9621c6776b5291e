/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files with a device tree; nodes and properties of trees from any source. Numbers in a tree are big-endian. */
#include "imc/tree.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"

struct um_tree *um_tree_new(void)
{
	return calloc(1, sizeof(struct um_tree));
}

void um_tree_free(struct um_tree *t)
{
	struct um_tree_node *node, *before;

	for (node = t ? t->newest : NULL; node; node = before) {
		struct um_tree_property *p = node->properties, *next;

		for (; p; p = next) {
			next = p->next;
			free(p);
		}
		before = node->made_before;
		free(node);
	}
	if (t)
		free(t->blob);
	free(t);
}

struct um_tree_node *um_tree_add(struct um_tree *t, struct um_tree_node *parent, const char *name)
{
	struct um_tree_node *node = t->num_nodes < UM_TREE_NODES ? calloc(1, sizeof(*node)) : NULL;

	if (!node)
		return NULL;
	node->name = name;
	node->parent = parent;
	node->made_before = t->newest;
	t->newest = node;
	t->num_nodes++;
	if (!parent)
		t->root = node;
	else if (parent->last)
		parent->last->next = node;
	else
		parent->first = node;
	if (parent)
		parent->last = node;
	return node;
}

int um_tree_set(struct um_tree_node *node, const char *name, const void *data, size_t len, bool copy)
{
	size_t name_len = strlen(name);
	struct um_tree_property *p = malloc(sizeof(*p) + (copy ? name_len + 1 + len : 0));
	char *own = (char *)(p + 1);

	if (!p)
		return -ENOMEM;
	*p = (struct um_tree_property){ node->properties, name, data, len };
	if (copy) {
		p->name = memcpy(own, name, name_len + 1);
		p->data = len ? memcpy(own + name_len + 1, data, len) : own + name_len + 1;
	}
	node->properties = p;
	if (!strcmp(name, "phandle") || (!strcmp(name, "linux,phandle") && !um_tree_property(node, "phandle")))
		um_tree_cell(node, name, &node->phandle);
	return 0;
}

const struct um_tree_node *um_tree_next(const struct um_tree *t, const struct um_tree_node *node)
{
	if (!node)
		return t->root;
	if (node->first)
		return node->first;
	while (node && !node->next)
		node = node->parent;
	return node ? node->next : NULL;
}

const struct um_tree_node *um_tree_with_phandle(const struct um_tree *t, uint32_t phandle)
{
	const struct um_tree_node *node = phandle ? t->root : NULL;

	while (node && node->phandle != phandle)
		node = um_tree_next(t, node);
	return node;
}

const struct um_tree_property *um_tree_property(const struct um_tree_node *node, const char *name)
{
	const struct um_tree_property *p = node->properties;

	while (p && strcmp(p->name, name) != 0)
		p = p->next;
	return p;
}

const char *um_tree_string(const struct um_tree_node *node, const char *name)
{
	const struct um_tree_property *p = um_tree_property(node, name);

	return p && p->len && memchr(p->data, '\0', p->len) ? p->data : NULL;
}

bool um_tree_cell(const struct um_tree_node *node, const char *name, uint32_t *value)
{
	const struct um_tree_property *p = um_tree_property(node, name);
	uint32_t cell;

	if (!p || p->len < sizeof(cell))
		return false;
	memcpy(&cell, p->data, sizeof(cell));
	*value = be32toh(cell);
	return true;
}

bool um_tree_compatible(const struct um_tree_node *node, const char *text)
{
	const struct um_tree_property *p = um_tree_property(node, "compatible");
	const char *at = p ? p->data : NULL, *end = p ? at + p->len : NULL, *nul;

	for (; at < end && (nul = memchr(at, '\0', (size_t)(end - at))); at = nul + 1)
		if (strcmp(at, text) == 0)
			return true;
	return false;
}

/* ---- files ---- */

static bool ends_with(const char *path, const char *end)
{
	size_t len = strlen(path);

	return len > strlen(end) && strcmp(path + len - strlen(end), end) == 0;
}

/* Look at the first bytes only if the file is a plain one: bytes read from a pipe would be missing later. */
bool um_tree_is_file(const char *path)
{
	static const char source[] = "/dts-v1/";
	char head[sizeof(source) - 1];
	int fd = uncoremsr_file_open(path, UM_TREE_BYTES, UNCOREMSR_FILE_PLAIN);
	ssize_t len = fd >= 0 ? read(fd, head, sizeof(head)) : 0;

	if (fd >= 0)
		close(fd);
	return ends_with(path, ".dtb") || ends_with(path, ".dts") ||
	       (len == sizeof(head) && (um_tree_is_flat(head, sizeof(head)) ||
					memcmp(head, source, sizeof(head)) == 0));
}

int um_tree_file(struct um_tree **out, const char *path, struct um_error *e)
{
	char *text;
	size_t len;
	int err = um_file_read("device tree", path, UM_TREE_BYTES, 0, &text, &len, e);

	return err ? err : um_tree_parse(out, text, len, path, e);
}
