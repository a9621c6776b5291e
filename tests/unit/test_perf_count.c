/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counting through the simulated kernel (lib/sim/perf*.c). Uses internal headers, because the test replaces single
 * calls of the kernel, and because no public function shows the default attributes of an event.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "perf/count.h"
#include "encode/perf_event.h"
#include "fake_tree.h"
#include "sim/sim.h"
#include "suite.h"
#include "uncoremsr/sim.h"

#define DEV "sys/bus/event_source/devices/"
#define SECOND 1000000000ull
/* With clock=stepped, a CPU counts 45000000 * (64 - cpu % 8) cycles in a second, and 3/4 as many instructions. */
#define STEPPED "clock=stepped,tsc_hz=3200000000"
#define WESTMERE "westmere-2s," STEPPED
#define NEHALEM "nehalem-1s," STEPPED
#define CYCLES(cpu) (45000000ull * (64 - (cpu) % 8))

static struct uncoremsr_sim *sim;
static struct um_access *access_;
static struct um_perf_kernel *kernel;
static struct um_topology topo;
static struct um_names names;
static struct um_choices choices;
static struct um_perf_count count;
static struct um_error why;

static void set_up(const char *machine, const char *events)
{
	char text[256] = "";
	int num;

	ck_assert_msg(!uncoremsr_sim_new(&sim, machine, text, sizeof(text)), "%s", text);
	ck_assert_int_eq(um_sim_access(&access_, sim, true), 0);
	ck_assert_int_eq(um_sim_perf_kernel(sim, &kernel), 0);
	ck_assert_int_eq(um_topology_read(&topo, access_, false, &why), 0);
	names = (struct um_names){ .access = access_, .kernel.access = access_ };
	count = (struct um_perf_count){ .kernel = kernel, .access = access_, .topo = &topo,
					.choices = &choices };
	num = um_perf_parse(&count.events, &(struct um_event_pmus){ .names = &names }, events, &why);
	ck_assert_msg(num > 0, "%s", why.msg);
}

static void tear_down(void)
{
	if (!kernel)
		return;
	um_cpuset_free(&choices.cpus);
	um_perf_count_free(&count);
	um_kernel_pmus_free(&names.kernel);
	um_topology_free(&topo);
	kernel->ops->destroy(kernel);
	access_->ops->close(access_);
	kernel = NULL;
}

FIXTURE(.teardown = tear_down)

static void on_cpu(unsigned cpu)
{
	ck_assert_int_eq(um_cpuset_add(&choices.cpus, cpu), 0);
}

static void of_process(enum um_target_kind kind)
{
	static pid_t pid = 123;

	count.target.kind = kind;
	count.target.pids = &pid;
	count.target.num_pids = 1;
}

static void begin(void)
{
	int err = um_perf_count_open(&count, &why);

	ck_assert_msg(!err, "%s", why.msg);
	ck_assert_int_eq(um_perf_count_start(&count, &why), 0);
}

static int let_pass(uint64_t ns)
{
	ck_assert_int_eq(uncoremsr_sim_advance(sim, ns), 1);
	return um_perf_count_read(&count, uncoremsr_sim_state(sim)->now, true, &why);
}

static void begin_on(const char *machine, const char *events)
{
	set_up(machine, events);
	on_cpu(0);
	begin();
}

static void count_a_second(const char *machine, const char *events)
{
	begin_on(machine, events);
	ck_assert_int_eq(let_pass(SECOND), 0);
}

static const struct uncoremsr_reading *reading(size_t i)
{
	ck_assert_uint_lt(i, count.num_instances);
	return um_reading_show(&count.instances[i].reading);
}

static const struct um_perf_instance *instance(size_t event, int cpu)
{
	for (size_t i = 0; i < count.num_instances; i++)
		if (count.instances[i].event == event && count.instances[i].cpu == cpu)
			return &count.instances[i];
	ck_abort_msg("event %zu has nothing on CPU %d", event, cpu);
	return NULL;
}

/* ---- counts and times ---- */

TEST(the_first_event_of_a_group_leads_it)
{
	set_up(WESTMERE, "{cycles,instructions,cs},cache-misses");
	on_cpu(3);
	begin();
	ck_assert_int_eq(count.instances[1].leader, 0);
	ck_assert_int_eq(count.instances[2].leader, 0);
	ck_assert_int_eq(count.instances[3].leader, -1);
}

