/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's temperature drivers: coretemp has a device for each Intel die, whose alarm is the sticky critical bit;
 * k10temp has one for each AMD node (Linux Documentation/hwmon/coretemp.rst, k10temp.rst). We use them only where we do
 * not read registers ourselves, because each read of their files makes the kernel read a register.
 *
 * The hwmon folders are numbered in the order in which drivers found devices, so their numbers do not identify
 * packages. The device names do: in "coretemp.1" and in the label "Package id 1" the number is that of a die, counted
 * over all packages (topology_logical_die_id()), or before Linux 4.10 that of a package. The k10temp device on PCI
 * 0000:00:19.3 belongs to node 1, and its sysfs folder has the NUMA node. If a device has no such number, its package
 * is known only on a machine with a single package.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throttle/throttle.h"

enum { MAX_DEVICES = 128, UNKNOWN = -1 };

struct device {
	unsigned folder;  /* 3 for "hwmon3" */
	bool amd;
	int id;           /* number of a die, a package, or an AMD node; or UNKNOWN */
	struct um_subject *of; /* the device's package or die; NULL if unknown */
	const struct um_cpuset *cpus; /* CPUs of the device's die; NULL if the device covers its whole package */
};

struct search {
	struct uncoremsr_throttle *t;
	struct device devices[MAX_DEVICES];
	size_t num;
	bool needs_coretemp;            /* the registers of at least one subject are not read */
	size_t num_of[2];               /* number of coretemp devices, number of k10temp devices */
	int err;
	const struct device *device;    /* the device whose labels use_labelled() reads */
};

int um_read_dies(struct uncoremsr_throttle *t)
{
	struct um_error e;

	if (t->by_die.num_packages)
		return 0;
	return um_topology_read(&t->by_die, t->um->m.access, true, &e) == -ENOMEM ? -ENOMEM : 0;
}

static void list(struct search *s, const char *dir, int (*fn)(void *user, const char *name))
{
	s->t->um->m.access->ops->list(s->t->um->m.access, dir, fn, s);
}

#define CLASS "sys/class/hwmon"

/* Read a file of a device; false if it is empty or cannot be read. */
static bool read_file(const struct search *s, const struct device *d, const char *file, char *text, size_t size)
{
	char path[96];

	snprintf(path, sizeof(path), CLASS "/hwmon%u/%.40s", d->folder, file);
	return um_access_line(s->t->um->m.access, path, text, size) > 0;
}

static bool needs_sensors(const struct uncoremsr_throttle *t, const struct um_subject *subject)
{
	return t->kernel_only || subject->access.class != UNCOREMSR_ERROR_NONE;
}

/* ---- the number of a device, from its name and label ---- */

/*
 * Find the number in the name of a device: try all numbers until a device of that name has the hwmon folder of @d. The
 * device of AMD node n is function 3 of slot 0x18 + n on PCI bus 0, which has 0x20 slots.
 */
static int read_id(const struct search *s, const struct device *d)
{
	int num = d->amd ? 8 : MAX_DEVICES;
	char path[96], driver[32];

	for (int id = 0; id < num; id++) {
		if (d->amd)
			snprintf(path, sizeof(path), "sys/bus/pci/drivers/k10temp/0000:00:%x.3/hwmon/hwmon%u/name",
				 0x18 + (unsigned)id, d->folder);
		else
			snprintf(path, sizeof(path), "sys/devices/platform/coretemp.%d/hwmon/hwmon%u/name", id,
				 d->folder);
		if (um_access_line(s->t->um->m.access, path, driver, sizeof(driver)) > 0)
			return id;
	}
	return UNKNOWN;
}

/* Read the number in the label "Package id 1". coretemp's first sensor has it if the processor has a package sensor. */
static void read_label(const struct search *s, struct device *d)
{
	char label[48];
	int id;

	if (!read_file(s, d, "temp1_label", label, sizeof(label)) || sscanf(label, "Package id %d", &id) != 1)
		return;
	/* If the label contradicts the name of the device, use neither. */
	d->id = d->id == UNKNOWN || d->id == id ? id : UNKNOWN;
}

/* ---- the package of a device ---- */

