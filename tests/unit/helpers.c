/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "helpers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/access.h"
#include "common/error.h"
#include "machine/handle.h"
#include "machine.h"
#include "suite.h"

/* ---- suite.h ---- */

/* Replaces all tests of a skipped fixture, because libcheck treats a suite without tests as failed. */
static void skipped(int i CK_ATTRIBUTE_UNUSED)
{
}

Suite *make_suite(const char *name, const struct unit_test *tests)
{
	static const TTest none = { "skipped", skipped, __FILE__, __LINE__ };
	Suite *suite = suite_create(name);
	bool skips = false;
	TCase *tc = NULL;

	for (const struct unit_test *t = tests; t; t = t->next) {
		if (!t->test || !tc) {
			tc = tcase_create(name);
			suite_add_tcase(suite, tc);
		}
		if (t->test) {
			if (!skips)
				tcase_add_loop_test(tc, t->test, 0, t->num);
			continue;
		}
		skips = t->fixture.only_if && !t->fixture.only_if();
		if (skips)
			tcase_add_test(tc, &none);
		else
			tcase_add_checked_fixture(tc, t->fixture.setup, t->fixture.teardown);
	}
	return suite;
}

/* ---- files ---- */

void make_dir(char *dir)
{
	const char *in = getenv("TMPDIR");

	if (!in || strlen(in) > DIR_SIZE - sizeof("/uncoremsr-XXXXXX"))
		in = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
	snprintf(dir, DIR_SIZE, "%s/uncoremsr-XXXXXX", in);
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

void remove_dir(const char *dir)
{
	char command[DIR_SIZE + 16];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	ck_assert_int_eq(system(command), 0);
}

void write_file(const char *dir, const char *name, const void *data, size_t size)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s%s", dir ? dir : "", dir ? "/" : "", name);
	for (char *slash = strchr(path + 1, '/'); dir && slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		ck_assert_msg(!mkdir(path, 0755) || errno == EEXIST, "%s", path);
		*slash = '/';
	}
	f = fopen(path, "w");
	ck_assert_msg(f && fwrite(data, 1, size, f) == size && fclose(f) == 0, "%s", path);
}

void write_text(const char *dir, const char *name, const char *text)
{
	write_file(dir, name, text, strlen(text));
}

int file_in_memory(char *path, const void *data, size_t size)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	ck_assert_int_eq(write(fd, data, size), (ssize_t)size);
	snprintf(path, FD_PATH_SIZE, "/proc/self/fd/%d", fd);
	return fd;
}

int add_list_text(struct uncoremsr *to, const char *text, size_t len)
{
	char path[FD_PATH_SIZE];
	int fd = file_in_memory(path, text, len), num = uncoremsr_event_list_add(to, path);

	close(fd);
	return num;
}

void add_event_list(struct uncoremsr *to, const char *text)
{
	ck_assert_msg(add_list_text(to, text, strlen(text)) == 1, "%s", uncoremsr_error(to)->message);
}

bool has_lists(void)
{
	struct uncoremsr *any = NULL;
	bool has = !uncoremsr_new(&any) && add_list_text(any, "[{}]", 4) != -ENOTSUP;

	uncoremsr_free(any);
	if (!has)
		fprintf(stderr, "skipped: built without JSON event lists\n");
	return has;
}

bool is_one_of(const char *words, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = strstr(words, name); p; p = strstr(p + 1, name))
		if ((p == words || p[-1] == ' ') && (p[len] == ' ' || p[len] == '\0'))
			return true;
	return false;
}

/* ---- simulated machines ---- */

struct uncoremsr_sim *sim_or_fail(const char *what)
{
	struct uncoremsr_sim *made;
	char error[512] = "";
	int err = uncoremsr_sim_new(&made, what, error, sizeof(error));

	ck_assert_msg(err == 0, "%s: %d %s", what, err, error);
	return made;
}

void expect_no_sim(const char *what, int err, const char *part)
{
	struct uncoremsr_sim *made = (void *)1;
	char error[512] = "";

	ck_assert_msg(uncoremsr_sim_new(&made, what, error, sizeof(error)) == err, "%s: not %d: %s",
		      what, err, error);
	ck_assert_ptr_null(made);
	ck_assert_msg(strstr(error, part) != NULL, "%s: no \"%s\" in \"%s\"", what, part, error);
}

uint64_t rd(struct uncoremsr_sim *from, unsigned cpu, uint32_t msr)
{
	uint64_t v = 0xdead;
	int err = uncoremsr_sim_rdmsr(from, cpu, msr, &v);

	ck_assert_msg(err == 0, "read of 0x%x on CPU %u: %d", msr, cpu, err);
	return v;
}

