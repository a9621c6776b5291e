/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of the kernel with one number each, kept open where the machine can. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throttle/throttle.h"

/* Only a temperature can be negative; its int64_t is stored in *value. */
static bool parse(const struct um_number_file *f, const char *text, uint64_t *value)
{
	bool negative = f->is_temperature && *text == '-';
	const char *digits = text + negative;
	char *end;

	if (*digits < '0' || *digits > '9')
		return false;
	errno = 0;
	*value = strtoull(digits, &end, 10);
	if (negative)
		*value = -*value;
	return !errno && end[strspn(end, " \t\n")] == '\0';
}

static ssize_t read_text(struct um_access *a, struct um_number_file *f, char *buf, size_t size)
{
	ssize_t n = -EBADF;

	if (!a->ops->open_text)
		return a->ops->read_text(a, f->path + 1, buf, size);
	if (f->handle >= 0)
		n = a->ops->reread_text(a, f->handle, buf, size);
	if (n >= 0)
		return n;
	/* After a CPU has been offline its files are new ones with the same names, so open the file again. */
	if (f->handle >= 0)
		a->ops->close_text(a, f->handle);
	f->handle = a->ops->open_text(a, f->path + 1);
	return f->handle >= 0 ? a->ops->reread_text(a, f->handle, buf, size) : f->handle;
}

static bool UM_PRINTF(3, 0) set(struct uncoremsr_throttle *t, struct um_number_file *f,
				const char *fmt, va_list ap)
{
	char text[32];
	uint64_t value;

	vsnprintf(f->path, sizeof(f->path), fmt, ap);
	if (read_text(t->um->m.access, f, text, sizeof(text)) < 0 || !parse(f, text, &value))
		f->path[0] = '\0';
	return f->path[0];
}

void um_file_await(struct um_subject *s, enum um_file_role role, const char *fmt, ...)
{
	struct um_number_file *f = &s->files[role];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->path, sizeof(f->path), fmt, ap);
	va_end(ap);
}

void um_file_set(struct uncoremsr_throttle *t, struct um_subject *s,
		 enum um_file_role role, const char *fmt, ...)
{
	va_list ap;

	s->files[role].is_temperature = role >= UM_FILE_TEMPERATURE && role < UM_FILE_CRIT_ALARM;
	va_start(ap, fmt);
	set(t, &s->files[role], fmt, ap);
	va_end(ap);
}

bool um_number_file_open(struct uncoremsr_throttle *t, struct um_number_file *f, const char *fmt, ...)
{
	va_list ap;
	bool there;

	*f = (struct um_number_file){ .handle = -1 };
	va_start(ap, fmt);
	there = set(t, f, fmt, ap);
	va_end(ap);
	return there;
}

void um_number_file_read(struct uncoremsr_throttle *t, struct um_number_file *f)
{
	char text[32];

	f->before = f->value;
	f->had = f->known;
	f->known = f->path[0] && read_text(t->um->m.access, f, text, sizeof(text)) >= 0 &&
		   parse(f, text, &f->value);
}

void um_number_file_close(struct uncoremsr_throttle *t, struct um_number_file *f)
{
	if (f->handle >= 0)
		t->um->m.access->ops->close_text(t->um->m.access, f->handle);
	f->handle = -1;
}

void um_files_read(struct uncoremsr_throttle *t, struct um_subject *s)
{
	for (int i = 0; i < UM_NUM_FILES; i++)
		um_number_file_read(t, &s->files[i]);
}

void um_files_close(struct uncoremsr_throttle *t, struct um_subject *s)
{
	for (int i = 0; i < UM_NUM_FILES; i++)
		um_number_file_close(t, &s->files[i]);
}

/* ---- which there are ---- */

#define CPU_DIR "/sys/devices/system/cpu/cpu%u/"
#define OCC_FILE CPU_DIR "cpufreq/throttle_stats/%s"
/* The HSMP driver has one ACPI device per socket (Linux Documentation/arch/x86/amd_hsmp.rst). */
#define HSMP_FILE "/sys/devices/platform/AMDI0097:%02x/prochot_status"

static const struct {
	enum um_file_role role;
	bool of_package; /* read on the lowest CPU of the package: each CPU has its own count */
	char name[48];
} cpu_files[] = {
	{ UM_FILE_CORE_COUNT, false, "thermal_throttle/core_throttle_count" },
	{ UM_FILE_CORE_TIME, false, "thermal_throttle/core_throttle_total_time_ms" },
	{ UM_FILE_BIOS_LIMIT, false, "cpufreq/bios_limit" },
	{ UM_FILE_CEILING, false, "cpufreq/scaling_max_freq" },
	{ UM_FILE_HIGHEST, false, "cpufreq/cpuinfo_max_freq" },
	{ UM_FILE_BOOST, false, "cpufreq/boost" },
	{ UM_FILE_PACKAGE_COUNT, true, "thermal_throttle/package_throttle_count" },
	{ UM_FILE_PACKAGE_TIME, true, "thermal_throttle/package_throttle_total_time_ms" },
};

/*
 * Of POWER: how often the on-chip controller lowered the highest frequency, and why; the same on all CPUs
 * of a chip (Linux Documentation/ABI/testing/sysfs-devices-system-cpu, drivers/cpufreq/powernv-cpufreq.c).
 */
static const struct {
	enum um_file_role role;
	char name[16];
} occ_files[] = {
	{ UM_FILE_OCC_POWERCAP, "powercap" },
	{ UM_FILE_OCC_OVERTEMP, "overtemp" },
	{ UM_FILE_OCC_SUPPLY, "supply_fault" },
	{ UM_FILE_OCC_OVERCURRENT, "overcurrent" },
	{ UM_FILE_OCC_RESET, "occ_reset" },
};

bool um_has_occ(const struct um_subject *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(occ_files); i++)
		if (s->files[occ_files[i].role].path[0])
			return true;
	return false;
}

/* The cpufreq driver has either all of these files or none. */
static void find_occ(struct uncoremsr_throttle *t, struct um_subject *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(occ_files); i++)
		um_file_set(t, s, occ_files[i].role, OCC_FILE, s->cpu, occ_files[i].name);
	for (size_t i = 0; i < ARRAY_SIZE(occ_files) && um_has_occ(s); i++)
		um_file_await(s, occ_files[i].role, OCC_FILE, s->cpu, occ_files[i].name);
}

void um_files_find(struct uncoremsr_throttle *t)
{
	bool amd = t->model && (t->model->has & UM_HAS_AMD);
	unsigned sockets = 0;

	if (t->guest)
		return;
	for (size_t i = 0; i < t->num_subjects; i++) {
		struct um_subject *s = &t->subjects[i];

		/*
		 * The kernel's package count is that of the CPU's die, so it belongs to the dies where there are
		 * several.
		 */
		for (size_t k = 0; k < ARRAY_SIZE(cpu_files) && !s->num_dies; k++)
			if (cpu_files[k].of_package == (s->core < 0))
				um_file_set(t, s, cpu_files[k].role, CPU_DIR "%s", s->cpu,
					    cpu_files[k].name);
		if (t->um->m.id.pvr)
			find_occ(t, s);
		if (!amd || s->core >= 0)
			continue;
		/* Wait for files of a driver that may be loaded while we watch. */
		if (t->model->has & UM_HAS_HSMP)
			um_file_await(s, UM_FILE_HSMP_PROCHOT, HSMP_FILE, sockets++);
		else
			um_file_set(t, s, UM_FILE_HSMP_PROCHOT, HSMP_FILE, sockets++);
	}
}
