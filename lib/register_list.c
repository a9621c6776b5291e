/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tables' registers as a list, one entry per address. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static size_t count_registers(const struct um_uarch *u)
{
	size_t n = 0;

	for (size_t i = 0; i < u->num_regs; i++)
		n += u->regs[i].count;
	return n;
}

/* "%u" in the row's name stands for the index. */
static void expand_name(struct uncoremsr_register *r)
{
	const char *name = r->row->name, *at = strstr(name, "%u");

	if (at)
		snprintf(r->name, sizeof(r->name), "%.*s%u%s", (int)(at - name), name, r->index,
			 at + 2);
	else
		snprintf(r->name, sizeof(r->name), "%s", name);
}

static int by_address(const void *a, const void *b)
{
	const struct uncoremsr_register *x = a, *y = b;
	uint32_t p = x->row->msr + x->index, q = y->row->msr + y->index;

	return (p > q) - (p < q);
}

static int make_list(struct uncoremsr *um, const struct um_uarch *u)
{
	size_t n = 0, num = count_registers(u);
	struct uncoremsr_register *regs = calloc(num, sizeof(*regs));

	if (!regs)
		return -1;
	for (size_t i = 0; i < u->num_regs; i++) {
		for (unsigned k = 0; k < u->regs[i].count; k++, n++) {
			regs[n].row = &u->regs[i];
			regs[n].index = k;
			expand_name(&regs[n]);
		}
	}
	qsort(regs, num, sizeof(*regs), by_address);
	free(um->regs);
	um->regs = regs;
	um->num_regs = num;
	um->regs_of = u;
	return 0;
}

const struct uncoremsr_register *uncoremsr_register(struct uncoremsr *um, const char *uarch,
						     size_t index)
{
	const struct um_uarch *u = uarch ? um_uarch_find(uarch) : NULL;

	if (!uarch)
		u = um->model ? um->model->uarch : NULL;
	if (!u || (um->regs_of != u && make_list(um, u) < 0) || index >= um->num_regs)
		return NULL;
	return &um->regs[index];
}

uint32_t uncoremsr_register_msr(const struct uncoremsr_register *reg)
{
	return reg->row->msr + reg->index;
}

const char *uncoremsr_register_name(const struct uncoremsr_register *reg)
{
	return reg->name;
}

const char *uncoremsr_register_desc(const struct uncoremsr_register *reg)
{
	return reg->row->desc;
}

uint64_t uncoremsr_register_write_mask(const struct uncoremsr_register *reg)
{
	return reg->row->write_mask;
}

const char *uncoremsr_register_access(const struct uncoremsr_register *reg)
{
	static const char *const words[] = {
		[UM_REG_RW] = "read/write", [UM_REG_RO] = "read only", [UM_REG_WO] = "write only",
	};

	return words[reg->row->access];
}

const char *uncoremsr_register_scope(const struct uncoremsr_register *reg)
{
	static const char *const words[] = {
		[UM_SCOPE_PACKAGE] = "package", [UM_SCOPE_DIE] = "die",
		[UM_SCOPE_CORE] = "core", [UM_SCOPE_CPU] = "cpu",
	};

	return words[reg->row->scope];
}

const char *uncoremsr_register_source(const struct uncoremsr_register *reg)
{
	return reg->row->source;
}

const char *uncoremsr_uarch_name(size_t index)
{
	/* Models that share a name stand beside each other or apart: show each name once. */
	for (size_t i = 0; i < um_num_models; i++) {
		size_t before = 0;

		while (strcmp(um_models[before].name, um_models[i].name))
			before++;
		if (before == i && index-- == 0)
			return um_models[i].name;
	}
	return NULL;
}

int uncoremsr_uarch_supported(const char *uarch)
{
	return um_uarch_find(uarch) != NULL;
}
