/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A tree of plain files and a watcher of it, for the tests of throttling. */
#ifndef THROTTLE_TREE_H
#define THROTTLE_TREE_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "throttle_steps.h"

static char root[DIR_SIZE];
static bool dry;

/* ---- a tree ---- */

static inline void path_of(char *path, size_t size, const char *name)
{
	snprintf(path, size, "%s/%s", root, name);
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

static inline void put(const char *name, const char *text)
{
	write_text(root, name, text);
}

static inline void __attribute__((format(printf, 3, 4))) put_cpu(unsigned cpu, const char *text,
							   const char *name, ...)
{
	char path[128];
	int len = snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/", cpu);
	va_list ap;

	va_start(ap, name);
	vsnprintf(path + len, sizeof(path) - (size_t)len, name, ap);
	va_end(ap);
	put(path, text);
}

/* Write the lower half of a register into a sparse file, at the position of its number. */
static inline void put_register(unsigned cpu, uint32_t msr, uint64_t value)
{
	char name[32], path[256];
	int fd;

	snprintf(name, sizeof(name), "dev/cpu/%u/msr", cpu);
	path_of(path, sizeof(path), name);
	fd = open(path, O_RDWR | O_CREAT, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 0x2000), 0);
	ck_assert_int_eq(pwrite(fd, &value, 4, msr), 4);
	close(fd);
}

static inline void put_processor(int model, const char *flags)
{
	char text[512];

	snprintf(text, sizeof(text), "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
		 "model\t\t: %d\nmodel name\t: Test CPU @ 2.00GHz\nstepping\t: 2\n"
		 "flags\t\t: %s\n\n", model, flags);
	put("proc/cpuinfo", text);
}

static inline void setup(void)
{
	make_dir(root);
	put("sys/devices/system/cpu/online", "0-1\n");
	put("run/here", "");
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		put_cpu(cpu, "0\n", "topology/physical_package_id");
		put_cpu(cpu, cpu ? "1\n" : "0\n", "topology/core_id");
		put_cpu(cpu, cpu ? "1\n" : "0\n", "topology/thread_siblings_list");
		put_cpu(cpu, "0-1\n", "topology/core_siblings_list");
	}
}

static inline void open_tree(void)
{
	char what[96];

	snprintf(what, sizeof(what), "root:%s", root);
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_int_eq(uncoremsr_set_machine(um, what), 0);
	uncoremsr_set(um, UNCOREMSR_DRY_RUN, dry);
	ck_assert_msg(uncoremsr_open(um) == 0, "%s", uncoremsr_error(um)->message);
	ck_assert_int_eq(uncoremsr_throttle_new(um, &t), 0);
}

/* Leave out all causes except @causes, because a tree lacks the files of the remaining causes. */
static inline void ask_only(unsigned causes)
{
	const unsigned all = (1u << UNCOREMSR_CAUSE_REGISTERS) - 1;

	ck_assert_int_eq(uncoremsr_throttle_set(t, UNCOREMSR_THROTTLE_WITHOUT, (int)(all & ~causes)), 0);
}

#define HEAT (1u << UNCOREMSR_CAUSE_CORE_THERMAL | 1u << UNCOREMSR_CAUSE_PACKAGE_THERMAL)

/* look_at_tree(): open the tree and call uncoremsr_throttle_look() once for @causes; 0: for all causes. */
static inline void look_at_tree(unsigned causes)
{
	open_tree();
	if (causes)
		ask_only(causes);
	look();
}

static inline void close_tree(void)
{
	uncoremsr_throttle_free(t);
	uncoremsr_free(um);
	t = NULL;
	um = NULL;
}

static inline void teardown(void)
{
	close_tree();
	remove_dir(root);
}

/* ---- limits that software has set ---- */

/* The policies as "WORD VALUE[/OF] FILE[ xCORES], ..."; FILE is the part of the path after .../cpu/. */
static inline const char *policies(int package, int core)
{
	static char text[1024];
	const struct uncoremsr_subject *s = subject(package, core);
	const struct uncoremsr_policy *p;
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; (p = s->policies[i]); i++) {
		const char *at = strstr(p->file, "/cpu/");

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s %llu", i ? ", " : "", p->word,
					(unsigned long long)p->value);
		if (p->of != UINT64_MAX)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "/%llu",
						(unsigned long long)p->of);
		len += (size_t)snprintf(text + len, sizeof(text) - len, " %s", at ? at + 5 : p->file);
		if (p->cores >= 0)
			len += (size_t)snprintf(text + len, sizeof(text) - len, " x%d", p->cores);
	}
	return text;
}

