/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "steps.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

void use(const char *what)
{
	uncoremsr_sim_free(sim);
	sim = sim_or_fail(what);
}

void free_sim(void)
{
	uncoremsr_sim_free(sim);
	sim = NULL;
}

/* ---- words of a step ---- */

static bool is_digit(char c)
{
	return isdigit((unsigned char)c);
}

uint64_t step_value_of(const struct step *st, const char *text)
{
	const char *at = text;
	uint64_t v = 1;
	char *end;

	for (;; at = end + 1) {
		ck_assert_msg(is_digit(*at), "%s: %s: no number: %s", st->row, st->text, text);
		v *= strtoull(at, &end, 0);
		if (*end != '*')
			break;
	}
	ck_assert_msg(!*end, "%s: %s: no number: %s", st->row, st->text, text);
	return v;
}

uint64_t step_number(const struct step *st, unsigned word)
{
	return step_value_of(st, st->word[word]);
}

int step_int(const struct step *st, unsigned word)
{
	const char *text = st->word[word];

	return *text == '-' ? -(int)step_value_of(st, text + 1) : (int)step_value_of(st, text);
}

int step_choice(const struct step *st, unsigned word, const char *const *words)
{
	int n = 0;

	while (words[n] && strcmp(words[n], st->word[word]))
		n++;
	step_holds(st, words[n] != NULL, "no such word");
	return n;
}

static unsigned step_cpu(const struct step *st)
{
	return (unsigned)step_number(st, 0);
}

static uint32_t step_msr(const struct step *st, unsigned word)
{
	return (uint32_t)step_number(st, word);
}

uint64_t step_time(const struct step *st, unsigned word)
{
	const char *at = st->word[word];
	uint64_t ns = 0, unit = SECOND;

	step_holds(st, is_digit(*at), "no time");
	for (; is_digit(*at); at++)
		ns = ns * 10 + (uint64_t)(*at - '0') * SECOND;
	if (*at == '.')
		while (is_digit(*++at))
			ns += (uint64_t)(*at - '0') * (unit /= 10);
	step_holds(st, !*at && unit, "no time");
	return ns;
}

const char *step_rest(const struct step *st, unsigned word)
{
	const char *at = st->text;

	for (unsigned i = 0; at && i <= word; i++) {
		at = strchr(at, ' ');
		at += at != NULL;
	}
	return at ? at : "";
}

void step_holds(const struct step *st, bool right, const char *got)
{
	ck_assert_msg(right, "%s: %s: %s", st->row, st->text, got);
}

void step_got(const struct step *st, bool right, uint64_t got)
{
	ck_assert_msg(right, "%s: %s: 0x%" PRIx64 " (%" PRIu64 ")", st->row, st->text, got, got);
}

void step_is(const struct step *st, unsigned word, uint64_t got)
{
	step_got(st, got == step_number(st, word), got);
}

void step_error(const struct step *st, int err, unsigned word)
{
	const char *want = word < st->num ? st->word[word] : "0";

	ck_assert_msg(!strcmp(want, "any") || !strcmp(err ? strerrorname_np(-err) : "0", want), "%s: %s: %d %s",
		      st->row, st->text, err, err && um ? uncoremsr_error(um)->message : "");
}

/* ---- the simulated machine ---- */

static void step_use(const struct step *st)
{
	use(step_rest(st, 0));
}

/*
 * put(), get() and step_let_pass() are like wr(), rd() and advance() of helpers.h; their error messages name the step.
 */
static void put(const struct step *st, uint32_t msr, uint64_t v)
{
	step_error(st, uncoremsr_sim_wrmsr(sim, step_cpu(st), msr, v), STEP_WORDS);
}

static uint64_t get(const struct step *st, uint32_t msr)
{
	uint64_t v = 0;

	step_error(st, uncoremsr_sim_rdmsr(sim, step_cpu(st), msr, &v), STEP_WORDS);
	return v;
}

void step_let_pass(const struct step *st, uint64_t ns)
{
	step_holds(st, uncoremsr_sim_advance(sim, ns) == 1, "the clock does not advance");
}

static void step_write(const struct step *st)
{
	put(st, step_msr(st, 1), step_number(st, 2));
}

static void step_refuses(const struct step *st)
{
	step_error(st, uncoremsr_sim_wrmsr(sim, step_cpu(st), step_msr(st, 1), step_number(st, 2)), 3);
}

static void step_read(const struct step *st)
{
	step_is(st, 2, get(st, step_msr(st, 1)));
}

