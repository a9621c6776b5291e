/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/tree.h"

#include <stdlib.h>
#include <string.h>

void *tree_find(void *const *tree, const void *like, tree_compare *compare)
{
	void *const *found = tfind(like, tree, compare);

	return found ? *found : NULL;
}

void *tree_get(void **tree, const void *like, size_t size, tree_compare *compare)
{
	void *one = tree_find(tree, like, compare);

	if (one)
		return one;
	one = malloc(size);
	if (!one)
		return NULL;
	memcpy(one, like, size);
	if (tsearch(one, tree, compare))
		return one;
	free(one);
	return NULL;
}
