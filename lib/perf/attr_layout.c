/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "perf/attr_layout.h"

#include <string.h>

#include "perf/kernel.h"

static void fill_sampling(struct perf_event_attr *p, const struct um_perf_sampling *from)
{
	p->sample_period = from->period; /* also copies sample_freq, which is in the same union */
	p->freq = from->by_frequency;
	p->sample_type = from->sample_type;
	p->read_format = from->read_format;
	p->sample_id_all = 1;
	p->mmap = p->mmap2 = p->comm = p->comm_exec = p->task = from->tells_tasks;
}

void um_perf_attr_fill(union um_perf_attr_words *a, const struct um_perf_attr *from, unsigned flags)
{
	struct perf_event_attr *p = &a->attr;

	memset(a, 0, sizeof(*a));
	p->type = from->type;
	p->size = from->config[3] ? UM_ATTR_CONFIG3 : from->config[2] ? UM_ATTR_CONFIG2 : UM_ATTR_CONFIG1;
	p->config = from->config[0];
	p->config1 = from->config[1];
	p->config2 = from->config[2];
	memcpy(a->bytes + UM_ATTR_AT_CONFIG3, &from->config[3], sizeof(from->config[3]));
	p->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (flags & UM_PERF_GROUP_READ)
		p->read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	p->disabled = (flags & UM_PERF_DISABLED) != 0;
	p->inherit = (flags & UM_PERF_INHERIT) != 0;
	p->enable_on_exec = (flags & UM_PERF_ENABLE_ON_EXEC) != 0;
	p->exclude_user = from->exclude_user;
	p->exclude_kernel = from->exclude_kernel;
	p->exclude_hv = from->exclude_hv;
	p->exclude_idle = from->exclude_idle;
	p->exclude_host = from->exclude_host;
	p->exclude_guest = from->exclude_guest;
	p->pinned = from->pinned;
	p->exclusive = from->exclusive;
	p->precise_ip = from->precise & 3u;
	if (from->sampling)
		fill_sampling(p, from->sampling);
}