int rd_err(struct uncoremsr_sim *from, unsigned cpu, uint32_t msr)
{
	uint64_t v;

	return uncoremsr_sim_rdmsr(from, cpu, msr, &v);
}

void wr(struct uncoremsr_sim *to, unsigned cpu, uint32_t msr, uint64_t value)
{
	int err = uncoremsr_sim_wrmsr(to, cpu, msr, value);

	ck_assert_msg(err == 0, "write of 0x%" PRIx64 " to 0x%x on CPU %u: %d", value, msr, cpu, err);
}

void advance(struct uncoremsr_sim *of, uint64_t ns)
{
	ck_assert_int_eq(uncoremsr_sim_advance(of, ns), 1);
}

const char *sim_file(struct uncoremsr_sim *of, const char *path)
{
	static char buf[16384];
	long len = uncoremsr_sim_file_read(of, path, buf, sizeof(buf) - 1);

	ck_assert_msg(len >= 0 && len < (long)sizeof(buf), "%s: %ld", path, len);
	buf[len] = '\0';
	return buf;
}

/* ---- machine.h ---- */

struct uncoremsr_sim *sim;
struct uncoremsr *um;
struct uncoremsr_session *s;
char logged[65536];

void remember_line(void *user, const char *line)
{
	remember(user, UNCOREMSR_LOG_REMARK, line);
}

unsigned times(const char *part)
{
	unsigned n = 0;

	for (const char *at = logged; (at = strstr(at, part)); at += strlen(part))
		n++;
	return n;
}

const struct um_access_ops *true_ops;

struct um_access_ops *spy_on(void)
{
	static struct um_access_ops spy;

	if (um->m.access->ops != &spy)
		true_ops = um->m.access->ops;
	spy = *true_ops;
	um->m.access->ops = &spy;
	return &spy;
}

void stop_spying(void)
{
	um->m.access->ops = true_ops;
}

void remember(void *user, enum uncoremsr_log_level level, const char *line)
{
	size_t len = strlen(logged);

	(void)user;
	snprintf(logged + len, sizeof(logged) - len, "%c %s\n", level == UNCOREMSR_LOG_WARNING ? 'W' : '-', line);
}

const struct uncoremsr_leases *leases_of(struct uncoremsr *handle)
{
	const struct uncoremsr_leases *leases = uncoremsr_leases(handle);

	ck_assert_msg(leases, "%s", uncoremsr_error(handle)->message);
	return leases;
}

size_t num_leases(struct uncoremsr *handle)
{
	const struct uncoremsr_leases *leases = leases_of(handle);
	size_t num = 0;

	while (leases->list[num])
		num++;
	return num;
}

const struct um_uarch *next_uarch(const struct um_uarch *u)
{
	for (size_t i = 0, first; i < um_num_models; i++) {
		for (first = 0; um_models[first].uarch != um_models[i].uarch; first++)
			;
		if (!um_models[i].uarch || first < i)
			continue;
		if (!u)
			return um_models[i].uarch;
		if (um_models[i].uarch == u)
			u = NULL;
	}
	return NULL;
}

const char *uarch_name(size_t index)
{
	const struct uncoremsr_uarch *u = uncoremsr_uarch(index);

	return u ? u->name : NULL;
}

void open_machine(const char *what)
{
	close_machine();
	logged[0] = '\0';
	sim = sim_or_fail(what);
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_int_eq(uncoremsr_set_sim(um, sim), 0);
	uncoremsr_set_log(um, remember, NULL);
	ck_assert_msg(uncoremsr_open(um) == 0, "%s", uncoremsr_error(um)->message);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
}

void open_stepped(const char *name, const char *keys)
{
	char what[512];

	snprintf(what, sizeof(what), "%s,clock=stepped,start=0x1234%s", name, keys);
	open_machine(what);
}

void close_machine(void)
{
	uncoremsr_session_free(s);
	uncoremsr_free(um);
	uncoremsr_sim_free(sim);
	s = NULL;
	um = NULL;
	sim = NULL;
}

char root[DIR_SIZE];

void make_root(void)
{
	make_dir(root);
	write_text(root, "run/here", "");
}

void use_root(void)
{
	um->m.access->has_files = true;
	um->m.access->root = root;
}

void reopen_in_root(void)
{
	uncoremsr_session_free(s);
	s = NULL;
	uncoremsr_free(um);
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_int_eq(uncoremsr_set_sim(um, sim), 0);
	uncoremsr_set_log(um, remember, NULL);
	ck_assert_int_eq(uncoremsr_open(um), 0);
	use_root();
}

void close_in_root(void)
{
	close_machine();
	if (*root)
		remove_dir(root);
	*root = '\0';
}

