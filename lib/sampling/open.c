/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens the events, for the right tasks and CPUs. There is one ring per CPU, into which all events of all threads on
 * that CPU write, because the ring of an inherited event can be mapped only if the event is bound to a CPU. If only
 * single threads are sampled (-t), each has its own ring.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "names/catalogue.h"
#include "names/scanner.h"
#include "perf/count.h"
#include "encode/perf_event.h"
#include "sampling/sampling.h"

/* Ring size of perf, which just fits the default limit kernel.perf_event_mlock_kb. */
enum { RING_SIZE = 512 * 1024, SPARE_DESCRIPTORS = 32, SCANS = 8 };
/* Shortest period of clock events in the kernel (kernel/events/core.c, perf_swevent_start_hrtimer()). */
enum { SHORTEST_CLOCK_NS = 10000 };

static const uint64_t in_every_sample =
	PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;

/* ---- can the event be sampled? ---- */

static bool is_clock(const struct um_perf_attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && (a->config[0] == PERF_COUNT_SW_CPU_CLOCK ||
						 a->config[0] == PERF_COUNT_SW_TASK_CLOCK);
}

static const char of_nobody[] =
	"it counts for a whole core or package, so no count belongs to an instruction or thread";

static int refuse(struct um_error *e, const struct um_perf_event *ev, const char *why)
{
	um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': cannot sample: %s", ev->name, why);
	return um_advise(e, -ENOTSUP, "count it over time (uncore-read -e '%s' -i 1), and sample an event of the "
		"cores, such as cycles or cpu-clock", ev->name);
}

/*
 * POWER's trace mode. The hardware writes records at a rate of its own, and the kernel's samples contain only what is
 * in these records (Linux arch/powerpc/perf/imc-pmu.c). A frequency makes the kernel stop and restart the event at each
 * tick, which empties the buffer; a call chain or an address made the kernel crash.
 */
static int check_trace(struct uncoremsr_sampling *s, const struct um_perf_event *ev)
{
	const char *why = NULL;

	if (s->settings.sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_ADDR))
		why = "trace mode records neither call chains nor data addresses; leave out -g and -d";
	else if (s->asked_frequency)
		why = "trace mode has a rate of its own; leave out -F";
	else if (s->events.num > 1)
		why = "trace mode cannot be sampled together with other events";
	if (why)
		return UM_USAGE(&s->um->error, "event '%s': %s", ev->name, why);
	s->settings.period = s->settings.by_frequency ? 1 : s->settings.period;
	s->settings.by_frequency = false;
	return 0;
}

static int check_event(struct uncoremsr_sampling *s, const struct um_perf_event *ev)
{
	struct um_error *e = &s->um->error;

	if (ev->units[0].pmu && ev->units[0].pmu->imc == UM_IMC_TRACE)
		return check_trace(s, ev);
	if (ev->is_uncore || ev->absent)
		return refuse(e, ev, of_nobody);
	if (is_clock(&ev->units[0].attr) && !s->settings.by_frequency && s->settings.period < SHORTEST_CLOCK_NS)
		return UM_USAGE(e, "event '%s': its period is %" PRIu64 " ns, but clock events of the kernel take "
			"at most one sample every %d ns", ev->name, s->settings.period, SHORTEST_CLOCK_NS);
	return 0;
}

/* Does @text name an uncore event of our tables? The kernel may have no PMU for that event. */
static bool is_of_tables(const char *text, const struct um_event_pmus *pmus)
{
	struct um_written w = { NULL, 0 };
	struct um_encodings list = { 0 };
	struct um_error e;
	bool is = !um_scan_events(&w, text, &e) && um_perf_of_tables(&list, pmus, w.events, w.num, false) > 0;

	um_events_free(&list);
	um_written_free(&w);
	return is;
}

/* Does the name begin with "unc_" or "uncore"? The event may be one of another processor or of an unloaded driver. */
static bool is_called_uncore(const char *text)
{
	return !strncasecmp(text, "unc_", 4) || !strncasecmp(text, "uncore", 6);
}

