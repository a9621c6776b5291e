/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The packages, cores and dies that are judged. They are listed again when the online CPUs have changed. Values of a
 * core are kept only if it is still read through the same CPU; otherwise new values could not be compared with them.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/thermal_gates.h"
#include "throttle/throttle.h"

#define ONLINE_FILE "sys/devices/system/cpu/online"

static void free_subjects(struct uncoremsr_throttle *t, struct um_subject *list, size_t num)
{
	for (size_t i = 0; i < num; i++)
		for (int file = UM_NUM_ROLES; file < UM_NUM_SOURCES; file++)
			um_number_file_close(t, &list[i].sources[file]);
	free(list);
}

/* ---- making subjects ---- */

/* Does the subject have this register? If a package has several dies, UM_SCOPE_DIE registers belong to the dies. */
static bool has_copy(const struct um_subject *s, const struct um_thermal_reg *row)
{
	return (s->core >= 0 || row->reg.scope != UM_SCOPE_DIE) ? s->die < 0 : !s->num_dies;
}

/* The cores of a package differ only on hybrid processors. On others, CPUID is read once for all cores. */
static void read_gates(struct uncoremsr_throttle *t, struct um_subject *s)
{
	bool hybrid = !s->of && um_cpu_is_hybrid(&t->um->m, s->cpu);

	/* Call um_cpu_gates() last: it fails if the CPU has gone offline, and then @hybrid may be wrong. */
	s->gates_for_all = um_cpu_gates(&t->um->m, t->model, s->cpu, &s->gates) && !s->of && !hybrid;
}

/* The caller has set @num, @num_dies and @of; all other members are 0. */
static void init_subject(struct uncoremsr_throttle *t, struct um_subject *s, int package, int core, int die,
			 unsigned cpu)
{
	s->package = package;
	s->core = core;
	s->die = die;
	s->cpu = cpu;
	s->watcher = t;
	s->pub = (struct uncoremsr_subject){
		.size = sizeof(s->pub), .package = s->package, .core = s->core, .cpu = (int)s->cpu,
		.verdict = UNCOREMSR_VERDICT_UNKNOWN, .cores = s->core < 0 ? (int)s->num : -1, .below_limit = -1,
		.temperature = NAN, .frequency = UM_ABSENT, .before_clear = UM_ABSENT, .causes = s->listed_causes,
		.policies = s->listed_policies, .questions = s->listed_questions,
	};
	s->fresh = true;
	for (int cause = 0; cause < UM_NUM_CAUSES; cause++)
		s->told_ns[cause] = UM_ABSENT;
	for (int i = 0; i < UM_NUM_SOURCES; i++)
		s->sources[i].handle = -1;
	if (!t->model)
		return;
	if (!um_machine_has_cpuid(&t->um->m))
		s->gates = t->flag_gates;
	else if (s->of && s->of->gates_for_all)
		s->gates = s->of->gates;
	else
		read_gates(t, s);
	for (int r = 0; r < UM_NUM_ROLES; r++) {
		const struct um_thermal_reg *row = (s->core >= 0) == (r < UM_ROLE_PACKAGE_STATUS)
			? um_thermal_reg(t->model, s->gates, (enum um_thermal_role)r) : NULL;

		if (row && has_copy(s, row))
			s->sources[r].row = row;
	}
}

static size_t count_dies(const struct uncoremsr_throttle *t, int package)
{
	size_t num = 0;

	for (size_t i = 0; i < t->by_die.num_packages; i++)
		num += t->by_die.packages[i].shown.id == package && t->by_die.packages[i].shown.die >= 0;
	return num > 1 ? num : 0;
}

