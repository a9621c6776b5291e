/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A boot log next to what CPUID gives. */
#include "info/info.h"

/* Where only register 0x345 tells the maximum period, either of the two that the kernel knows fits. */
bool info_boot_same(const struct boot_log *b, const struct uncoremsr_core_kind *kind, unsigned n)
{
	uint64_t v, mask;

	if (!b->told[n])
		return true;
	if (uncoremsr_core_number(kind, boot_lines[n].fact, &v) == 0)
		return v == b->value[n];
	if (boot_lines[n].fact != UNCOREMSR_CORE_BOOT_MAX_PERIOD ||
	    uncoremsr_core_number(kind, UNCOREMSR_CORE_BOOT_VALUE_MASK, &mask) < 0)
		return false;
	return b->value[n] == (b->full_width ? mask >> 1 : 0x7fffffff);
}

static bool kind_agrees(const struct boot_log *b, const struct uncoremsr_core_kind *kind)
{
	for (unsigned n = 0; n < BOOT_LINES; n++)
		if (!info_boot_same(b, kind, n))
			return false;
	return true;
}

bool info_boot_agrees(const struct info *i)
{
	const struct uncoremsr_core_kind *kind;

	for (size_t k = 0; (kind = uncoremsr_core_kind(i->cores, k)); k++)
		if (kind_agrees(i->boot, kind))
			return true;
	return false;
}

static void write_differences(struct fields *f, const struct info *i)
{
	const struct uncoremsr_core_kind *first = uncoremsr_core_kind(i->cores, 0);
	bool agrees = info_boot_agrees(i);

	fields_bool(f, "agrees", first ? agrees : -1);
	fields_open_list(f, "differs");
	for (unsigned n = 0; n < BOOT_LINES && first && !agrees; n++)
		if (!info_boot_same(i->boot, first, n))
			fields_str(f, NULL, boot_lines[n].field);
	fields_close(f);
}

void info_write_boot_log(struct fields *f, const struct info *i)
{
	const struct boot_log *b = i->boot;

	if (!b) {
		fields_str(f, "boot_log", NULL);
		return;
	}
	fields_open(f, "boot_log");
	fields_str(f, "file", i->boot_file);
	fields_str(f, "features", b->features);
	for (unsigned n = 0; n < BOOT_LINES; n++) {
		if (!b->told[n])
			fields_str(f, boot_lines[n].field, NULL);
		else if (boot_lines[n].hex)
			fields_word(f, boot_lines[n].field, b->value[n]);
		else
			fields_int(f, boot_lines[n].field, (int64_t)(b->value[n] & INT64_MAX));
	}
	fields_bool(f, "full_width_writes", b->full_width);
	fields_int(f, "pebs_format", b->pebs_format);
	fields_int(f, "lbr_depth", b->lbr_depth);
	fields_bool(f, "nmi_watchdog", b->watchdog ? 1 : -1);
	write_differences(f, i);
	fields_close(f);
}