static int encode(struct uncoremsr_sampling *s, const char *text)
{
	struct um_event_pmus pmus = { .num = 0 };
	char *events = NULL;
	int num = um_names_of(s->um) ?: um_names_expand(s->um, NULL, text, &events), err = 0;
	bool is_uncore;

	if (!num && um_pmus_of(s->um, NULL, &pmus))
		pmus.num = 0; /* no tables for this processor */
	pmus.names = NULL; /* NULL: search only our tables, because event lists also have core events */
	is_uncore = !num && pmus.num && is_of_tables(events ? events : text, &pmus);
	pmus.names = s->um->names;
	if (!num && !is_uncore)
		num = um_perf_parse(&s->events, &pmus, events ? events : text, &s->um->error);
	free(events);
	if (is_uncore)
		return refuse(&s->um->error, &(struct um_perf_event){ .name = (char *)text }, of_nobody);
	if (num == -ENOENT && is_called_uncore(text))
		um_hint(&s->um->error, "uncore events cannot be sampled on any machine: count them over time "
			"(uncore-read -i 1), and sample an event of the cores, such as cycles or cpu-clock");
	for (size_t i = 0; num > 0 && i < s->events.num && !err; i++)
		err = check_event(s, &s->events.events[i]);
	return num < 0 ? num : err;
}

/* ---- the plan ---- */

static int plan_sampled(struct uncoremsr_sampling *s)
{
	size_t num = 0;

	for (size_t i = 0; i < s->events.num; i++)
		num += s->events.events[i].num_units;
	s->sampled = calloc(num + 1, sizeof(*s->sampled));
	s->file_events = calloc(num + 1, sizeof(*s->file_events));
	if (!s->sampled || !s->file_events)
		return um_no_memory(&s->um->error);
	for (size_t i = 0; i < s->events.num; i++)
		for (unsigned u = 0; u < s->events.events[i].num_units; u++)
			s->sampled[s->num_sampled++] = (struct um_sampled){ .event = i, .unit = u };
	s->settings.sample_type |= in_every_sample;
	if (s->settings.by_frequency)
		s->settings.sample_type |= PERF_SAMPLE_PERIOD;
	if (num > 1)
		s->settings.sample_type |= PERF_SAMPLE_IDENTIFIER;
	s->settings.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	return 0;
}

static struct um_perf_unit *unit_of(const struct uncoremsr_sampling *s, const struct um_sampled *of)
{
	return &s->events.events[of->event].units[of->unit];
}

static bool is_of_cpu(const struct um_perf_unit *unit, int cpu)
{
	return cpu < 0 || !unit->pmu || unit->pmu->cpus_are != UM_CPUS_COVERED ||
	       um_cpuset_has(&unit->pmu->cpus, (unsigned)cpu);
}

/* Plan all events of @num threads or processes, with one ring for all. */
static int plan_ring(struct uncoremsr_sampling *s, int cpu, const long *ids, size_t num)
{
	struct um_sampling_ring *r = &s->rings[s->num_rings];
	int err = 0;

	*r = (struct um_sampling_ring){ .first = s->num_streams };
	for (size_t i = 0; i < num; i++)
		for (size_t k = 0; k < s->num_sampled && !err; k++)
			if (is_of_cpu(unit_of(s, &s->sampled[k]), cpu))
				err = ARRAY_APPEND(s->streams, s->num_streams, (struct um_stream){
					.sampled = k, .pid = (pid_t)ids[i], .cpu = cpu });
	r->num = s->num_streams - r->first;
	s->num_rings += r->num > 0;
	return err ? um_no_memory(&s->um->error) : 0;
}

/*
 * Warn about events that no online CPU counts, or fail if there is no ring at all. Do not warn about an event of all
 * kinds of cores: a kind without an online CPU is left out.
 */