/* Append the dies of @package to the list, behind all packages and cores, and assign the package's cores to them. */
static struct um_subject *fill_dies(struct uncoremsr_throttle *t, struct um_subject *package, struct um_subject *next)
{
	for (size_t i = 0; i < t->by_die.num_packages && package->num_dies; i++) {
		const struct uncoremsr_package *die = &t->by_die.packages[i].shown;

		if (die->id != package->package || die->die < 0)
			continue;
		next->of = package;
		init_subject(t, next, die->id, -1, die->die, (unsigned)die->cpu);
		for (size_t c = 1; c <= package->num; c++)
			if (um_cpuset_has(um_package_cpus(die), package[c].cpu))
				package[c].of = next;
		next++;
	}
	return next;
}

static void fill(struct uncoremsr_throttle *t)
{
	struct um_subject *s = t->subjects, *die = t->subjects + t->num_listed;

	for (size_t p = 0; p < t->topo.num_packages; p++) {
		const struct um_package *package = &t->topo.packages[p];
		int id = package->shown.id;

		s->num = package->cores.num;
		s->num_dies = count_dies(t, id);
		init_subject(t, s, id, -1, -1, (unsigned)package->shown.cpu);
		for (size_t c = 0; c < package->cores.num; c++) {
			unsigned cpu = package->cores.cpus[c];
			int core = um_core_id(t->um->m.access, (int)cpu);

			s[c + 1].of = s;
			/* If sysfs has no core_id, number the cores from 0. */
			init_subject(t, &s[c + 1], id, core < 0 ? (int)c : core, -1, cpu);
		}
		die = fill_dies(t, s, die);
		s += package->cores.num + 1;
	}
}

static int make_subjects(struct uncoremsr_throttle *t)
{
	/* AMD's dies have no registers in our tables. */
	int err = t->model && !(t->model->has & UM_HAS_AMD) ? um_read_dies(t) : 0;

	for (size_t i = 0; i < t->topo.num_packages && !err; i++) {
		struct um_package *p = &t->topo.packages[i];

		err = um_package_read_cores(p);
		t->num_listed += 1 + p->cores.num;
		t->num_subjects += 1 + p->cores.num + count_dies(t, p->shown.id);
	}
	if (!err) {
		t->subjects = calloc(t->num_subjects + 1, sizeof(*t->subjects));
		err = t->subjects ? 0 : -ENOMEM;
	}
	if (!err)
		fill(t);
	else
		t->num_subjects = t->num_listed = 0;
	return err;
}

/* ---- keeping earlier values ---- */

static void keep_readings(struct um_subject *s, const struct um_subject *old)
{
	for (int i = 0; i < UM_NUM_SOURCES; i++) {
		const struct um_thermal_reg *row = s->sources[i].row;

		s->sources[i] = old->sources[i];
		s->sources[i].row = row;
		if (!old->read) /* if this look() has read the subject, it is not read again: keep the error */
			s->sources[i].err = 0;
		/* um_files_find() and um_hwmon_find() will open the file again, if it still exists. */
		s->sources[i].path[0] = '\0';
		s->sources[i].handle = -1;
	}
	s->read = old->read;
	s->explained = old->explained;
	s->guaranteed = old->guaranteed;
	s->plr = old->plr;
}

/* Keep the earlier values, unless they were read through another CPU, or the CPU has been offline meanwhile. */
static void keep(struct um_subject *s, const struct um_subject *old)
{
	if (old->package != s->package || old->core != s->core || old->die != s->die)
		return;
	s->fresh = old->fresh;
	memcpy(s->told_ns, old->told_ns, sizeof(s->told_ns));
	if (old->cpu == s->cpu && !old->lost)
		keep_readings(s, old);
}

/* To explain why a device cannot be opened, several files are read, so do that only if the error has changed. */
static void open_device(struct uncoremsr_throttle *t, struct um_subject *s)
{
	struct um_access *a = t->um->m.access;
	int err = um_cpuset_has(&t->opened, s->cpu) ? 0 : um_access_open_cpu(a, s->cpu, false);

	if (!err) {
		err = um_cpuset_add(&t->opened, s->cpu);
		if (err)
			um_access_close_cpu(a, s->cpu);
	}
	if (!err)
		s->access.class = UNCOREMSR_ERROR_NONE;
	else if (err == -ENOMEM)
		um_no_memory(&s->access);
	else if (err != s->open_err)
		um_driver_explain(a, UM_STEP_OPEN, s->cpu, NULL, err, &s->access);
	s->open_err = err;
}

