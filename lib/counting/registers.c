/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows of the tables for this machine; reading, writing, and telling both to who traces. */
#include "counting/registers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "uarch/thermal.h"

/*
 * Registers about throttling are there on many processors whose uncore is in no table. A guest's
 * are the hypervisor's.
 */
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
	const struct um_reg *row = m->uarch ? um_reg_find(m->uarch, msr, NULL) : NULL;

	if (!row && m->have_core)
		row = um_reg_find(&um_core_registers, msr, NULL);
	return row ? row : find_thermal(m, msr);
}

const char *um_reg_text(const struct um_machine *m, uint32_t msr, char *buf, size_t size)
{
	bool core = m->have_core && !(m->uarch && um_reg_find(m->uarch, msr, NULL));
	const struct um_reg *thermal = find_thermal(m, msr);

	if (!thermal)
		return um_reg_format(core || !m->uarch ? &um_core_registers : m->uarch, msr, buf,
				     size);
	snprintf(buf, size, "%s (0x%x)", thermal->name, msr);
	return buf;
}

/* ---- the trace ---- */

/* " [event=0x82 umask=0x1 en]": fields that are not 0; one-bit fields by name alone. */
static void append_fields(char *line, size_t size, const struct um_reg *reg, uint64_t value)
{
	size_t len = strlen(line), begin = len;

	for (size_t i = 0; reg && i < reg->num_fields && len < size; i++) {
		const struct um_field *f = &reg->fields[i];
		uint64_t v = value >> f->shift & (f->width < 64 ? (UINT64_C(1) << f->width) - 1 : UINT64_MAX);
		const char *sep = len == begin ? " [" : " ";

		if (!v || f->width >= 48)
			continue;
		if (f->width == 1)
			len += (size_t)snprintf(line + len, size - len, "%s%s", sep, f->name);
		else
			len += (size_t)snprintf(line + len, size - len, "%s%s=0x%" PRIx64, sep, f->name, v);
	}
	if (len > begin && len < size)
		snprintf(line + len, size - len, "]");
}

/* @old: NULL for a read. */
static void trace(const struct um_machine *m, unsigned cpu, uint32_t msr, int err,
		  const uint64_t *old, uint64_t value)
{
	char line[384], name[96], holds[48] = "";

	if (m->trace_style == UNCOREMSR_TRACE_NONE)
		return;
	um_reg_text(m, msr, name, sizeof(name));
	if (old)
		snprintf(holds, sizeof(holds), " 0x%" PRIx64 " -> 0x%" PRIx64, *old, value);
	else if (!err)
		snprintf(holds, sizeof(holds), " = 0x%" PRIx64, value);
	if (m->trace_style == UNCOREMSR_TRACE_TEXT)
		snprintf(line, sizeof(line), "cpu %u %s %s%s%s%s", cpu, old ? "write" : "read ", name,
			 holds, err ? ": " : "", err ? strerror(-err) : "");
	else if (old)
		snprintf(line, sizeof(line), "wrmsr -p %u 0x%x 0x%" PRIx64, cpu, msr, value);
	else
		snprintf(line, sizeof(line), "rdmsr -p %u 0x%x", cpu, msr);
	if (m->trace_style == UNCOREMSR_TRACE_TEXT && !err)
		append_fields(line, sizeof(line), um_reg_row(m, msr), value);
	m->trace(m->trace_user, line);
}

/* ---- reading and writing ---- */

int um_reg_open(const struct um_machine *m, unsigned cpu, bool for_writing, struct um_error *e)
{
	int err = m->access->ops->open_cpu(m->access, cpu, for_writing);

	return err ? um_access_explain(m->access, UM_STEP_OPEN, cpu, NULL, err, e) : 0;
}

static int explain(const struct um_machine *m, enum um_access_step step, unsigned cpu, uint32_t msr,
		   int err, struct um_error *e)
{
	char what[96];

	um_reg_text(m, msr, what, sizeof(what));
	return um_access_explain(m->access, step, cpu, what, err, e);
}

int um_reg_read(const struct um_machine *m, unsigned cpu, uint32_t msr, uint64_t *value,
		struct um_error *e)
{
	int err = m->access->ops->read(m->access, cpu, msr, value);

	trace(m, cpu, msr, err, NULL, *value);
	return err ? explain(m, UM_STEP_READ, cpu, msr, err, e) : 0;
}

static int not_claimed(const struct um_machine *m, uint32_t msr, uint64_t mask, struct um_error *e)
{
	char what[96];

	return um_fail(e, -EPERM, UNCOREMSR_ERROR_UNSUPPORTED,
		       "writing %s: refused, the tables of %s do not claim the bits 0x%" PRIx64,
		       um_reg_text(m, msr, what, sizeof(what)),
		       m->uarch ? m->uarch->name : "this processor", mask);
}

int um_reg_write(const struct um_machine *m, unsigned cpu, uint32_t msr, uint64_t mask, uint64_t value,
		 struct um_error *e)
{
	const struct um_reg *reg = um_reg_row(m, msr);
	bool whole = mask == UM_WHOLE;
	uint64_t old = 0, word = value;
	int err = 0;

	if (reg && whole)
		mask = reg->valid;
	if (!reg || (mask & ~reg->write_mask) || (value & ~mask))
		return not_claimed(m, msr, mask | value, e);
	if (!whole)
		err = um_reg_read(m, cpu, msr, &old, e);
	else if (m->trace_style == UNCOREMSR_TRACE_TEXT &&
		 (err = m->access->ops->read(m->access, cpu, msr, &old)))
		explain(m, UM_STEP_READ, cpu, msr, err, e);
	if (err)
		return err;
	if (!whole)
		word = (old & ~mask) | value;
	err = m->access->ops->write(m->access, cpu, msr, word);
	trace(m, cpu, msr, err, &old, word);
	return err ? explain(m, UM_STEP_WRITE, cpu, msr, err, e) : 0;
}