static int tell_without_cpus(const struct uncoremsr_sampling *s)
{
	for (size_t i = 0; i < s->num_sampled; i++) {
		const struct um_perf_event *ev = &s->events.events[s->sampled[i].event];
		const struct um_kernel_pmu *pmu = unit_of(s, &s->sampled[i])->pmu;
		int err = pmu ? um_kernel_pmu_has_no_cpus(pmu, ev->name, &s->um->error) : 0;

		if (err && !s->num_rings)
			return err;
		if (err && !um_perf_is_of_kinds(ev))
			um_warn(&s->um->m, "not sampled: event '%s': %s", ev->name, s->um->error.msg);
	}
	return 0;
}

static int plan(struct uncoremsr_sampling *s, const long *ids, size_t num)
{
	static const long everything = -1;
	const struct um_cpuset *online = &s->um->m.topo.online;
	bool threads = s->target == UNCOREMSR_TARGET_THREAD && !s->cpus.num;
	int err = 0;

	if (s->target == UNCOREMSR_TARGET_SYSTEM) {
		ids = &everything;
		num = 1;
	}
	s->rings = calloc((threads ? num : online->num) + 1, sizeof(*s->rings));
	if (!s->rings)
		return um_no_memory(&s->um->error);
	for (size_t i = 0; threads && i < num && !err; i++)
		err = plan_ring(s, -1, &ids[i], 1);
	for (size_t i = 0; !threads && i < online->num && !err; i++)
		if (!s->cpus.num || um_cpuset_has(&s->cpus, online->cpus[i]))
			err = plan_ring(s, (int)online->cpus[i], ids, num);
	if (!err)
		err = tell_without_cpus(s);
	if (!err && !s->num_rings)
		err = um_fail(&s->um->error, -ENODEV, UNCOREMSR_ERROR_USAGE,
			      "none of the chosen CPUs that are online has these events");
	return err;
}

/* ---- threads of processes ---- */

struct threads {
	long *ids;
	size_t num;
	bool failed;
};

static int add_thread(void *user, const char *name)
{
	struct threads *t = user;
	long id = strtol(name, NULL, 10);

	if (id <= 0)
		return 0;
	for (size_t i = 0; i < t->num; i++)
		if (t->ids[i] == id)
			return 0;
	t->failed = ARRAY_APPEND(t->ids, t->num, id);
	return t->failed ? -ENOMEM : 0;
}

static int no_such_task(const struct uncoremsr_sampling *s, long id)
{
	return um_fail(&s->um->error, -ESRCH, UNCOREMSR_ERROR_USAGE, "there is no %s %ld",
		       s->target == UNCOREMSR_TARGET_THREAD ? "thread" : "process", id);
}

/* List the threads that exist now. Their future children inherit the events. */
static int list_threads(const struct uncoremsr_sampling *s, struct threads *t)
{
	struct um_access *a = s->um->m.access;
	char path[64];

	for (size_t i = 0; i < s->num_ids; i++) {
		if (s->ids[i] <= 0 || s->ids[i] > INT_MAX)
			return no_such_task(s, s->ids[i]);
		snprintf(path, sizeof(path), "proc/%ld/task", s->ids[i]);
		if (s->target != UNCOREMSR_TARGET_PROCESS || a->ops->list(a, path, add_thread, t))
			snprintf(path, sizeof(path), "%ld", s->ids[i]);
		else
			continue;
		if (add_thread(t, path))
			break;
	}
	return t->failed ? um_no_memory(&s->um->error) : 0;
}

/* ---- opening ---- */

static unsigned stream_flags(const struct uncoremsr_sampling *s)
{
	unsigned flags = UM_PERF_DISABLED;

	if (s->target == UNCOREMSR_TARGET_COMMAND || s->target == UNCOREMSR_TARGET_PROCESS)
		flags |= UM_PERF_INHERIT;
	if (s->target == UNCOREMSR_TARGET_COMMAND)
		flags |= UM_PERF_ENABLE_ON_EXEC;
	return flags;
}