/* Open the devices of all subjects. Failures are retried by later calls of look(), except for lack of memory. */
static int open_devices(struct uncoremsr_throttle *t)
{
	int err = 0;

	for (size_t i = 0; i < t->num_subjects && t->model && !t->kernel_only; i++) {
		open_device(t, &t->subjects[i]);
		if (t->subjects[i].open_err == -ENOMEM)
			err = -ENOMEM;
	}
	return err;
}

/* Driver or permission may come later: retry one device in each look(), and all of them after a success. */
static bool retry_devices(struct uncoremsr_throttle *t)
{
	for (size_t i = 0; i < t->num_subjects; i++) {
		size_t k = (t->retry + i) % t->num_subjects;

		if (t->subjects[k].access.class == UNCOREMSR_ERROR_NONE)
			continue;
		t->retry = k + 1;
		open_device(t, &t->subjects[k]);
		if (t->subjects[k].open_err)
			return false;
		open_devices(t);
		return true;
	}
	return false;
}

static int list_again(struct uncoremsr_throttle *t)
{
	struct um_subject *old = t->subjects;
	size_t num = t->num_subjects;
	int err;

	t->subjects = NULL;
	t->num_subjects = t->num_listed = 0;
	um_topology_free(&t->topo);
	um_topology_free(&t->by_die);
	err = um_topology_read(&t->topo, t->um->m.access, false, &t->um->error) ?: make_subjects(t);
	if (!err) {
		for (size_t i = 0; i < t->num_subjects; i++)
			for (size_t k = 0; k < num; k++)
				keep(&t->subjects[i], &old[k]);
		err = open_devices(t);
		um_files_find(t);
		err = err ? err : um_hwmon_find(t);
		um_cleared_apply(t);
		um_tpmi_find(t);
		err = err ? err : um_policies_find(t);
	}
	free_subjects(t, old, num);
	return err;
}

/* If the file cannot be read, the list stays empty, and the topology reader finds the online CPUs in another way. */
static void read_online(struct uncoremsr_throttle *t)
{
	if (um_text_read(t->um->m.access, ONLINE_FILE, &t->online_file, t->list, UM_LIST_SIZE) < 0)
		t->list[0] = '\0';
}

int um_subjects_update(struct uncoremsr_throttle *t)
{
	char *copy;
	int err;

	if (!t->list)
		t->list = malloc(UM_LIST_SIZE);
	if (!t->list)
		return um_no_memory(&t->um->error);
	read_online(t);
	if (t->online && strcmp(t->online, t->list) == 0) {
		t->device_opened |= retry_devices(t);
		return 0;
	}
	copy = strdup(t->list);
	err = copy ? list_again(t) : -ENOMEM;
	if (err == -ENOMEM)
		um_no_memory(&t->um->error);
	read_online(t);
	free(t->online);
	/* If the list has changed meanwhile, list the subjects again at the next look(), even if it changes back. */
	t->online = !err && strcmp(copy, t->list) == 0 ? copy : NULL;
	if (!t->online)
		free(copy);
	return err;
}

void um_subjects_free(struct uncoremsr_throttle *t)
{
	free_subjects(t, t->subjects, t->num_subjects);
	um_policies_free(t);
	um_text_close(t->um->m.access, &t->online_file);
	um_topology_free(&t->topo);
	um_topology_free(&t->by_die);
	for (size_t i = 0; i < t->opened.num; i++)
		um_access_close_cpu(t->um->m.access, t->opened.cpus[i]);
	um_cpuset_free(&t->opened);
	free(t->online);
	free(t->list);
	free(t->counts);
}
