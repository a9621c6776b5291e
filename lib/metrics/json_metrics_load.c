/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For libuncoremsr.so: json_metrics.c is in libuncoremsr-lists.so, so only programs with JSON lists load Jansson. */
#include "common/library.h"
#include "metrics/metrics.h"

typedef int file_read_fn(const char *path, const char *text, size_t len, struct um_metric_file **out,
			 struct um_error *e);

int um_metric_file_read(const char *path, const char *text, size_t len, struct um_metric_file **out, struct um_error *e)
{
	void *read;
	int err = um_lists_find("um_metric_file_read", &read, e);

	return err ? err : ((file_read_fn *)read)(path, text, len, out, e);
}