static int try_open(struct uncoremsr_sampling *s, const struct um_stream *t, bool tells)
{
	struct um_perf_attr *keep = &unit_of(s, &s->sampled[t->sampled])->attr, attr = *keep;
	const struct um_perf_kernel_ops *ops = s->kernel->ops;
	struct um_perf_sampling settings = s->settings;
	int fd;

	settings.tells_tasks = tells;
	attr.sampling = &settings;
	fd = ops->open(s->kernel, &attr, t->pid, t->cpu, -1, stream_flags(s));
	if (fd == -EINVAL && attr.guest_by_default) {
		attr.exclude_guest = false;
		fd = ops->open(s->kernel, &attr, t->pid, t->cpu, -1, stream_flags(s));
		keep->exclude_guest &= fd < 0;
	}
	/* Linux before 6.0 has no PERF_FORMAT_LOST; there only LOST records tell how many records were lost. */
	if (fd == -EINVAL && s->settings.read_format & PERF_FORMAT_LOST) {
		s->settings.read_format ^= PERF_FORMAT_LOST;
		fd = try_open(s, t, tells);
		if (fd < 0)
			s->settings.read_format |= PERF_FORMAT_LOST;
	}
	return fd;
}

static int explain(const struct uncoremsr_sampling *s, const struct um_stream *t, int err)
{
	const struct um_sampled *of = &s->sampled[t->sampled];
	const struct um_perf_event *ev = &s->events.events[of->event];
	const struct um_kernel_pmu *pmu = unit_of(s, of)->pmu;

	if (err == -EOPNOTSUPP || (err == -EINVAL && pmu && !um_kernel_pmu_is_core(pmu)))
		return refuse(&s->um->error, ev, "the kernel says that the event's PMU raises no overflow interrupt");
	if (err == -ESRCH)
		return no_such_task(s, t->pid);
	return um_perf_explain(s->um->m.access, ev, of->unit, t->cpu, t->pid, err, &s->um->error);
}

/* Has the thread ended, or the CPU gone offline, since the threads and CPUs were listed? */
static bool is_gone(const struct uncoremsr_sampling *s, int err)
{
	return (err == -ESRCH && s->target == UNCOREMSR_TARGET_PROCESS) ||
	       (err == -ENODEV && s->target != UNCOREMSR_TARGET_THREAD);
}

/* Open the streams of a ring. Those that could be opened are moved to the first *open elements of @streams. */
static int open_ring(struct uncoremsr_sampling *s, struct um_sampling_ring *r, size_t *open, int *first)
{
	size_t begin = *open;
	pid_t told = 0;

	for (size_t i = r->first; i < r->first + r->num; i++) {
		struct um_stream t = s->streams[i];

		t.fd = try_open(s, &t, *open == begin || t.pid != told);
		if (t.fd < 0) {
			*first = *first ? *first : explain(s, &t, t.fd);
			if (!is_gone(s, t.fd))
				return t.fd;
			continue;
		}
		told = t.pid;
		s->streams[(*open)++] = t;
	}
	r->first = begin;
	r->num = *open - begin;
	return 0;
}

static int raise_limit(const struct uncoremsr_sampling *s)
{
	uint64_t soft, hard, need = s->num_streams + SPARE_DESCRIPTORS;

	if (!s->kernel->ops->raise_limit(s->kernel, need, &soft, &hard))
		return 0;
	um_fail(&s->um->error, -EMFILE, UNCOREMSR_ERROR_UNSUPPORTED, "%zu descriptors are needed (events "
		"times threads times CPUs), and the limit on open files is %" PRIu64, s->num_streams, hard);
	return um_advise(&s->um->error, -EMFILE, "raise it to %" PRIu64 " (ulimit -Hn), or sample fewer events or CPUs",
		need);
}

static void close_streams(struct uncoremsr_sampling *s)
{
	for (size_t i = s->num_streams; i-- > 0;)
		s->kernel->ops->close(s->kernel, s->streams[i].fd);
	FREE_AND_NULL(s->streams);
	FREE_AND_NULL(s->rings);
	s->num_streams = s->num_rings = 0;
}

static int open_streams(struct uncoremsr_sampling *s, const long *ids, size_t num)
{
	int err = plan(s, ids, num) ?: raise_limit(s), first = 0;
	size_t open = 0, rings = 0;

	for (size_t i = 0; i < s->num_rings && !err; i++) {
		err = open_ring(s, &s->rings[i], &open, &first);
		s->rings[rings] = s->rings[i];
		rings += s->rings[i].num > 0;
	}
	s->num_streams = open;
	s->num_rings = rings;
	if (!err && !open)
		err = first;
	if (err)
		close_streams(s);
	return err;
}