TEST(events_in_turns_are_scaled_and_their_sums_never_fall)
{
	static const char events[] = "r1a1,r1a2,r1a3,r1a4,r1a5,r1a6";
	uint64_t last[6] = { 0 }, time = 0;

	begin_on(WESTMERE ",kernel_rate=cpu:0x1a1:1000000007", events);
	for (unsigned k = 1; k <= 60; k++) {
		uint64_t step = 3000000 + k * 1234567, running = 0;

		ck_assert_int_eq(let_pass(step), 0);
		time += step;
		for (size_t i = 0; i < 6; i++) {
			const struct um_reading *total = &count.instances[i].total;

			ck_assert_uint_ge(total->value, last[i]);
			last[i] = total->value;
			running += reading(i)->running_ns;
			if (reading(i)->status == UNCOREMSR_NOT_COUNTED)
				ck_assert_uint_eq(reading(i)->running_ns, 0);
		}
		/*
		 * Six events share four counters that are always busy, so the running times add up to four times the
		 * interval.
		 */
		ck_assert_uint_eq(running, 4 * step);
	}
	ck_assert_uint_lt(count.instances[0].total.running_ns, time);
	ck_assert_uint_eq(count.instances[0].total.enabled_ns, time);
	ck_assert_double_eq_tol((double)last[0], 1000000007e-9 * (double)time, (double)time / 50);
	ck_assert_uint_lt(count.instances[0].total.counted, last[0]);
}

TEST(a_jump_of_the_clock_by_years_does_not_take_long)
{
	begin_on(WESTMERE, "r1a1,r1a2,r1a3,r1a4,r1a5");
	ck_assert_int_eq(let_pass(UINT64_MAX / 2), 0);
	for (size_t i = 0; i < 5; i++)
		ck_assert_double_eq_tol((double)reading(i)->running_ns /
					(double)reading(i)->enabled_ns, 0.8, 0.001);
}

TEST(scaling_does_not_lose_remainders)
{
	uint64_t exact;

	/*
	 * Five events share four counters, so each count is scaled by 5/4. Rounding must not lose counts from interval
	 * to interval.
	 */
	begin_on(NEHALEM ",kernel_rate=cpu:0x1a1:250", "r1a1,r1a2,r1a3,r1a4,r1a5");
	for (unsigned k = 0; k < 1000; k++)
		ck_assert_int_eq(let_pass(20000000), 0); /* five turns; each event counts in four of them */
	exact = count.instances[0].total.counted * 5 / 4;
	ck_assert_uint_le(count.instances[0].total.value, exact + 1);
	ck_assert_uint_ge(count.instances[0].total.value + 1, exact);
}

static const struct um_perf_kernel_ops *true_ops;

static ssize_t read_without_time(struct um_perf_kernel *k, int fd, void *buf, size_t size)
{
	ssize_t got = true_ops->read(k, fd, buf, size);
	uint64_t *v = buf;

	v[1] = v[2] = 0;
	return got;
}

/*
 * A count without running time is an error. A task that slept has neither a count nor running time, and its count is 0.
 */
TEST(a_count_without_running_time_is_not_reported_as_zero)
{
	struct um_perf_kernel_ops ops;

	set_up(WESTMERE, "r5301b1");
	of_process(UM_TARGET_PROCESS);
	true_ops = kernel->ops;
	ops = *true_ops;
	ops.read = read_without_time;
	kernel->ops = &ops;
	begin();
	ck_assert_int_eq(let_pass(SECOND), 0);
	ck_assert_int_eq(reading(0)->status, UNCOREMSR_NOT_COUNTED);
	ck_assert_int_eq(count.instances[0].total.status, UNCOREMSR_NOT_COUNTED);
	ck_assert_str_eq(reading(0)->detail, "the event counted, but its running time in the kernel did not advance");
	ck_assert_int_eq(um_perf_count_read(&count, uncoremsr_sim_state(sim)->now, true, &why), 0);
	ck_assert_int_eq(reading(0)->status, UNCOREMSR_OK);
	ck_assert_uint_eq(reading(0)->value, 0);
	kernel->ops = true_ops;
}

/* ---- counted packages and processes ---- */

TEST(uncore_events_beside_a_process_count_the_package)
{
	set_up(WESTMERE ",kernel_uncore=yes", "uncore/event=0x03,umask=0x01/,cycles");
	of_process(UM_TARGET_PROCESS);
	begin();
	ck_assert_int_eq(let_pass(SECOND), 0);
	ck_assert_int_eq(reading(0)->status, UNCOREMSR_OK);
	ck_assert_int_eq(count.instances[0].pid, -1);
	ck_assert_int_eq(count.instances[count.num_instances - 1].pid, 123);
}

