/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compare a boot log with what CPUID reports. */
#include "info/info.h"

/*
 * Does line @n of the log agree with this kind of core? The maximum period depends on a bit of register 0x345; if that
 * was not read, assume what the log says about full-width counters.
 */
static bool same(const struct boot_log *b, const struct uncoremsr_core_kind *kind, unsigned n)
{
	uint64_t v = boot_number(kind, n), mask = kind->boot_value_mask;

	if (!b->told[n])
		return true;
	if (v != UINT64_MAX)
		return v == b->value[n];
	if (boot_numbers[n].at != offsetof(struct uncoremsr_core_kind, boot_max_period) || mask == UINT64_MAX)
		return false;
	return b->value[n] == (b->full_width ? mask >> 1 : 0x7fffffff);
}

/* Does the log agree with one of the kinds of core? */
static bool agrees(const struct info *i)
{
	const struct uncoremsr_core_kind *kind;

	for (size_t k = 0; (kind = i->cores->kinds[k]); k++) {
		unsigned n = 0;

		while (n < BOOT_LINES && same(i->boot, kind, n))
			n++;
		if (n == BOOT_LINES)
			return true;
	}
	return false;
}

void info_put_boot_log(struct info *i)
{
	const struct uncoremsr_core_kind *first = i->cores->kinds[0];
	const struct boot_log *b = i->boot;
	bool fits;

	if (!b) {
		record_str(&i->w, "boot_log", NULL);
		return;
	}
	fits = agrees(i);
	record_open(&i->w, "boot_log");
	record_str(&i->w, "file", i->boot_file);
	record_str(&i->w, "features", b->features);
	for (unsigned n = 0; n < BOOT_LINES; n++) {
		const struct record_value v = { .count = boot_is_hex(n) ? b->value[n] : b->value[n] & INT64_MAX };

		record_value(&i->w, boot_numbers[n].name, boot_numbers[n].type, b->told[n] ? &v : NULL);
	}
	record_bool(&i->w, "full_width_writes", b->full_width);
	record_int(&i->w, "pebs_format", b->pebs_format);
	record_int(&i->w, "lbr_depth", b->lbr_depth);
	record_bool(&i->w, "nmi_watchdog", b->watchdog ? 1 : -1);
	record_bool(&i->w, "agrees", first ? fits : -1);
	record_open_list(&i->w, "differs");
	for (unsigned n = 0; n < BOOT_LINES && first && !fits; n++)
		if (!same(b, first, n))
			record_str(&i->w, NULL, boot_numbers[n].name);
	record_close(&i->w);
	record_close(&i->w);
}

static void show_difference(const struct info *i, const struct uncoremsr_core_kind *first,
			    unsigned n)
{
	const char *fmt = boot_is_hex(n) ? "%016llx" : "%llu";
	uint64_t v = boot_number(first, n);

	out_fmt(i->o, INFO_LABEL "DIFFERS in %s: the kernel said ", "", boot_words[n].key);
	out_fmt(i->o, fmt, (unsigned long long)i->boot->value[n]);
	out_str(i->o, ", CPUID gives ");
	if (v == UINT64_MAX)
		out_str(i->o, "no such number");
	else
		out_fmt(i->o, fmt, (unsigned long long)v);
	out_char(i->o, '\n');
}

void info_show_boot_log(struct info *i)
{
	const struct uncoremsr_core_kind *first = i->cores->kinds[0];
	bool fits = first && agrees(i), any = false;

	out_fmt(i->o, INFO_LABEL "%s\n", "boot log", i->boot->features);
	for (unsigned n = 0; n < BOOT_LINES; n++) {
		any = any || i->boot->told[n];
		if (first && !fits && !same(i->boot, first, n))
			show_difference(i, first, n);
	}
	if (!any)
		out_fmt(i->o, INFO_LABEL "it has no numbers to compare\n", "");
	else if (fits)
		out_fmt(i->o, INFO_LABEL "its numbers agree with CPUID\n", "");
	if (i->boot->watchdog)
		out_fmt(i->o, INFO_LABEL "the NMI watchdog took one core counter of every CPU\n", "");
}