void add(const char *events)
{
	ck_assert_msg(uncoremsr_session_add(s, events) > 0, "%s: %s", events, uncoremsr_error(um)->message);
}

void start(void)
{
	ck_assert_msg(uncoremsr_session_start(s) == 0, "%s\n%s", uncoremsr_error(um)->message, logged);
}

void count(const char *events)
{
	add(events);
	start();
}

void pass(uint64_t ns)
{
	ck_assert_int_eq(uncoremsr_advance(um, ns), 1);
}

int pass_and_read(uint64_t ns)
{
	pass(ns);
	return uncoremsr_session_read(s);
}

void next_session(void)
{
	uncoremsr_session_free(s);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	logged[0] = '\0';
}

const struct uncoremsr_reading *reading(size_t package, size_t event)
{
	return uncoremsr_session_reading(s, event, UNCOREMSR_PLACE_PACKAGE, package, UNCOREMSR_INTERVAL);
}

const struct uncoremsr_reading *total_reading(size_t package, size_t event)
{
	return uncoremsr_session_reading(s, event, UNCOREMSR_PLACE_PACKAGE, package, UNCOREMSR_TOTAL);
}

const struct uncoremsr_metric_reading *metric_in(size_t place, size_t metric, enum uncoremsr_span span)
{
	bool all = place == uncoremsr_session_state(s)->packages;

	return uncoremsr_session_metric_reading(s, metric, all ? UNCOREMSR_PLACE_EVERYWHERE : UNCOREMSR_PLACE_PACKAGE,
						place, span);
}

const struct uncoremsr_metric_reading *metric_reading(size_t place, size_t metric)
{
	return metric_in(place, metric, UNCOREMSR_INTERVAL);
}

uint64_t value_of(const struct uncoremsr_reading *r)
{
	ck_assert_msg(r, "no reading");
	ck_assert_msg(r->value != UINT64_MAX, "%s: %s", r->word, r->detail);
	return r->value;
}

uint64_t value(size_t package, size_t event)
{
	return value_of(reading(package, event));
}

uint64_t peek(unsigned cpu, uint32_t msr)
{
	return rd(sim, cpu, msr);
}

void poke(unsigned cpu, uint32_t msr, uint64_t v)
{
	wr(sim, cpu, msr, v);
}

static int take_one(void *user, const struct um_reg_place *at)
{
	struct image *image = user;
	uint64_t v = 0;
	bool faults;

	if (!at->reg->write_mask)
		return 0;
	ck_assert_msg(image->num < ARRAY_SIZE(image->regs), "more than %zu registers", image->num);
	faults = uncoremsr_sim_rdmsr(sim, image->cpu, um_place_msr(at), &v) != 0;
	image->regs[image->num].table = image->table;
	image->regs[image->num].cpu = image->cpu;
	image->regs[image->num].msr = um_place_msr(at);
	image->regs[image->num].faults = faults;
	image->regs[image->num++].value = v;
	return 0;
}

void take_image(struct image *image, const struct um_uarch *table, unsigned cpu)
{
	image->table = table;
	image->cpu = cpu;
	um_regs_each(table, take_one, image);
}

void expect_image(const struct image *before, const struct image *after, const char *what)
{
	char name[96];

	ck_assert_uint_eq(before->num, after->num);
	for (size_t i = 0; i < before->num; i++)
		ck_assert_msg(before->regs[i].value == after->regs[i].value, "%s: CPU %u %s: 0x%" PRIx64
		      ", was 0x%" PRIx64 "\n%.2000s", what, before->regs[i].cpu,
		      um_reg_format(before->regs[i].table, before->regs[i].msr, name, sizeof(name)),
		      after->regs[i].value, before->regs[i].value, logged);
}

struct um_access *access_of(struct uncoremsr *of)
{
	return of->m.access;
}

const struct um_uarch *uarch_of(struct uncoremsr *of)
{
	return of->m.uarch;
}

/* ---- sessions ---- */

size_t num_units(const struct uncoremsr_session *session, size_t event)
{
	size_t num = 0;

	while (uncoremsr_session_unit(session, event, num))
		num++;
	return num;
}

size_t num_events(const struct uncoremsr_session *session)
{
	size_t num = 0;

	while (uncoremsr_session_event(session, num))
		num++;
	return num;
}

size_t num_disturbed(const struct uncoremsr_session *session)
{
	const struct uncoremsr_reading *r;
	size_t num = 0;

	for (size_t ev = 0; uncoremsr_session_event(session, ev); ev++)
		for (size_t i = 0; (r = uncoremsr_session_reading(session, ev, UNCOREMSR_PLACE_UNIT, i,
								  UNCOREMSR_INTERVAL)); i++)
			num += r->status == UNCOREMSR_DISTURBED;
	return num;
}
