/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of the kernel with one number each, kept open where the machine can. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throttle/throttle.h"

static bool parse(const char *text, uint64_t *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false; /* also what is negative: there is no use for it */
	errno = 0;
	*value = strtoull(text, &end, 10);
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
	/* A CPU that was offline comes back with new files under the same names. */
	if (f->handle >= 0)
		a->ops->close_text(a, f->handle);
	f->handle = a->ops->open_text(a, f->path + 1);
	return f->handle >= 0 ? a->ops->reread_text(a, f->handle, buf, size) : f->handle;
}

void um_file_set(struct uncoremsr_throttle *t, struct uncoremsr_subject *s,
		 enum um_file_role role, const char *fmt, ...)
{
	struct um_number_file *f = &s->files[role];
	char text[32];
	uint64_t value;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->path, sizeof(f->path), fmt, ap);
	va_end(ap);
	if (read_text(t->um->m.access, f, text, sizeof(text)) < 0 || !parse(text, &value))
		f->path[0] = '\0';
}

void um_files_read(struct uncoremsr_throttle *t, struct uncoremsr_subject *s)
{
	for (int i = 0; i < UM_NUM_FILES; i++) {
		struct um_number_file *f = &s->files[i];
		char text[32];

		f->before = f->value;
		f->had = f->known;
		f->known = f->path[0] &&
			   read_text(t->um->m.access, f, text, sizeof(text)) >= 0 &&
			   parse(text, &f->value);
	}
}

void um_files_close(struct uncoremsr_throttle *t, struct uncoremsr_subject *s)
{
	for (int i = 0; i < UM_NUM_FILES; i++)
		if (s->files[i].handle >= 0)
			t->um->m.access->ops->close_text(t->um->m.access, s->files[i].handle);
}

/* ---- which there are ---- */

#define CPU_DIR "/sys/devices/system/cpu/cpu%u/"

static const struct {
	enum um_file_role role;
	bool of_package; /* read on the lowest CPU of the package: each CPU has its own count */
	const char *name;
} cpu_files[] = {
	{ UM_FILE_CORE_COUNT, false, "thermal_throttle/core_throttle_count" },
	{ UM_FILE_CORE_TIME, false, "thermal_throttle/core_throttle_total_time_ms" },
	{ UM_FILE_BIOS_LIMIT, false, "cpufreq/bios_limit" },
	{ UM_FILE_CEILING, false, "cpufreq/scaling_max_freq" },
	{ UM_FILE_HIGHEST, false, "cpufreq/cpuinfo_max_freq" },
	{ UM_FILE_PACKAGE_COUNT, true, "thermal_throttle/package_throttle_count" },
	{ UM_FILE_PACKAGE_TIME, true, "thermal_throttle/package_throttle_total_time_ms" },
};

void um_files_find(struct uncoremsr_throttle *t)
{
	bool amd = t->model && (t->model->has & UM_HAS_AMD);
	unsigned sockets = 0;

	if (t->guest)
		return;
	for (size_t i = 0; i < t->num_subjects; i++) {
		struct uncoremsr_subject *s = &t->subjects[i];

		for (size_t k = 0; k < ARRAY_SIZE(cpu_files); k++)
			if (cpu_files[k].of_package == (s->core < 0))
				um_file_set(t, s, cpu_files[k].role, CPU_DIR "%s", s->cpu,
					    cpu_files[k].name);
		/* One ACPI device per socket (Linux Documentation/arch/x86/amd_hsmp.rst). */
		if (amd && s->core < 0)
			um_file_set(t, s, UM_FILE_HSMP_PROCHOT,
				    "/sys/devices/platform/AMDI0097:%02x/prochot_status", sockets++);
	}
}