static struct um_subject *find_package(struct search *s, int id)
{
	for (size_t i = 0; i < s->t->num_listed; i++)
		if (s->t->subjects[i].core < 0 && s->t->subjects[i].package == id)
			return &s->t->subjects[i];
	return NULL;
}

static struct um_subject *package_of(struct um_subject *s)
{
	return s && s->of ? s->of : s;
}

/* Find a die by its number, counted over all packages. If its package has only one die, return the package. */
static struct um_subject *find_die(struct search *s, int id)
{
	const struct um_topology *dies = &s->t->by_die;
	const struct uncoremsr_package *die = (size_t)id < dies->num_packages ? &dies->packages[id].shown : NULL;
	struct um_subject *package = die ? find_package(s, die->id) : NULL;

	for (size_t i = s->t->num_listed; package && i < s->t->num_subjects; i++)
		if (s->t->subjects[i].of == package && s->t->subjects[i].die == die->die)
			return &s->t->subjects[i];
	return package;
}

/* The package of the first CPU of an AMD device's NUMA node. The file contains -1 if there is no node. */
static struct um_subject *package_of_numa(struct search *s, const struct device *d)
{
	const struct uncoremsr_package *p;
	char path[64], text[16];

	if (!read_file(s, d, "device/numa_node", text, sizeof(text)) || *text == '-')
		return NULL;
	snprintf(path, sizeof(path), "sys/devices/system/node/node%d/cpulist", atoi(text));
	if (um_access_line(s->t->um->m.access, path, text, sizeof(text)) <= 0 || *text < '0' || *text > '9')
		return NULL;
	if (um_package_of(&s->t->topo, s->t->um->m.access, (unsigned)strtoul(text, NULL, 10), &p)) {
		s->err = -ENOMEM;
		return NULL;
	}
	return p ? find_package(s, p->id) : NULL;
}

/*
 * Do coretemp's numbers stand for dies or, as before Linux 4.10, for packages? If both are possible and lead to
 * different packages, decide by the number of devices: there is one for each die, or one for each package.
 */
static enum numbering { OF_NOTHING, OF_DIES, OF_PACKAGES } numbering(struct search *s)
{
	size_t packages = s->t->topo.num_packages, dies = s->t->by_die.num_packages;
	bool by_package = true, by_die = true, same = true;

	for (const struct device *d = s->devices; d < s->devices + s->num; d++) {
		if (d->amd || d->id == UNKNOWN)
			continue;
		by_package &= find_package(s, d->id) != NULL;
		by_die &= find_die(s, d->id) != NULL;
		same &= find_package(s, d->id) == package_of(find_die(s, d->id));
	}
	if (by_package && by_die && !same) {
		by_die = dies != packages && s->num_of[false] == dies;
		by_package = dies != packages && s->num_of[false] == packages;
	}
	return by_die ? OF_DIES : by_package ? OF_PACKAGES : OF_NOTHING;
}

/* The nodes of one package have consecutive numbers. */
static struct um_subject *package_of_node(struct search *s, int node)
{
	size_t packages = s->t->topo.num_packages, nodes = s->num_of[true];

	if (nodes == s->t->by_die.num_packages)
		return find_die(s, node);
	if (!packages || nodes % packages || (size_t)node >= nodes)
		return NULL;
	return find_package(s, s->t->topo.packages[(size_t)node / (nodes / packages)].shown.id);
}

static void place(struct search *s)
{
	enum numbering numbers = numbering(s);

	for (struct device *d = s->devices; d < s->devices + s->num; d++) {
		if (d->amd) {
			d->of = package_of_numa(s, d) ?: d->id == UNKNOWN ? NULL : package_of_node(s, d->id);
		} else if (d->id != UNKNOWN && numbers == OF_DIES) {
			d->of = find_die(s, d->id);
			d->cpus = um_package_cpus(&s->t->by_die.packages[d->id].shown);
		} else if (d->id != UNKNOWN && numbers == OF_PACKAGES) {
			d->of = find_package(s, d->id);
		}
		/* On a machine with one package every device belongs to it. */
		if (!d->of && s->t->topo.num_packages == 1)
			d->of = &s->t->subjects[0];
	}
}

/* ---- files of a device ---- */

