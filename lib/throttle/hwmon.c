/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's temperature drivers: k10temp, one device per AMD processor (node), and coretemp, one
 * per Intel package, whose alarm is the sticky critical bit (Linux Documentation/hwmon/k10temp.rst,
 * coretemp.rst). They are read only where registers are not: reading them reads one, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throttle/throttle.h"

enum { MAX_DEVICES = 128 };

struct devices {
	unsigned numbers[MAX_DEVICES]; /* ascending: nodes and packages are found in their order */
	size_t num;
};

static int add_device(void *user, const char *name)
{
	struct devices *d = user;
	size_t at = d->num;
	unsigned long n;

	if (strncmp(name, "hwmon", 5) != 0 || d->num == MAX_DEVICES)
		return 0;
	n = strtoul(name + 5, NULL, 10);
	if (n >= UINT32_MAX)
		return 0;
	for (; at && d->numbers[at - 1] > n; at--)
		d->numbers[at] = d->numbers[at - 1];
	d->numbers[at] = (unsigned)n;
	d->num++;
	return 0;
}

static struct uncoremsr_subject *find_package(struct uncoremsr_throttle *t, size_t index)
{
	for (size_t i = 0; i < t->num_subjects; i++)
		if (t->subjects[i].core < 0 && index-- == 0)
			return &t->subjects[i];
	return NULL;
}

/* ---- coretemp ---- */

struct labels {
	struct uncoremsr_throttle *t;
	unsigned device;
	struct uncoremsr_subject *package;
};

static struct uncoremsr_subject *find_labelled(const struct labels *l, const char *label)
{
	int core;

	if (strncmp(label, "Package id ", 11) == 0)
		return l->package;
	if (sscanf(label, "Core %d", &core) != 1)
		return NULL;
	for (size_t i = 1; i <= l->package->num; i++)
		if (l->package[i].core == core)
			return &l->package[i];
	return NULL;
}

/* "temp3_label": the alarm and the temperature beside it are those of the core it names. */
static int note_label(void *user, const char *name)
{
	const struct labels *l = user;
	struct uncoremsr_subject *s;
	char path[96], label[48];
	unsigned n;
	int used = 0;

	if (sscanf(name, "temp%u_label%n", &n, &used) != 1 || !used || name[used])
		return 0;
	snprintf(path, sizeof(path), "sys/class/hwmon/hwmon%u/temp%u_label", l->device, n);
	if (um_access_line(l->t->um->m.access, path, label, sizeof(label)) <= 0)
		return 0;
	s = find_labelled(l, label);
	if (!s || (!l->t->kernel_only && s->access.class == UNCOREMSR_ERROR_NONE))
		return 0;
	um_file_set(l->t, s, UM_FILE_CRIT_ALARM, "/sys/class/hwmon/hwmon%u/temp%u_crit_alarm",
		    l->device, n);
	um_file_set(l->t, s, UM_FILE_TEMPERATURE, "/sys/class/hwmon/hwmon%u/temp%u_input",
		    l->device, n);
	return 0;
}

static void use_coretemp(struct uncoremsr_throttle *t, unsigned device, size_t index)
{
	struct labels l = { t, device, find_package(t, index) };
	char dir[48];

	snprintf(dir, sizeof(dir), "sys/class/hwmon/hwmon%u", device);
	if (l.package)
		t->um->m.access->ops->list(t->um->m.access, dir, note_label, &l);
}

/* ---- both ---- */

void um_hwmon_find(struct uncoremsr_throttle *t)
{
	struct um_access *a = t->um->m.access;
	struct devices d = { .num = 0 };
	size_t coretemps = 0, k10temps = 0;

	if (t->guest || a->ops->list(a, "sys/class/hwmon", add_device, &d) < 0)
		return;
	for (size_t i = 0; i < d.num; i++) {
		struct uncoremsr_subject *s;
		char path[64], name[32];

		snprintf(path, sizeof(path), "sys/class/hwmon/hwmon%u/name", d.numbers[i]);
		if (um_access_line(a, path, name, sizeof(name)) <= 0)
			continue;
		if (strcmp(name, "coretemp") == 0)
			use_coretemp(t, d.numbers[i], coretemps++);
		s = strcmp(name, "k10temp") == 0 ? find_package(t, k10temps++) : NULL;
		if (s)
			um_file_set(t, s, UM_FILE_TEMPERATURE,
				    "/sys/class/hwmon/hwmon%u/temp1_input", d.numbers[i]);
	}
}
