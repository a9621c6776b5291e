/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A failure must never make a throttled machine seem "ok". Every cause is simulated on one machine of each family. If a
 * register cannot be read, a file is missing, or access is denied, each cause that is found without the failure must
 * still be found, or be reported as a question without answer.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <errno.h>
#include <stdlib.h>

#include "access/access.h"
#include "draw.h"
#include "suites.h"
#include "throttle_machine.h"

static const char *const machines[] = {
	"nehalem-1s", "westmere-2s", "sandybridge-1s", "ivybridge-ep-2s", "haswell-ep-2s",
	"knights-landing-1s", "skylake-sp-2s", "cascadelake-ap-1s", "icelake-sp-2s", "sapphire-rapids-2s",
	"granite-rapids-2s", "granite-rapids-2s,plr=yes", "alderlake-hybrid", "meteorlake", "naples-1s",
	"zen-1s", "zen-1s,hsmp=no", "genoa-1s,hsmp=yes", "power9-2s",
};
enum { NUM_MACHINES = sizeof(machines) / sizeof(machines[0]) };

enum { CAUSES = UNCOREMSR_CAUSE_REGISTERS, SUBJECTS = 80, MANY = 64 };

/*
 * All causes hold at the same time, except firmware. A slow clock is attributed to firmware only if there is no other
 * cause, so firmware is tested alone.
 */
static const unsigned together[] = {
	(1u << CAUSES) - 1 - (1u << UNCOREMSR_CAUSE_FIRMWARE), 1u << UNCOREMSR_CAUSE_FIRMWARE,
};
enum { CALM = 2 };

/* The causes that each subject reports: @healthy if all reads succeed, @still if a read fails. */
static unsigned healthy[SUBJECTS], still[SUBJECTS];
static bool counting;

/* ---- machines with throttling and with failures ---- */

static const char *word_of(int cause)
{
	return uncoremsr_cause_word((enum uncoremsr_cause_kind)cause);
}

/* Each cause begins between two readings, so that a lower guaranteed HWP level is noticed. */
static const char *name_of(const char *machine, unsigned causes, const char *wrong)
{
	static char what[1024];
	size_t len = (size_t)snprintf(what, sizeof(what), "%s,clock=stepped,throttle=none", machine);

	for (int cause = 0; cause < CAUSES; cause++)
		if (causes >> cause & 1)
			len += (size_t)snprintf(what + len, sizeof(what) - len,
						",throttle=%s for=1000 phase=0.5", word_of(cause));
	snprintf(what + len, sizeof(what) - len, "%s%s", *wrong ? "," : "", wrong);
	return what;
}

/* Pattern of the paths that are hidden; # stands for a number. */
static char hidden[128];
static char paths[MANY][128];
static size_t num_paths;

/* Replace numbers of a path by #: "sys/devices/system/cpu/cpu#/thermal_throttle/core_throttle_count". */
static const char *pattern(const char *path)
{
	static char text[128];
	size_t len = 0;

	for (; *path && len + 1 < sizeof(text); path++) {
		if (*path < '0' || *path > '9')
			text[len++] = *path;
		else if (!len || text[len - 1] != '#')
			text[len++] = '#';
	}
	text[len] = '\0';
	return text;
}

static ssize_t spy_read_text(struct um_access *a, const char *path, char *buf, size_t size)
{
	const char *is = pattern(path);
	size_t i = 0;

	if (!strcmp(is, hidden))
		return -ENOENT;
	while (i < num_paths && strcmp(paths[i], is))
		i++;
	ck_assert_uint_lt(i, MANY);
	if (i == num_paths)
		snprintf(paths[num_paths++], sizeof(paths[0]), "%s", is);
	return true_ops->read_text(a, path, buf, size);
}

static void look_twice(const char *what)
{
	open_machine(what);
	spy_on()->read_text = spy_read_text;
	ck_assert_int_eq(uncoremsr_throttle_set(t, UNCOREMSR_THROTTLE_COUNTING, counting), 0);
	uncoremsr_throttle_look(t);
	pass(1);
	uncoremsr_throttle_look(t);
}

static void end(void)
{
	stop_spying();
	close_machine();
}