/* Remember a coretemp folder whose package is unknown: its alarm may belong to any package. (k10temp has no alarms.) */
static void note_unplaced(struct search *s, const struct device *d)
{
	if (!d->amd && !s->t->unplaced[0])
		snprintf(s->t->unplaced, sizeof(s->t->unplaced), "/" CLASS "/hwmon%u", d->folder);
}

/* Open a file of a device as the next free source of the subject. A package may have several devices. */
static void use_file(struct search *s, struct um_subject *subject, enum um_file first,
		     const struct device *d, unsigned sensor, const char *what)
{
	for (int i = 0; i < UM_MAX_SENSORS; i++) {
		struct um_gauge *file = &subject->sources[(int)first + i];

		if (file->path[0])
			continue;
		file->is_temperature = first == UM_FILE_TEMPERATURE;
		um_number_file_open(s->t, file, "/" CLASS "/hwmon%u/temp%u_%s", d->folder, sensor, what);
		return;
	}
	note_unplaced(s, d);
}

static struct um_subject *find_labelled(const struct device *d, const char *label)
{
	struct um_subject *package = package_of(d->of);
	int core;

	if (strncmp(label, "Package id ", 11) == 0)
		return d->of;
	if (sscanf(label, "Core %d", &core) != 1)
		return NULL;
	for (size_t i = 1; i <= package->num; i++)
		if (package[i].core == core && (!d->cpus || um_cpuset_has(d->cpus, package[i].cpu)))
			return &package[i];
	return NULL;
}

/* The label "temp3_label" names a core; temp3_input and the alarm beside it belong to that core. */
static int use_labelled(void *user, const char *name)
{
	struct search *s = user;
	const struct device *d = s->device;
	struct um_subject *subject;
	char label[48];
	unsigned sensor;
	int used = 0;

	if (sscanf(name, "temp%u_label%n", &sensor, &used) != 1 || !used || name[used] ||
	    !read_file(s, d, name, label, sizeof(label)))
		return 0;
	subject = find_labelled(d, label);
	if (!subject || !needs_sensors(s->t, subject))
		return 0;
	use_file(s, subject, UM_FILE_CRIT_ALARM, d, sensor, "crit_alarm");
	use_file(s, subject, UM_FILE_TEMPERATURE, d, sensor, "input");
	return 0;
}

static void use(struct search *s, const struct device *d)
{
	char dir[48];

	if (!d->of) {
		note_unplaced(s, d);
	} else if (d->amd) {
		use_file(s, d->of, UM_FILE_TEMPERATURE, d, 1, "input");
	} else {
		snprintf(dir, sizeof(dir), CLASS "/hwmon%u", d->folder);
		s->device = d;
		list(s, dir, use_labelled);
	}
}

static int add_device(void *user, const char *name)
{
	struct search *s = user;
	struct device d = { .of = NULL };
	char driver[32];
	int used = 0;

	if (sscanf(name, "hwmon%u%n", &d.folder, &used) != 1 || name[used] || s->num == MAX_DEVICES ||
	    !read_file(s, &d, "name", driver, sizeof(driver)))
		return 0;
	d.amd = strcmp(driver, "k10temp") == 0;
	if (!d.amd && (!s->needs_coretemp || strcmp(driver, "coretemp") != 0))
		return 0;
	d.id = read_id(s, &d);
	if (!d.amd)
		read_label(s, &d);
	s->num_of[d.amd]++;
	s->devices[s->num++] = d;
	return 0;
}

static int by_folder(const void *a, const void *b)
{
	const struct device *x = a, *y = b;

	return (x->folder > y->folder) - (x->folder < y->folder);
}

int um_hwmon_find(struct uncoremsr_throttle *t)
{
	struct search *s;
	int err;

	t->unplaced[0] = '\0';
	if (t->guest)
		return 0;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->t = t;
	for (size_t i = 0; i < t->num_subjects; i++)
		s->needs_coretemp |= needs_sensors(t, &t->subjects[i]);
	list(s, CLASS, add_device);
	/* Sort the devices, so that every look() reads the devices of a package in the same order. */
	qsort(s->devices, s->num, sizeof(s->devices[0]), by_folder);
	err = s->num ? um_read_dies(t) : 0;
	if (t->by_die.num_packages)
		place(s);
	for (size_t i = 0; i < s->num; i++)
		use(s, &s->devices[i]);
	err = err ? err : s->err;
	free(s);
	return err;
}
