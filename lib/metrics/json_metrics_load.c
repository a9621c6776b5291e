/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For libuncoremsr.so: json_metrics.c is in libuncoremsr-lists.so, so that only programs with JSON lists load Jansson. */
#include <stddef.h>

#include "common/library.h"
#include "metrics/metrics.h"

static int find_reader(const struct um_metric_reader **found, struct um_error *e)
{
	void *table;
	int err = um_lists_find("um_metric_reader", &table, e);

	*found = table;
	return err;
}

static int read_metrics(const char *path, const char *text, size_t len, struct um_metric_file **out, struct um_error *e)
{
	const struct um_metric_reader *reader;

	*out = NULL;
	return find_reader(&reader, e) ?: reader->read(path, text, len, out, e);
}

static void free_metrics(struct um_metric_file *file)
{
	const struct um_metric_reader *reader;
	struct um_error e;

	if (file && !find_reader(&reader, &e))
		reader->free(file);
}

const struct um_metric_reader um_metric_reader = { read_metrics, free_metrics };
