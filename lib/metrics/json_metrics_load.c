/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For libuncoremsr.so: load libuncoremsr-lists.so when a list is read, so that other programs do not load Jansson. */
#include "common/library.h"
#include "metrics/metrics.h"

int um_list_reader_find(const struct um_list_reader **found, const char *path, struct um_error *e)
{
	void *table;
	int err;

	(void)path;
	err = um_lists_find("um_list_reader", &table, e);
	*found = table;
	return err;
}
