/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernel files that contain one number each. They stay open if the machine's back end can keep files open. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "throttle/throttle.h"

/* Parse a number. A temperature may be negative and is then stored in *value as an int64_t. */
static bool parse(const struct um_gauge *f, const char *text, uint64_t *value)
{
	bool negative = f->is_temperature && *text == '-';
	const char *digits = text + negative, *end = digits + strspn(digits, "0123456789");

	if (!um_perf_number(digits, (size_t)(end - digits), value))
		return false;
	if (negative)
		*value = -*value;
	return end[strspn(end, " \t\n")] == '\0';
}

ssize_t um_text_read(struct um_access *a, const char *path, int *handle, char *buf, size_t size)
{
	ssize_t n = -EBADF;

	if (!a->ops->open_text)
		return a->ops->read_text(a, path, buf, size);
	if (*handle >= 0)
		n = a->ops->reread_text(a, *handle, buf, size);
	if (n >= 0)
		return n;
	/* After a CPU was offline, its files are new ones with the same names, so open the file again. */
	um_text_close(a, handle);
	*handle = a->ops->open_text(a, path);
	return *handle >= 0 ? a->ops->reread_text(a, *handle, buf, size) : *handle;
}

void um_text_close(struct um_access *a, int *handle)
{
	if (*handle >= 0)
		a->ops->close_text(a, *handle);
	*handle = -1;
}

void um_number_file_read(struct uncoremsr_throttle *t, struct um_gauge *f)
{
	char text[32];

	if (f->read_in == t->round)
		return;
	f->before = f->value;
	f->had = f->known;
	f->known = f->path[0] && um_text_read(t->um->m.access, f->path + 1, &f->handle, text, sizeof(text)) >= 0 &&
		   parse(f, text, &f->value);
	f->read_in = f->known ? t->round : 0;
}

static bool open_file(struct uncoremsr_throttle *t, struct um_gauge *f)
{
	f->handle = -1;
	um_number_file_read(t, f);
	if (f->known)
		return true;
	um_number_file_close(t, f);
	f->path[0] = '\0';
	return false;
}

bool um_number_file_open(struct uncoremsr_throttle *t, struct um_gauge *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->path, sizeof(f->path), fmt, ap);
	va_end(ap);
	return open_file(t, f);
}

void um_number_file_close(struct uncoremsr_throttle *t, struct um_gauge *f)
{
	um_text_close(t->um->m.access, &f->handle);
}

/* The HSMP driver has one ACPI device per socket (Linux Documentation/arch/x86/amd_hsmp.rst). */
#define HSMP_FILE "/sys/devices/platform/AMDI0097:%02x/prochot_status"

bool um_has_occ(const struct um_subject *s)
{
	for (int i = UM_NUM_ROLES; i < UM_NUM_SOURCES; i++)
		if (um_sources[i].of == UM_OF_CHIP && s->sources[i].path[0])
			return true;
	return false;
}

static void set_path(struct um_subject *s, int file)
{
	um_cpu_path(s->sources[file].path, "/sys/devices/system/cpu/cpu", s->cpu, "/", um_sources[file].name);
}

/* Open the files of the subject's CPU. If one file of a chip could be opened, the driver has all: keep all paths. */
static void find_files(struct uncoremsr_throttle *t, struct um_subject *s, enum um_file_of of)
{
	for (int i = UM_NUM_ROLES; i < UM_NUM_SOURCES; i++) {
		if (um_sources[i].of != of)
			continue;
		set_path(s, i);
		/* read_time() opens the files with a total time. */
		if (!um_sources[i].is_time)
			open_file(t, &s->sources[i]);
	}
	if (of != UM_OF_CHIP || !um_has_occ(s))
		return;
	for (int i = UM_NUM_ROLES; i < UM_NUM_SOURCES; i++)
		if (um_sources[i].of == of)
			set_path(s, i);
}

static void read_time(struct uncoremsr_throttle *t, struct um_gauge *time, const struct um_gauge *count)
{
	if (!count->path[0])
		return;
	if (count->known && !count->value) {
		time->before = time->value;
		time->had = time->known;
		time->value = 0;
		time->known = time->path[0];
		return;
	}
	if (time->path[0] && time->handle < 0)
		open_file(t, time);
	um_number_file_read(t, time);
}

void um_files_read(struct uncoremsr_throttle *t, struct um_subject *s)
{
	for (int i = UM_NUM_ROLES; i < UM_NUM_SOURCES; i++)
		if (um_sources[i].is_time)
			read_time(t, &s->sources[i], &s->sources[i - 1]);
		else
			um_number_file_read(t, &s->sources[i]);
}

void um_files_find(struct uncoremsr_throttle *t)
{
	bool amd = t->model && (t->model->has & UM_HAS_AMD);
	unsigned sockets = 0;

	if (t->guest)
		return;
	for (size_t i = 0; i < t->num_subjects; i++) {
		struct um_subject *s = &t->subjects[i];
		struct um_gauge *hsmp = &s->sources[UM_FILE_HSMP_PROCHOT];

		/* package_throttle_* files count for a die: a package with several dies has none of its own. */
		if (!s->num_dies)
			find_files(t, s, s->core < 0 ? UM_OF_PACKAGE : UM_OF_CORE);
		if (t->um->m.id.pvr)
			find_files(t, s, UM_OF_CHIP);
		if (!amd || s->core >= 0)
			continue;
		/* The driver may be loaded later: keep the path, so that each look() tries to open the file. */
		if (!um_number_file_open(t, hsmp, HSMP_FILE, sockets) && (t->model->has & UM_HAS_HSMP))
			snprintf(hsmp->path, sizeof(hsmp->path), HSMP_FILE, sockets);
		sockets++;
	}
}
