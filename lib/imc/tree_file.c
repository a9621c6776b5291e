/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Recognise and read files with a device tree. */
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "imc/tree.h"

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
