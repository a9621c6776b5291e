/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Search trees (tsearch(3)) of structs, which tree_get() allocates. tdestroy(tree, free) frees both. */
#ifndef COMMON_TREE_H
#define COMMON_TREE_H

#include <search.h>
#include <stddef.h>

typedef int tree_compare(const void *a, const void *b);

/* The struct of @tree that compares equal to @like; NULL: there is none. */
void *tree_find(void *const *tree, const void *like, tree_compare *compare);
/* The same, but if there is none, a copy of @like (@size bytes) is added. NULL: no memory. */
void *tree_get(void **tree, const void *like, size_t size, tree_compare *compare);

#endif
