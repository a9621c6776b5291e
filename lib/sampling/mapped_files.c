/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampling/mapped_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "sampling/build_id.h"
#include "sampling/record.h"

enum { ROOM = 1 << 20, KERNEL_NOTES = 4096 };

static const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

static int add(struct um_mapped_files *m, const struct uncoremsr_perf_data_build *build, const char *name)
{
	struct uncoremsr_perf_data_build named = *build;

	named.name = strdup(name);
	if (named.name && !ARRAY_APPEND(m->builds, m->num, named))
		return 0;
	free((char *)named.name);
	return -ENOMEM;
}

/* Remember files without a build id too, so that each is opened only once. */
static int add_file(struct um_mapped_files *m, const char *name)
{
	struct uncoremsr_perf_data_build build = { .id_size = 0 };

	if (name[0] != '/' || !strncmp(name, "//", 2))
		return 0;
	for (size_t i = m->num; i-- > 0;)
		if (!strcmp(m->builds[i].name, name))
			return 0;
	if (!um_build_id_of_file(&build, name))
		build.id_size = 0;
	return add(m, &build, name);
}

static int add_kernel(struct um_mapped_files *m, const struct uncoremsr_sampling *s)
{
	struct uncoremsr_perf_data_build build = { .kernel = 1 };
	unsigned char notes[KERNEL_NOTES];
	int fd;
	ssize_t n;

	if (!s->um->m.access->live) {
		memcpy(build.id, UM_NO_BUILD_ID, build.id_size = strlen(UM_NO_BUILD_ID));
		return add(m, &build, "[kernel.kallsyms]");
	}
	fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, notes, sizeof(notes));
	if (fd >= 0)
		close(fd);
	return n > 0 && um_build_id_of_notes(&build, notes, (size_t)n, 4)
		       ? add(m, &build, "[kernel.kallsyms]") : 0;
}

/* Note the files of the MMAP records in @bytes; *used becomes the size of all whole records. */
static int look(struct um_mapped_files *m, const unsigned char *bytes, size_t len,
		const struct um_perf_layout *layout, struct um_bytes *copy, size_t *used)
{
	struct uncoremsr_record r;
	struct um_perf_head head;
	int err = 0;

	for (*used = 0; !err && um_perf_record_head(bytes + *used, len - *used, big, &head); *used += head.size) {
		if (head.type != PERF_RECORD_MMAP2)
			continue;
		copy->len = 0;
		um_bytes_put(copy, bytes + *used, head.size);
		um_bytes_put(copy, NULL, 8);
		if (copy->failed)
			return -ENOMEM;
		if (!um_perf_record_parse(copy->at, layout, &r, NULL) && r.name)
			err = add_file(m, r.name);
	}
	return err;
}

static int look_at_data(struct um_mapped_files *m, const struct uncoremsr_sampling *s, int fd)
{
	struct um_perf_layout layout = { .sample_type = s->first.sample_type,
					 .read_format = s->first.read_format, .id_all = true, .big = big };
	uint64_t at = s->file.data_offset, end = at + s->file.data_size;
	unsigned char *room = malloc(ROOM);
	struct um_bytes copy = { .len = 0 };
	int err = room ? 0 : -ENOMEM;

	while (!err && at < end) {
		ssize_t n = pread(fd, room, end - at < ROOM ? end - at : ROOM, (off_t)at);
		size_t used = 0;

		if (n > 0)
			err = look(m, room, (size_t)n, &layout, &copy, &used);
		if (!used)
			break;
		at += used;
	}
	um_bytes_free(&copy);
	free(room);
	return err;
}

int um_mapped_files_read(struct um_mapped_files *m, const struct uncoremsr_sampling *s)
{
	size_t kept = 0;
	int err = add_kernel(m, s);

	if (!err)
		err = look_at_data(m, s, s->file.fd);
	for (size_t i = 0; i < m->num; i++) {
		if (m->builds[i].id_size)
			m->builds[kept++] = m->builds[i];
		else
			free((char *)m->builds[i].name);
	}
	m->num = kept;
	return err;
}

void um_mapped_files_free(struct um_mapped_files *m)
{
	for (size_t i = 0; i < m->num; i++)
		free((char *)m->builds[i].name);
	free(m->builds);
}