/* Bits of the causes that are reported to hold, for each subject. */
static void learn(const char *machine, const char *wrong, unsigned accused[SUBJECTS])
{
	const struct uncoremsr_subject *s;
	const struct uncoremsr_cause *c;

	memset(accused, 0, SUBJECTS * sizeof(accused[0]));
	for (size_t run = 0; run < CALM; run++) {
		look_twice(name_of(machine, together[run], wrong));
		for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++) {
			ck_assert_uint_lt(i, SUBJECTS);
			for (size_t k = 0; (c = s->causes[k]); k++)
				if (is_now(c) && c->decides)
					accused[i] |= together[run] & 1u << c->kind;
		}
		end();
	}
}

static bool has_open(const struct uncoremsr_subject *s)
{
	return s->questions[0] && s->questions[0]->state == UNCOREMSR_QUESTION_OPEN;
}

/*
 * Is the cause a question without answer for the subject? A package without a status register has the questions of its
 * cores.
 */
static bool is_missed(const struct uncoremsr_subject *s, const char *word)
{
	const struct uncoremsr_subject *core;

	if (is_open(s, "any", -1) || state_of(s, word) == UNCOREMSR_QUESTION_OPEN)
		return true;
	for (size_t i = 0; s->inherited && (core = uncoremsr_throttle_subject(t, i)); i++)
		if (core->package == s->package && state_of(core, word) == UNCOREMSR_QUESTION_OPEN)
			return true;
	return false;
}

static bool is_named(int cause, enum uncoremsr_question_state state)
{
	const struct uncoremsr_subject *s;
	const struct uncoremsr_question *q;

	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++)
		for (size_t k = 0; (q = s->questions[k]); k++)
			if ((int)q->cause == cause && q->state == state)
				return true;
	return false;
}

/*
 * Make something fail while no cause holds. A cause that cannot be found because of the failure must be reported as a
 * question without answer, and the verdict must not be ok.
 */
static void check(const char *machine, const char *wrong)
{
	const struct uncoremsr_subject *s;
	const char *what;
	bool lost = false;

	learn(machine, wrong, still);
	what = name_of(machine, 0, wrong);
	look_twice(what);
	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++) {
		unsigned unseen = healthy[i] & ~still[i];
		bool ok = s->verdict == UNCOREMSR_VERDICT_OK;

		ck_assert_msg(!ok || !has_open(s), "%s %s: ok, with a question open", what, hidden);
		for (int cause = 0; cause < CAUSES; cause++)
			ck_assert_msg(!(unseen >> cause & 1) ||
				      (!ok && is_missed(s, word_of(cause))),
				      "%s %s: package %d core %d: %s is acquitted", what, hidden,
				      s->package, s->core, word_of(cause));
		lost |= unseen || has_open(s);
	}
	for (int cause = 0; cause < CAUSES; cause++)
		ck_assert_msg(!is_named(cause, UNCOREMSR_QUESTION_OPEN) ||
			      !is_named(cause, UNCOREMSR_QUESTION_NOT_VISIBLE),
			      "%s %s: %s is open, and nothing shows it", what, hidden, word_of(cause));
	if (lost) {
		ck_assert_msg(uncoremsr_throttle_state(t)->verdict == UNCOREMSR_VERDICT_UNKNOWN, "%s", what);
		ck_assert_msg(uncoremsr_throttle_state(t)->lacks > 0, "%s", what);
	}
	end();
}

/* ---- registers ---- */

static uint32_t registers[MANY];
static size_t num_registers;

/* Note the register in a line of the trace, for example "rdmsr -p 3 0x19c". */
static void note_register(void *user, const char *line)
{
	const char *at = strrchr(line, ' ');
	uint32_t msr = at ? (uint32_t)strtoul(at, NULL, 16) : 0;
	size_t i = 0;

	(void)user;
	if (strncmp(line, "rdmsr", 5))
		return;
	while (i < num_registers && registers[i] != msr)
		i++;
	ck_assert_uint_lt(i, MANY);
	registers[i] = msr;
	num_registers += i == num_registers;
}

static void list_registers(const char *machine)
{
	num_registers = 0;
	open_machine(name_of(machine, 0, ""));
	uncoremsr_set_trace(um, UNCOREMSR_TRACE_COMMANDS, note_register, NULL);
	look();
}