#define FLAGS "fpu acpi tm2 dtherm pln pts aperfmperf"

/* ---- steps; play_tree() begins with the tree of setup() ---- */

/*
 * Steps in addition to those of throttle_steps.h:
 *
 *   processor MODEL                  Intel, family 6
 *   put FILE TEXT                    a file with these lines, with "|" between them
 *   cpu CPU FILE TEXT                a file with this line below the folder of a CPU
 *   drop FILE                        remove the file
 *   register CPU MSR VALUE           the lower half of a register
 *   tree [CAUSES]                    open the tree again and read once, for all causes or these: "heat" (HEAT) or
 *                                    "prochot"
 *   cleared 0|1                      1: the logs were cleared in the last minute; 0: it is unknown when
 *   before-clear PACKAGE CORE NUMBER the kernel's count when the logs were cleared; "-": unknown
 *   policies PACKAGE CORE [TEXT]     as policies() has them
 *   policy PACKAGE CORE NAME         name of the first policy
 *   counted PACKAGE CORE CAUSE NUMBER [TOTAL]    the kernel's count since the logs were cleared, and in all
 */
static inline void step_processor(const struct step *s)
{
	put_processor(step_int(s, 0), FLAGS);
}

static inline void step_put(const struct step *s)
{
	char text[512];

	snprintf(text, sizeof(text), "%s\n", step_rest(s, 1));
	for (char *at = text; (at = strchr(at, '|')); )
		*at = '\n';
	put(s->word[0], text);
}

static inline void step_put_cpu(const struct step *s)
{
	char text[512];

	snprintf(text, sizeof(text), "%s\n", step_rest(s, 2));
	put_cpu((unsigned)step_number(s, 0), text, "%s", s->word[1]);
}

static inline void step_drop(const struct step *s)
{
	char path[256];

	path_of(path, sizeof(path), s->word[0]);
	step_error(s, unlink(path), STEP_WORDS);
}

static inline void step_register(const struct step *s)
{
	put_register((unsigned)step_number(s, 0), (uint32_t)step_number(s, 1), step_number(s, 2));
}

static inline void step_tree(const struct step *s)
{
	static const char *const words[] = { "heat", "prochot", NULL };
	static const unsigned causes[] = { HEAT, 1u << UNCOREMSR_CAUSE_PROCHOT_EXTERNAL };

	close_tree();
	look_at_tree(s->num ? causes[step_choice(s, 0, words)] : 0);
}

static inline void step_cleared(const struct step *s)
{
	uint64_t at = uncoremsr_throttle_state(t)->cleared_at, now = (uint64_t)time(NULL);

	step_got(s, step_number(s, 0) ? at <= now && at > now - 60 : at == UINT64_MAX, at);
}

static inline void step_before_clear(const struct step *s)
{
	uint64_t num = step_subject(s)->before_clear;

	step_got(s, num == (is_dash(s, 2) ? UINT64_MAX : step_number(s, 2)), num);
}

static inline void step_policies(const struct step *s)
{
	const char *got = policies(step_int(s, 0), step_core(s));

	step_holds(s, !strcmp(got, step_rest(s, 2)), got);
}

static inline void step_policy(const struct step *s)
{
	const struct uncoremsr_policy *p = step_subject(s)->policies[0];

	step_holds(s, p && !strcmp(p->name, s->word[2]), p ? p->name : "none");
}

static inline void step_counted(const struct step *s)
{
	const struct uncoremsr_cause *c = step_found(s);

	step_is(s, 3, c->count);
	if (s->num > 4)
		step_is(s, 4, c->total);
}

static const struct step_kind tree_kinds[] = {
	{ "processor", 1, 1, step_processor }, { "put", 1, STEP_WORDS, step_put },
	{ "cpu", 3, STEP_WORDS, step_put_cpu },
	{ "drop", 1, 1, step_drop }, { "register", 3, 3, step_register }, { "tree", 0, 1, step_tree },
	{ "policies", 2, STEP_WORDS, step_policies }, { "policy", 3, 3, step_policy },
	{ "counted", 4, 5, step_counted }, { "cleared", 1, 1, step_cleared },
	{ "before-clear", 3, 3, step_before_clear }, { .name = NULL },
};
static const struct vocabulary tree_steps = { .kinds = tree_kinds, .base = &throttle_steps };

static inline void play_tree(const struct story *story)
{
	play_steps(&tree_steps, story->name, story->steps);
}

#endif