TEST(a_command_is_counted_from_the_start_on)
{
	set_up(WESTMERE, "cycles,instructions");
	of_process(UM_TARGET_CHILD);
	ck_assert_int_eq(um_perf_count_open(&count, &why), 0);
	uncoremsr_sim_advance(sim, SECOND);
	ck_assert_int_eq(um_perf_count_start(&count, &why), 0);
	ck_assert_int_eq(let_pass(SECOND), 0);
	ck_assert_uint_eq(reading(0)->value, CYCLES(0));
}

/* ---- refusals ---- */

TEST(the_soft_limit_is_raised_as_far_as_needed)
{
	uint64_t soft, hard;

	set_up(WESTMERE ",perf_limit=40,88", "cycles,instructions");
	begin();
	ck_assert_int_eq(kernel->ops->raise_limit(kernel, 0, &soft, &hard), 0);
	ck_assert_uint_eq(soft, 88);
	ck_assert_int_eq(let_pass(SECOND), 0);
	ck_assert_uint_eq(instance(1, 23)->reading.value, CYCLES(23) / 4 * 3);
}

/* Processes only; test_front.c tests refused system-wide counts. */
static const struct { const char *machine; int err; const char *says; } refused[] = {
	{ WESTMERE ",perf_user=nobody,perf_paranoid=2", -EACCES, "not permitted on" },
	{ WESTMERE ",perf_fail=cpu:ESRCH", -ESRCH, "there is no process 123" },
};

TEST_EACH(each_refusal_of_a_process_has_its_own_message, ARRAY_SIZE(refused))
{
	set_up(refused[_i].machine, "cycles");
	of_process(UM_TARGET_PROCESS);
	ck_assert_int_eq(um_perf_count_open(&count, &why), refused[_i].err);
	ck_assert_msg(strstr(why.msg, refused[_i].says) != NULL, "%s", why.msg);
}

/* ---- the simulated kernel ---- */

static int open_raw(uint32_t type, uint64_t config, pid_t pid, int cpu, int group, unsigned flags)
{
	struct um_perf_attr attr = { .type = type, .config = { config } };

	return kernel->ops->open(kernel, &attr, pid, cpu, group, flags);
}

TEST(the_simulated_kernel_answers_as_linux_does)
{
	uint64_t v[8];
	int leader, member, fd;

	set_up(NEHALEM ",offline=5", "cs");
	ck_assert_int_eq(open_raw(0, 0, -1, -1, -1, 0), -EINVAL);
	ck_assert_int_eq(open_raw(0, 0, -1, 8, -1, 0), -EINVAL);
	ck_assert_int_eq(open_raw(0, 0, -1, 5, -1, 0), -ENODEV);
	ck_assert_int_eq(open_raw(77, 0, -1, 0, -1, 0), -ENOENT);
	ck_assert_int_eq(open_raw(1, 99, -1, 0, -1, 0), -ENOENT);
	ck_assert_int_eq(open_raw(0, 99, -1, 0, -1, 0), -EINVAL);
	ck_assert_int_eq(open_raw(0, 0, -1, 0, 99, 0), -EBADF);
	leader = open_raw(0, 0, -1, 0, -1, UM_PERF_DISABLED | UM_PERF_GROUP_READ);
	ck_assert_int_ge(leader, 0);
	ck_assert_int_eq(open_raw(0, 1, -1, 1, leader, 0), -EINVAL);
	member = open_raw(0, 1, -1, 0, leader, UM_PERF_GROUP_READ);
	ck_assert_int_ge(member, 0);
	ck_assert_int_eq(open_raw(0, 2, -1, 0, member, 0), -EINVAL);
	uncoremsr_sim_advance(sim, SECOND);
	ck_assert_int_eq(kernel->ops->read(kernel, leader, v, 48), -ENOSPC);
	ck_assert_int_eq(kernel->ops->read(kernel, member, v, sizeof(v)), 56);
	ck_assert_uint_eq(v[0], 2);
	ck_assert_uint_eq(v[1] | v[2] | v[3] | v[5], 0);
	ck_assert_int_eq(kernel->ops->enable(kernel, leader, true), 0);
	uncoremsr_sim_advance(sim, SECOND);
	kernel->ops->close(kernel, leader);
	uncoremsr_sim_advance(sim, SECOND);
	ck_assert_int_eq(kernel->ops->read(kernel, member, v, sizeof(v)), 40);
	ck_assert_uint_eq(v[0], 1);
	ck_assert_uint_eq(v[1], 2 * SECOND);
	ck_assert_uint_eq(v[3], 2 * CYCLES(0) / 4 * 3);
	fd = open_raw(1, 3, -1, 0, -1, 0);
	ck_assert_int_eq(fd, leader); /* the kernel reuses the lowest free descriptor */
}

