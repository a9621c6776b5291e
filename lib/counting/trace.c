/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "counting/trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "counting/registers.h"

/* Append to a line that may already be full. */
static void UM_PRINTF(3, 4) append(char *line, size_t size, const char *fmt, ...)
{
	size_t len = strlen(line);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line + len, size - len, fmt, ap);
	va_end(ap);
}

/* " [event=0x82 umask=0x1 en]": fields that are not 0; one-bit fields by name alone. */
static void append_fields(char *line, size_t size, const struct um_reg *reg, uint64_t value)
{
	const char *sep = " [";

	for (size_t i = 0; reg && i < reg->num_fields; i++) {
		const struct um_field *f = &reg->fields[i];
		uint64_t v = value >> f->shift;

		if (f->width < 64)
			v &= (UINT64_C(1) << f->width) - 1;
		if (!v || f->width >= 48)
			continue;
		if (f->width == 1)
			append(line, size, "%s%s", sep, f->name);
		else
			append(line, size, "%s%s=0x%" PRIx64, sep, f->name, v);
		sep = " ";
	}
	if (*sep == ' ' && sep[1] == '\0')
		append(line, size, "]");
}

static void tell(struct uncoremsr *um, uint32_t msr, int err, uint64_t value, char *line,
		 size_t size)
{
	const struct um_reg *reg = um_reg_row(um, msr);

	if (err)
		append(line, size, ": %s", strerror(-err));
	else
		append_fields(line, size, reg, value);
	um->m.trace(um->m.trace_user, line);
}

void um_trace_read(struct uncoremsr *um, unsigned cpu, uint32_t msr, int err, uint64_t value)
{
	char line[384], name[96];

	if (um->m.trace_style == UNCOREMSR_TRACE_COMMANDS) {
		snprintf(line, sizeof(line), "rdmsr -p %u 0x%x", cpu, msr);
		um->m.trace(um->m.trace_user, line);
		return;
	}
	snprintf(line, sizeof(line), "cpu %u read  %s", cpu,
		 um_reg_text(um, msr, name, sizeof(name)));
	if (!err)
		append(line, sizeof(line), " = 0x%" PRIx64, value);
	tell(um, msr, err, value, line, sizeof(line));
}

void um_trace_write(struct uncoremsr *um, unsigned cpu, uint32_t msr, int err, uint64_t old,
		    uint64_t value)
{
	char line[384], name[96];

	if (um->m.trace_style == UNCOREMSR_TRACE_COMMANDS) {
		snprintf(line, sizeof(line), "wrmsr -p %u 0x%x 0x%" PRIx64, cpu, msr, value);
		um->m.trace(um->m.trace_user, line);
		return;
	}
	snprintf(line, sizeof(line), "cpu %u write %s 0x%" PRIx64 " -> 0x%" PRIx64, cpu,
		 um_reg_text(um, msr, name, sizeof(name)), old, value);
	tell(um, msr, err, value, line, sizeof(line));
}