static void step_field(const struct step *st)
{
	step_is(st, 4, get(st, step_msr(st, 1)) >> step_number(st, 2) & step_number(st, 3));
}

static void step_not(const struct step *st)
{
	uint64_t v = get(st, step_msr(st, 1));

	step_got(st, v != step_number(st, 2), v);
}

static void step_fails(const struct step *st)
{
	step_error(st, rd_err(sim, step_cpu(st), step_msr(st, 1)), 2);
}

static void step_takes(const struct step *st)
{
	uint64_t mask = step_number(st, 2);

	for (unsigned bit = 0; bit < 64; bit++)
		step_got(st, uncoremsr_sim_wrmsr(sim, step_cpu(st), step_msr(st, 1), UINT64_C(1) << bit) ==
			 (mask >> bit & 1 ? 0 : -EIO), UINT64_C(1) << bit);
	if (mask)
		put(st, step_msr(st, 1), 0);
}

/* The selector is written twice, because some S-boxes forget the first write. */
static void step_count(const struct step *st)
{
	const uint64_t words[] = { 0, step_number(st, 3), step_number(st, 3) };

	put(st, step_msr(st, 2), 0);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		put(st, step_msr(st, 1), words[i]);
	step_let_pass(st, SECOND);
	step_is(st, 4, get(st, step_msr(st, 2)));
	put(st, step_msr(st, 1), 0);
}

static void step_pass(const struct step *st)
{
	step_let_pass(st, step_time(st, 0));
}

static void step_at(const struct step *st)
{
	uint64_t at = step_time(st, 0), now = uncoremsr_sim_state(sim)->now;

	step_got(st, at >= now, now);
	step_let_pass(st, at - now);
}

static void step_online(const struct step *st)
{
	for (const char *at = st->word[0]; *at; at += *at == ',') {
		char *end, path[64];
		unsigned long first = strtoul(at, &end, 10), last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
		unsigned long by = *end == '/' ? strtoul(end + 1, &end, 10) : 1;

		step_holds(st, end > at && (!*end || *end == ',') && first <= last && by, at);
		for (; first <= last; first += by) {
			snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%lu/online", first);
			step_error(st, uncoremsr_sim_file_write(sim, path, st->word[1], 1), STEP_WORDS);
		}
		at = end;
	}
}

static void step_file(const struct step *st)
{
	const char *have = sim_file(sim, st->word[0]), *line = step_rest(st, 1);
	size_t len = strlen(line);

	step_holds(st, !strncmp(have, line, len) && !strcmp(have + len, "\n"), have);
}

enum { MOST_NAMES = 1024 };

static void step_line(const struct step *st)
{
	const char *text = sim_file(sim, st->word[0]), *at = text, *line = step_rest(st, 1);
	size_t len = strcspn(at, "\n");

	for (; *at; at += len + (at[len] == '\n'), len = strcspn(at, "\n"))
		if (len == strlen(line) && !strncmp(at, line, len))
			return;
	step_holds(st, false, text);
}

static void step_no_line(const struct step *st)
{
	const char *text = sim_file(sim, st->word[0]);

	step_holds(st, !strstr(text, step_rest(st, 1)), text);
}

static void step_no_file(const struct step *st)
{
	long len = uncoremsr_sim_file_read(sim, st->word[0], NULL, 0);

	step_error(st, len < 0 ? (int)len : 0, 1);
}

static void step_store(const struct step *st)
{
	char line[64];
	int len = snprintf(line, sizeof(line), "%s\n", st->word[1]);

	step_holds(st, len < (int)sizeof(line), "too long");
	step_error(st, uncoremsr_sim_file_write(sim, st->word[0], line, (size_t)len), 2);
}

static int append_name(void *names, const char *name, int is_dir)
{
	size_t len = strlen(names);

	snprintf((char *)names + len, MOST_NAMES - len, "%s%s%s", len ? " " : "", name, is_dir ? "/" : "");
	return 0;
}

static int list_names(const struct step *st, char names[MOST_NAMES])
{
	names[0] = '\0';
	return uncoremsr_sim_file_list(sim, strcmp(st->word[0], ".") ? st->word[0] : "", append_name, names);
}

static void step_list(const struct step *st)
{
	char names[MOST_NAMES];

	step_error(st, list_names(st, names), STEP_WORDS);
	step_holds(st, !strcmp(names, step_rest(st, 1)), names);
}

static void step_no_list(const struct step *st)
{
	char names[MOST_NAMES];

	step_error(st, list_names(st, names), 1);
}

static void step_opens(const struct step *st)
{
	step_error(st, uncoremsr_sim_open_cpu(sim, step_cpu(st), 1), 1);
}

