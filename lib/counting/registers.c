/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finding a register's row in the tables of this machine; reading and writing registers, and the trace of both. */
#include "counting/registers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "uarch/thermal.h"

/* Many processors without an uncore table have throttling registers. In a guest they belong to the hypervisor. */
static const struct um_reg *find_thermal(const struct um_machine *m, uint32_t msr)
{
	const struct um_identity *id = &m->id;
	const struct um_thermal_model *model = NULL;
	const struct um_thermal_reg *row = NULL;

	if (id->source && id->hypervisor != 1)
		model = um_thermal_find(id->vendor, id->family, id->model);
	if (model)
		row = um_thermal_reg_at(model, msr);
	return row ? &row->reg : NULL;
}

const struct um_reg *um_reg_row(const struct um_machine *m, uint32_t msr)
{
	const struct um_reg *row = m->uarch ? um_reg_find(m->uarch, msr) : NULL;

	if (!row && m->have_core)
		row = um_reg_find(&um_core_registers, msr);
	return row ? row : find_thermal(m, msr);
}

const char *um_reg_text(const struct um_machine *m, uint32_t msr, char *buf, size_t size)
{
	bool core = m->have_core && !(m->uarch && um_reg_find(m->uarch, msr));
	const struct um_reg *thermal = find_thermal(m, msr);

	if (!thermal)
		return um_reg_format(core || !m->uarch ? &um_core_registers : m->uarch, msr, buf, size);
	snprintf(buf, size, "%s (0x%x)", thermal->name, msr);
	return buf;
}

/* Append the fields that are not 0, one-bit fields by name alone: " [event=0x82 umask=0x1 en]". */
static void append_fields(char *line, size_t size, const struct um_reg *reg, uint64_t value)
{
	size_t len = strlen(line), begin = len;

	for (const struct um_field *f = reg ? um_reg_fields(reg) : NULL; f && *f->name && len < size; f++) {
		char number[24] = "";
		uint64_t v;

		if (f->width >= 48) /* a field this wide is the counter itself */
			continue;
		v = value >> f->shift & ((UINT64_C(1) << f->width) - 1);
		if (f->width > 1)
			snprintf(number, sizeof(number), "=0x%" PRIx64, v);
		if (v)
			len += (size_t)snprintf(line + len, size - len, "%s%s%s", len == begin ? " [" : " ",
						f->name, number);
	}
	if (len > begin && len < size)
		snprintf(line + len, size - len, "]");
}

struct um_traced {
	struct seen { unsigned cpu; uint32_t msr; uint64_t value; } *all;
	size_t num;
};

struct um_traced *um_traced_new(void)
{
	return calloc(1, sizeof(struct um_traced));
}

void um_traced_free(struct um_traced *t)
{
	if (t)
		free(t->all);
	free(t);
}

static struct seen *last_seen(struct um_traced *t, unsigned cpu, uint32_t msr)
{
	for (size_t i = 0; t && i < t->num; i++)
		if (t->all[i].cpu == cpu && t->all[i].msr == msr)
			return &t->all[i];
	return NULL;
}

static void remember(const struct um_machine *m, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct um_traced *t = m->traced;
	struct seen *seen = last_seen(t, cpu, msr);

	if (seen)
		seen->value = value;
	else if (t && ARRAY_APPEND(t->all, t->num, (struct seen){ cpu, msr, value }))
		m->access->starved = ENOMEM; /* later writes are then traced without the old value */
}

/* Trace "cpu 0 write NAME (0x3c0) 0x0 -> 0x420182 [EVENT=0x82 EN]". Does not read the register. */
static void trace(const struct um_machine *m, bool write, unsigned cpu, uint32_t msr, int err, uint64_t value)
{
	const struct seen *seen = last_seen(m->traced, cpu, msr);
	char line[384], old[24] = "", holds[24] = "";

	if (write && seen)
		snprintf(old, sizeof(old), " 0x%" PRIx64, seen->value);
	if (write || !err)
		snprintf(holds, sizeof(holds), " %s 0x%" PRIx64, write ? "->" : "=", value);
	if (m->trace_style == UNCOREMSR_TRACE_TEXT)
		snprintf(line, sizeof(line), "cpu %u %s %s%s%s%s%s", cpu, write ? "write" : "read ",
			 UM_REG_TEXT(m, msr), old, holds, err ? ": " : "",
			 err ? strerror(-err) : "");
	else if (write)
		snprintf(line, sizeof(line), "wrmsr -p %u 0x%x 0x%" PRIx64, cpu, msr, value);
	else
		snprintf(line, sizeof(line), "rdmsr -p %u 0x%x", cpu, msr);
	if (m->trace_style == UNCOREMSR_TRACE_TEXT && !err)
		append_fields(line, sizeof(line), um_reg_row(m, msr), value);
	if (!err)
		remember(m, cpu, msr, value);
	m->trace(m->trace_user, line);
}

int um_reg_open(const struct um_machine *m, unsigned cpu, bool for_writing, struct um_error *e)
{
	int err = um_access_open_cpu(m->access, cpu, for_writing);

	return err ? um_driver_explain(m->access, UM_STEP_OPEN, cpu, NULL, err, e) : 0;
}

int um_reg_read(const struct um_machine *m, unsigned cpu, uint32_t msr, uint64_t *value, struct um_error *e)
{
	int err = m->access->ops->read(m->access, cpu, msr, value);

	if (m->trace_style != UNCOREMSR_TRACE_NONE)
		trace(m, false, cpu, msr, err, *value);
	return err ? um_driver_explain(m->access, UM_STEP_READ, cpu, UM_REG_TEXT(m, msr), err, e) : 0;
}

static int not_claimed(const struct um_machine *m, uint32_t msr, uint64_t mask, struct um_error *e)
{
	return um_fail(e, -EPERM, UNCOREMSR_ERROR_UNSUPPORTED,
		       "writing %s: refused, the tables of %s do not list the bits 0x%" PRIx64,
		       UM_REG_TEXT(m, msr), m->uarch ? m->uarch->name : "this processor", mask);
}

uint64_t um_reg_unclaimed(const struct um_reg *row, uint64_t mask, uint64_t value)
{
	if (!row)
		return mask | value;
	if (mask == UM_WHOLE)
		mask = row->valid;
	return (mask & ~row->write_mask) | (value & ~mask);
}

int um_reg_write(const struct um_machine *m, unsigned cpu, uint32_t msr, uint64_t mask, uint64_t value,
		 struct um_error *e)
{
	const struct um_reg *reg = um_reg_row(m, msr);
	bool whole = mask == UM_WHOLE;
	bool clears = reg && (reg->access == UM_REG_WO || reg->access == UM_REG_W1C);
	uint64_t old = 0, unclaimed = um_reg_unclaimed(reg, mask, value);
	int err = 0;

	if (!reg || unclaimed)
		return not_claimed(m, msr, unclaimed, e);
	if (whole)
		mask = reg->valid;
	if (!whole && !clears)
		err = um_reg_read(m, cpu, msr, &old, e);
	if (err)
		return err;
	value |= old & ~mask;
	err = m->access->ops->write(m->access, cpu, msr, value);
	if (m->trace_style != UNCOREMSR_TRACE_NONE)
		trace(m, true, cpu, msr, err, value);
	return err ? um_driver_explain(m->access, UM_STEP_WRITE, cpu, UM_REG_TEXT(m, msr), err, e) : 0;
}

const struct um_register_ops um_register_ops = {
	.open = um_reg_open, .read = um_reg_read, .write = um_reg_write,
};