/* New threads may start while the list is read. Repeat until there are no new threads, at most SCANS times. */
static int open_threads(struct uncoremsr_sampling *s)
{
	struct threads t = { .num = 0 };
	size_t opened = 0;
	int err = list_threads(s, &t);

	for (int i = 0; i < SCANS && !err && (t.num > opened || !i); i++) {
		opened = t.num;
		close_streams(s);
		err = open_streams(s, t.ids, t.num);
		if (!err && s->target == UNCOREMSR_TARGET_PROCESS)
			err = list_threads(s, &t);
	}
	free(t.ids);
	return err;
}

/* If permission is denied, sample user code only. Events with modifiers for user or kernel mode remain unchanged. */
static int open_permitted(struct uncoremsr_sampling *s)
{
	int err = open_threads(s);
	bool tried = false;

	if (!um_lacks_permission(err))
		return err;
	for (size_t i = 0; i < s->num_sampled; i++) {
		struct um_perf_attr *a = &unit_of(s, &s->sampled[i])->attr;

		if (a->exclude_user || a->exclude_kernel)
			continue;
		a->exclude_kernel = a->exclude_hv = tried = true;
	}
	if (tried) {
		err = open_threads(s);
		if (!err)
			um_warn(&s->um->m, "sampling the kernel is not permitted (kernel.perf_event_paranoid): "
				"sampling user code only");
	}
	return err;
}

/* ---- rings ---- */

static void unmap_rings(struct uncoremsr_sampling *s)
{
	for (size_t i = 0; i < s->num_rings; i++) {
		if (s->rings[i].map)
			s->kernel->ops->unmap_ring(s->kernel, s->rings[i].map, s->ring_size);
		s->rings[i].map = NULL;
	}
}

static int map_rings(struct uncoremsr_sampling *s, size_t page)
{
	int err = 0;

	for (size_t i = 0; i < s->num_rings && !err; i++) {
		struct um_sampling_ring *r = &s->rings[i];

		r->polled = r->first;
		r->map = s->kernel->ops->map_ring(s->kernel, s->streams[r->first].fd, s->ring_size, &err);
		if (r->map && um_ring_attach(&r->ring, r->map, page + s->ring_size, page))
			err = -EBADMSG;
		for (size_t k = 1; k < r->num && !err; k++)
			err = s->kernel->ops->set_output(s->kernel, s->streams[r->first + k].fd,
							 s->streams[r->first].fd);
	}
	return err;
}

/* Map the rings. Halve their size until the limit of locked memory allows them. */
static int make_rings(struct uncoremsr_sampling *s)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), num = s->num_rings;
	int err;

	s->ring_size = RING_SIZE;
	err = map_rings(s, page);
	while (err == -EPERM && s->ring_size > page) {
		unmap_rings(s);
		s->ring_size /= 2;
		err = map_rings(s, page);
	}
	s->polled = calloc(num + 1, sizeof(*s->polled));
	if (!err)
		return s->polled ? 0 : um_no_memory(&s->um->error);
	um_fail(&s->um->error, err, err == -EPERM ? UNCOREMSR_ERROR_ACCESS : UNCOREMSR_ERROR_UNSUPPORTED,
		"%zu ring%s of %zu KiB cannot be mapped: %s", num, num == 1 ? "" : "s", s->ring_size / 1024,
		strerror(-err));
	return um_advise(&s->um->error, err, "raise kernel.perf_event_mlock_kb or the limit of locked memory (ulimit "
		"-l), or sample fewer CPUs");
}