START_TEST(if_a_register_cannot_be_read_no_cause_is_missed)
{
	const char *machine = machines[_i];
	char wrong[64];

	learn(machine, "", healthy);
	list_registers(machine);
	ck_assert(num_registers > 3 || !strncmp(machine, "power", 5));
	for (size_t i = 0; i < num_registers; i++) {
		snprintf(wrong, sizeof(wrong), "fail=read 0x%x EIO cpu=0", (unsigned)registers[i]);
		check(machine, wrong);
	}
}
END_TEST

/* ---- files ---- */

START_TEST(if_a_file_is_missing_no_cause_is_missed)
{
	const char *machine = machines[_i];
	char all[MANY][128];
	size_t num;

	learn(machine, "", healthy);
	num = num_paths;
	memcpy(all, paths, sizeof(all));
	ck_assert_uint_gt(num, 3);
	for (size_t i = 0; i < num; i++) {
		/* Without the topology the machine would be a different one, so its files are not hidden. */
		if (strstr(all[i], "/topology/") || !strcmp(all[i], "sys/devices/system/cpu/online"))
			continue;
		snprintf(hidden, sizeof(hidden), "%s", all[i]);
		check(machine, "");
	}
	hidden[0] = '\0';
}
END_TEST

/* ---- drivers, rights, lockdown, containers, guests ---- */

START_TEST(if_access_is_restricted_no_cause_is_missed)
{
	static const char *const states[] = {
		"driver=missing", "driver=nonode", "open=EACCES", "open=EPERM", "open=ENOENT cpu=0",
		"driver=missing,kernel_thermal=no", "open=EACCES,kernel_thermal=no",
		"lockdown=integrity", "lockdown=confidentiality", "allow_writes=off",
		"fail=read 0x0-0xffffffff EPERM", "fail=read 0x0-0xffffffff EIO",
		"fail=read 0x0-0xffffffff EIO cpu=0", "allow=0x10 0x0",
		"hypervisor=yes", "hypervisor=yes,driver=missing", "silent=0x0-0xffffffff",
	};
	const char *machine = machines[_i];

	/* Only Westmere has uncore events for throttling. */
	for (int kind = 0; kind < 1 + !strncmp(machine, "westmere", 8); kind++) {
		counting = kind;
		learn(machine, "", healthy);
		for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
			check(machine, states[i]);
	}
	counting = false;
}
END_TEST

/* ---- causes that cannot be found ---- */

/* Each cause is either found, or listed as not visible, visible only with uncore counters, or without an answer. */
START_TEST(exactly_the_causes_that_cannot_be_found_are_listed)
{
	const char *machine = machines[_i];
	unsigned seen = 0;

	learn(machine, "", healthy);
	for (size_t i = 0; i < SUBJECTS; i++)
		seen |= healthy[i];
	look_twice(name_of(machine, 0, ""));
	for (int cause = 0; cause < UNCOREMSR_CAUSE_OTHER; cause++) {
		bool named = is_named(cause, UNCOREMSR_QUESTION_NOT_VISIBLE) ||
			     is_named(cause, UNCOREMSR_QUESTION_NEEDS_COUNTING) ||
			     is_named(cause, UNCOREMSR_QUESTION_OPEN);

		ck_assert_msg(named != (seen >> cause & 1), "%s: %s is %s and %s", machine, word_of(cause),
			      seen >> cause & 1 ? "seen" : "not seen", named ? "named" : "not named");
	}
	end();
}
END_TEST

Suite *throttle_sweep_suite(void)
{
	Suite *s = suite_create("throttle-sweep");
	TCase *c = tcase_create("sweep");

	for (int i = (int)draw_first(12); i < NUM_MACHINES; i += (int)draw_step(12)) {
		tcase_add_loop_test(c, if_a_register_cannot_be_read_no_cause_is_missed, i, i + 1);
		tcase_add_loop_test(c, if_a_file_is_missing_no_cause_is_missed, i, i + 1);
		tcase_add_loop_test(c, if_access_is_restricted_no_cause_is_missed, i, i + 1);
		tcase_add_loop_test(c, exactly_the_causes_that_cannot_be_found_are_listed, i, i + 1);
	}
	suite_add_tcase(s, c);
	return s;
}