TEST(two_users_of_one_kernel_share_the_counters)
{
	struct um_perf_attr attr = { .type = 4 };
	struct um_perf_kernel *other;

	begin_on(NEHALEM, "r1a1");
	ck_assert_int_eq(um_sim_perf_kernel(sim, &other), 0);
	for (uint64_t i = 0; i < 4; i++) {
		attr.config[0] = 0x1b0 + i;
		ck_assert_int_ge(other->ops->open(other, &attr, -1, 0, -1, 0), 0);
	}
	ck_assert_int_eq(let_pass(SECOND), 0);
	ck_assert_uint_eq(reading(0)->running_ns, SECOND / 5 * 4);
	other->ops->destroy(other);
	ck_assert_int_eq(let_pass(SECOND), 0);
	ck_assert_uint_eq(reading(0)->running_ns, SECOND);
}

TEST(software_events_of_a_cpu_are_read_as_a_group_unless_disabled)
{
	set_up(NEHALEM, "page-faults,cycles,cs,{task-clock,cpu-clock},minor-faults:D,major-faults");
	begin();
	ck_assert_int_eq(let_pass(SECOND), 0);
	for (int cpu = 0; cpu < 8; cpu++) {
		const struct um_perf_instance *first = instance(0, cpu);

		ck_assert_ptr_eq(&count.instances[instance(2, cpu)->leader], first);
		ck_assert_ptr_eq(&count.instances[instance(6, cpu)->leader], first);
		ck_assert_int_eq(instance(1, cpu)->leader, -1);
		ck_assert_int_eq(instance(3, cpu)->leader, -1);
		ck_assert_int_eq(instance(5, cpu)->leader, -1);
		ck_assert(!instance(4, cpu)->joined);
	}
	for (size_t i = 0; i < count.num_instances; i++)
		ck_assert_int_eq(reading(i)->status, UNCOREMSR_OK);
	tear_down();
	/* Events of a process are inherited, and the kernel cannot read inherited events as a group. */
	set_up(NEHALEM, "page-faults,cs");
	of_process(UM_TARGET_PROCESS);
	begin();
	ck_assert_int_eq(instance(1, -1)->leader, -1);
}

TEST(a_software_event_has_no_leader_if_the_first_one_was_refused)
{
	count_a_second(NEHALEM ",perf_fail=software:EBUSY:times=1", "page-faults,cs,minor-faults");
	ck_assert_int_eq(count.instances[2].leader, -1);
}

/* ---- cpumask files, default attributes ---- */

/* Without the files "cpumask" and "cpus", a PMU counts on any CPU. An empty or damaged file does not mean any CPU. */
TEST(a_cpumask_without_cpus_does_not_mean_any_cpu)
{
	/* @many: every other CPU of 4,096. @half: a file of 70,000 bytes, which is too large. */
	char many[16384] = "0", half[70000] = "0";
	const struct {
		const char *file, *text;
		int are, err;
		size_t num;
	} rows[] = {
		{ "other", "0\n", UM_CPUS_ANY, 0, 0 },
		{ "cpumask", "0,18\n", UM_CPUS_MASK, 0, 2 },
		{ "cpus", "0-15\n", UM_CPUS_COVERED, 0, 16 },
		{ "cpumask", "\n", UM_CPUS_MASK, 0, 0 },
		{ "cpumask", "", UM_CPUS_MASK, 0, 0 },
		{ "cpus", "\n", UM_CPUS_COVERED, 0, 0 },
		{ "cpumask", "0-\n", UM_CPUS_MASK, -EINVAL, 0 },
		{ "cpumask", many, UM_CPUS_MASK, 0, 2048 },
		{ "cpumask", half, UM_CPUS_MASK, -EFBIG, 0 },
	};

	for (unsigned i = 2, len = 1; i < 4096; i += 2)
		len += (unsigned)snprintf(many + len, sizeof(many) - len, ",%u", i);
	memset(half + 1, ' ', sizeof(half) - 2);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fake_tree f;
		struct um_kernel_pmus p = { .access = &f.base };

		fake_init(&f);
		fake_add(&f, "20\n", DEV "uncore_x/type");
		fake_add(&f, rows[i].text, DEV "uncore_x/%s", rows[i].file);
		ck_assert_int_eq(um_kernel_pmus_list(&p), 0);
		ck_assert_int_eq(um_kernel_pmu_load(&p.pmus[0]), 0);
		ck_assert_msg((int)p.pmus[0].cpus_are == rows[i].are, "%zu", i);
		ck_assert_int_eq(p.pmus[0].cpus_err, rows[i].err);
		ck_assert_uint_eq(p.pmus[0].cpus.num, rows[i].num);
		um_kernel_pmus_free(&p);
		fake_free(&f);
	}
}