static void step_cpuid(const struct step *st)
{
	uint32_t regs[4];

	step_error(st, uncoremsr_sim_cpuid(sim, step_cpu(st), step_msr(st, 1), step_msr(st, 2), regs), STEP_WORDS);
	for (unsigned i = 0; i < ARRAY_SIZE(regs); i++)
		if (strcmp(st->word[3 + i], "-"))
			step_is(st, 3 + i, regs[i]);
}

static const struct step_kind machine_kinds[] = {
	{ "write", 3, 3, step_write }, { "refuses", 4, 4, step_refuses },
	{ "read", 3, 3, step_read }, { "field", 5, 5, step_field }, { "fails", 3, 3, step_fails },
	{ "not", 3, 3, step_not }, { "cpuid", 7, 7, step_cpuid }, { "opens", 2, 2, step_opens },
	{ "line", 2, ANY, step_line }, { "no-line", 2, ANY, step_no_line }, { "no-file", 2, 2, step_no_file },
	{ "store", 2, 3, step_store }, { "list", 2, ANY, step_list }, { "no-list", 2, 2, step_no_list },
	{ "takes", 3, 3, step_takes }, { "count", 5, 5, step_count }, { "pass", 1, 1, step_pass },
	{ "at", 1, 1, step_at }, { "online", 2, 2, step_online }, { "file", 2, ANY, step_file }, { .name = NULL },
};
static const struct vocabulary machine_steps = { .kinds = machine_kinds };
static const struct step_kind sim_kinds[] = { { "use", 1, ANY, step_use }, { .name = NULL } };
const struct vocabulary sim_steps = { .kinds = sim_kinds, .base = &machine_steps };

/* ---- the last error of a handle ---- */

static void step_says(const struct step *st)
{
	step_holds(st, strstr(uncoremsr_error(um)->message, step_rest(st, 0)), uncoremsr_error(um)->message);
}

void step_class_is(const struct step *st, enum uncoremsr_error_class got)
{
	static const char *const words[] = { "none", "usage", "access", "unsupported", NULL };
	static const enum uncoremsr_error_class classes[] = {
		UNCOREMSR_ERROR_NONE, UNCOREMSR_ERROR_USAGE, UNCOREMSR_ERROR_ACCESS, UNCOREMSR_ERROR_UNSUPPORTED,
	};

	step_got(st, got == classes[step_choice(st, 0, words)], got);
}

static void step_class(const struct step *st)
{
	step_class_is(st, uncoremsr_error(um)->error_class);
}

static const struct step_kind handle_kinds[] = {
	{ "says", 1, ANY, step_says }, { "class", 1, 1, step_class }, { .name = NULL },
};
const struct vocabulary handle_steps = { .kinds = handle_kinds, .base = &machine_steps };

/* ---- playing stories ---- */

static const struct step_kind *kind_of(const struct vocabulary *v, const char *name)
{
	for (; v; v = v->base)
		for (const struct step_kind *k = v->kinds; k->name; k++)
			if (!strcmp(k->name, name))
				return k;
	return NULL;
}

static void play_step(const struct vocabulary *v, const char *row, const char *text)
{
	struct step st = { .row = row, .text = text };
	const struct step_kind *kind;
	char copy[512], *rest = copy;
	const char *name;

	ck_assert_uint_lt(strlen(text), sizeof(copy));
	strcpy(copy, text);
	name = strsep(&rest, " ");
	if (!strcmp(name, "repeat")) {
		long n = rest ? strtol(rest, &rest, 10) : 0;

		ck_assert_msg(n > 0 && *rest == ' ', "%s: how often?: %s", row, text);
		while (n-- > 0)
			play_step(v, row, text + (rest - copy) + 1);
		return;
	}
	kind = kind_of(v, name);
	ck_assert_msg(kind, "%s: no such step: %s", row, text);
	while (rest && st.num < STEP_WORDS)
		st.word[st.num++] = strsep(&rest, " ");
	ck_assert_msg(st.num >= kind->least && st.num <= kind->most, "%s: %u words: %s", row, st.num, text);
	kind->fn(&st);
}

void play_steps(const struct vocabulary *v, const char *row, const char *steps)
{
	char *copy = strdup(steps), *rest = copy, *step;

	ck_assert_ptr_nonnull(copy);
	while ((step = strsep(&rest, ";")))
		play_step(v, row, step + strspn(step, " "));
	free(copy);
}

void play(const struct story *story)
{
	use(story->machine);
	play_steps(&sim_steps, story->name, story->steps);
}