/* Name as in perf: "cycles:u" if only user code is sampled, "cpu_core/cycles/u" with a unit for each kind of core. */
static char *name_of(const struct um_perf_event *ev, const struct um_perf_unit *unit)
{
	bool only_user = unit->attr.exclude_kernel && !strpbrk(ev->name, ":/");
	int len = (int)strcspn(ev->name, ":");
	const char *mods = only_user ? ":u" : ev->name + len, *slash = strchr(ev->name, '/');
	char *name;

	if (um_perf_is_of_kinds(ev) && slash) /* replace the PMU "cpu*" by the one of the unit */
		len = asprintf(&name, "%s%s", unit->pmu->name, slash);
	else if (um_perf_is_of_kinds(ev))
		len = asprintf(&name, "%s/%.*s/%s", unit->pmu->name, len, ev->name, mods + (*mods == ':'));
	else
		len = asprintf(&name, "%.*s%s", len, ev->name, mods);
	return len < 0 ? NULL : name;
}

static int name_sampled(struct uncoremsr_sampling *s)
{
	s->names = calloc(s->num_sampled + 1, sizeof(*s->names));
	if (!s->names)
		return um_no_memory(&s->um->error);
	for (size_t i = 0; i < s->num_sampled; i++) {
		s->names[i] = name_of(&s->events.events[s->sampled[i].event], unit_of(s, &s->sampled[i]));
		if (!s->names[i])
			return um_no_memory(&s->um->error);
		s->file_events[i].name = s->names[i];
	}
	for (size_t i = 0; i < s->num_streams; i++) {
		struct um_stream *t = &s->streams[i];
		struct um_perf_data_event *of = &s->file_events[t->sampled];
		int err;

		err = s->kernel->ops->id(s->kernel, t->fd, &t->id);
		if (err)
			return um_fail(&s->um->error, err, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': the kernel "
				       "does not return its id (PERF_EVENT_IOC_ID): %s", s->names[t->sampled],
				       strerror(-err));
		if (ARRAY_APPEND(of->ids, of->num_ids, t->id))
			return um_no_memory(&s->um->error);
	}
	return 0;
}

int um_sampling_open_events(struct uncoremsr_sampling *s, const char *text)
{
	int err = encode(s, text) ?: plan_sampled(s) ?:
		  s->um->m.kernel(s->um->m.kernel_user, &s->kernel, &s->um->error);

	if (!err && !s->kernel->ops->map_ring)
		err = um_fail(&s->um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			      "%s: no event can be sampled on this machine", s->um->name);
	err = err ?: open_permitted(s) ?: make_rings(s) ?: name_sampled(s);
	if (err)
		um_sampling_close_events(s);
	return err;
}

uint64_t um_sampling_rate(const struct uncoremsr_sampling *s)
{
	uint64_t each = s->settings.by_frequency ? s->settings.period : UINT64_C(1000000000) / s->settings.period;

	for (size_t i = 0; i < s->num_sampled && !s->settings.by_frequency; i++)
		if (!is_clock(&unit_of(s, &s->sampled[i])->attr))
			return UINT64_MAX;
	/* Count events, not units: of an event's units, one for each kind of core, a CPU samples only one. */
	return each * s->events.num;
}

uint64_t um_sampling_cost(const struct uncoremsr_sampling *s)
{
	enum { SOFTWARE_NS = 14000, HARDWARE_NS = 2000 };

	for (size_t i = 0; i < s->num_sampled; i++)
		if (unit_of(s, &s->sampled[i])->attr.type == PERF_TYPE_SOFTWARE)
			return SOFTWARE_NS;
	return HARDWARE_NS;
}

void um_sampling_close_events(struct uncoremsr_sampling *s)
{
	while (s->num_queued)
		free(s->queue[--s->num_queued]);
	FREE_AND_NULL(s->queue);
	FREE_AND_NULL(s->taken);
	unmap_rings(s);
	close_streams(s);
	for (size_t i = 0; i < s->num_sampled; i++) {
		if (s->names)
			free(s->names[i]);
		free(s->file_events[i].ids);
	}
	FREE_AND_NULL(s->sampled);
	FREE_AND_NULL(s->file_events);
	FREE_AND_NULL(s->names);
	FREE_AND_NULL(s->polled);
	s->num_sampled = 0;
	um_perf_events_free(&s->events);
}
