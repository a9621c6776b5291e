/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading, writing and listing the machine's files: the public functions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/search.h"
#include "sim/sim.h"
#include "sim/trouble.h"

static void search(struct um_sim_search *s)
{
	s->result = -ENOENT;
	um_sim_tick(s->sim);
	um_sim_cpu_files(s);
	um_sim_heat_files(s);
	um_sim_system_files(s);
	um_sim_kernel_files(s);
	um_sim_imc_files(s);
}

long um_sim_file_part(struct uncoremsr_sim *sim, const char *path, size_t at, char *buf, size_t size)
{
	struct um_sim_search s = { .sim = sim, .path = path, .buf = buf, .size = size, .skip = at };

	if (!sim || !path || (!buf && size))
		return -EINVAL;
	search(&s);
	return s.result ? s.result : (long)s.len;
}

long uncoremsr_sim_file_read(struct uncoremsr_sim *sim, const char *path, char *buf, size_t size)
{
	return um_sim_file_part(sim, path, 0, buf, size);
}

int uncoremsr_sim_file_write(struct uncoremsr_sim *sim, const char *path, const char *text, size_t size)
{
	struct um_sim_search s = { .sim = sim, .path = path };
	char copy[64];

	if (!sim || !path || !text)
		return -EINVAL;
	search(&s);
	if (s.result)
		return s.result;
	if (!s.store)
		return -EACCES;
	if (size && text[size - 1] == '\n')
		size--;
	if (!size || size >= sizeof(copy) || memchr(text, '\0', size))
		return -EINVAL;
	memcpy(copy, text, size);
	copy[size] = '\0';
	return s.store(sim, s.cpu, copy);
}

int uncoremsr_sim_file_list(struct uncoremsr_sim *sim, const char *path,
			    int (*fn)(void *user, const char *name, int is_dir), void *user)
{
	struct um_sim_search s = { .sim = sim, .path = path, .list = fn, .user = user };

	if (!sim || !path || !fn)
		return -EINVAL;
	search(&s);
	free(s.seen);
	if (s.result == -EISDIR)
		return s.answer;
	return s.result && s.result != -EACCES ? s.result : -ENOTDIR;
}