/*
 * Like perf, exclude guests by default from events without modifiers, and from events with u or p but without G and H.
 * Events of PMUs without exclude bits are not changed.
 */
TEST(guests_are_left_out_by_default_with_and_without_a_core_pmu)
{
	static const struct {
		const char *text;
		bool without, by_default;
	} rows[] = {
		{ "cycles", true, true }, { "cycles:u", true, true }, { "cycles:k", false, false },
		{ "cycles:H", true, false }, { "cycles:P", false, false },
		{ "cycles:p", true, true }, { "cycles:kp", true, true }, { "cycles:uP", true, true },
		{ "cycles:pG", false, false }, { "cycles:D", false, false }, { "{cycles}:D", true, true },
		{ "{cycles}:P", true, true }, { "{cycles:D}:k", false, false }, { "{cycles}:G", false, false },
		{ "{cycles}:GH", false, false }, { "{cycles:G}:u", false, false }, { "{cycles:P}:k", false, false },
		{ "{cycles:H}:G", false, false }, { "r1a8", true, true },
		{ "LLC-load-misses", true, true }, { "cs", false, false },
	};
	struct fake_tree f;

	fake_init(&f);
	fake_add(&f, "9\n", DEV "msr/type");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct um_perf_events list = { 0 };
		struct um_names fake = { .kernel.access = &f.base, .access = &f.base };
		struct um_error e;
		const struct um_perf_attr *a;

		ck_assert_int_eq(um_kernel_pmus_list(&fake.kernel), 0);
		ck_assert_msg(um_perf_parse(&list, &(struct um_event_pmus){ .names = &fake }, rows[i].text, &e) == 1,
			      "%s: %s", rows[i].text, e.msg);
		a = &list.events[0].units[0].attr;
		ck_assert_msg(a->exclude_guest == rows[i].without &&
			      a->guest_by_default == rows[i].by_default, "%s", rows[i].text);
		um_perf_events_free(&list);
		um_kernel_pmus_free(&fake.kernel);
	}
	fake_free(&f);
}

TEST(only_the_pmus_that_a_name_means_are_read)
{
	static const struct {
		const char *name;
		int num;
		unsigned reads;
	} rows[] = {
		{ "imc", 2, 2 }, { "imc_1", 1, 0 }, { "uncore_cha_77", 1, 1 }, { "cpu", 1, 1 },
		/*
		 * An alias is searched for in all PMUs, so the search reads the remaining 199 types and the only alias.
		 * All of these files are cached, so the last row reads nothing.
		 */
		{ "uncore_type_6", 1, 200 }, { "nothing", 0, 0 },
	};
	struct fake_tree f;
	struct um_kernel_pmus p = { .access = &f.base };

	fake_init(&f);
	fake_add(&f, "4\n", DEV "cpu/type");
	for (unsigned i = 0; i < 200; i++) {
		fake_add(&f, "20\n", DEV "uncore_cha_%u/type", i);
		if (i == 5)
			fake_add(&f, "uncore_type_6_5\n", DEV "uncore_cha_5/alias");
	}
	fake_add(&f, "300\n", DEV "uncore_imc_0/type");
	fake_add(&f, "301\n", DEV "uncore_imc_1/type");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		unsigned before = f.reads;

		ck_assert_int_eq(um_kernel_pmus_match(&p, rows[i].name, strlen(rows[i].name), NULL, NULL), rows[i].num);
		ck_assert_msg(f.reads - before == rows[i].reads, "%s: %u files", rows[i].name, f.reads - before);
	}
	um_kernel_pmus_free(&p);
	fake_free(&f);
}

SUITE(perf_count)
