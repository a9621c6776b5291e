/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampling/mapped_files.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "sampling/build_id.h"
#include "sampling/file_writer.h"

enum { KERNEL_NOTES = 4096 };

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void add_build(struct um_mapped_files *m, const struct uncoremsr_perf_data_build *build)
{
	struct uncoremsr_perf_data_build named = *build;

	named.name = strdup(build->name);
	if (named.name && !ARRAY_APPEND(m->builds, m->num, named)) {
		m->failed |= !tsearch(named.name, &m->names, by_name);
		return;
	}
	free((char *)named.name);
	m->failed = true;
}

void um_mapped_files_add(struct um_mapped_files *m, const char *name)
{
	if (name[0] == '/' && strncmp(name, "//", 2) && !tfind(name, &m->names, by_name))
		add_build(m, &(struct uncoremsr_perf_data_build){ .name = name });
}

static bool find_kernel(struct uncoremsr_perf_data_build *kernel, bool live)
{
	unsigned char notes[KERNEL_NOTES];
	int fd;
	ssize_t n;

	if (!live) {
		memcpy(kernel->id, UM_NO_BUILD_ID, kernel->id_size = strlen(UM_NO_BUILD_ID));
		return true;
	}
	fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, notes, sizeof(notes));
	if (fd >= 0)
		close(fd);
	return n > 0 && um_build_id_of_notes(kernel, notes, (size_t)n, 4);
}

static void keep(void *name)
{
	(void)name;
}

/* Free the tree, but not the names. Call this before a name is freed, because the tree points to the names. */
static void forget_names(struct um_mapped_files *m)
{
	tdestroy(m->names, keep);
	m->names = NULL;
}

int um_mapped_files_read(struct um_mapped_files *m, bool live)
{
	struct uncoremsr_perf_data_build kernel = { .kernel = 1, .name = "[kernel.kallsyms]" };
	size_t kept = 0;

	forget_names(m);
	for (size_t i = 0; i < m->num; i++) {
		struct uncoremsr_perf_data_build build = m->builds[i];

		if (um_build_id_of_file(&build, build.name))
			m->builds[kept++] = build;
		else
			free((char *)build.name);
	}
	m->num = kept;
	if (find_kernel(&kernel, live))
		add_build(m, &kernel);
	return m->failed ? -ENOMEM : 0;
}

void um_mapped_files_free(struct um_mapped_files *m)
{
	forget_names(m);
	for (size_t i = 0; i < m->num; i++)
		free((char *)m->builds[i].name);
	free(m->builds);
	*m = (struct um_mapped_files){ .num = 0 };
}
