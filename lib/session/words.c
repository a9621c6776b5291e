/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of our tables said in the kernel's words: "UNC_L3_HITS.READ" is
 * "uncore/event=0x8,umask=0x1/". The PMU's own format files tell which words there are. An event of
 * which they leave a bit unsaid would be another event, and is refused.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/catalogue.h"
#include "session/session.h"

struct words {
	struct uncoremsr_session *s;
	const struct um_encoding *ev;
	const struct um_kernel_pmu *pmu;
	FILE *out;
	uint64_t left, left_extra[UM_MAX_EXTRAS];  /* bits that are not said yet */
	const char *mods;
	bool any;
};

/* ---- which PMU ---- */

/* "uncore_cbox", "uncore_cbox_3" */
static void kernel_name(const struct um_encoding *ev, char *buf, size_t size)
{
	if (ev->unit >= 0 && ev->pmu->units.max > 1)
		snprintf(buf, size, "%s_%d", ev->pmu->kernel, ev->unit);
	else
		snprintf(buf, size, "%s", ev->pmu->kernel ? ev->pmu->kernel : "");
}

static int take_first(void *user, struct um_kernel_pmu *pmu)
{
	struct um_kernel_pmu **first = user;

	*first = *first ? *first : pmu;
	return 0;
}

/* NULL: the kernel has none. */
static struct um_kernel_pmu *kernel_pmu(const struct um_perf_scope *scope,
					const struct um_encoding *ev)
{
	struct um_kernel_pmu *first = NULL;
	char name[64];

	kernel_name(ev, name, sizeof(name));
	if (*name)
		um_kernel_pmus_match(scope->pmus, name, strlen(name), take_first, &first);
	return first;
}

bool um_front_kernel_has(struct uncoremsr_session *s, const struct um_encodings *list)
{
	struct um_error before = s->um->error;
	struct um_perf_scope scope;
	bool has = list->num && !um_perf_names(s->um, &scope);

	for (size_t i = 0; i < list->num && has; i++)
		has = kernel_pmu(&scope, &list->events[i]) != NULL;
	s->um->error = before;
	return has;
}

/* ---- terms ---- */

static void say(struct words *w, const char *name, uint64_t value)
{
	fprintf(w->out, "%s%s=0x%" PRIx64, w->any ? "," : "", name, value);
	w->any = true;
}

static void say_format(struct words *w, const char *name)
{
	struct um_term t;
	uint64_t *left, value;

	if (!um_term_find(w->ev->pmu, name, strlen(name), &t))
		return;
	left = t.word == UM_WORD_SELECTOR ? &w->left : &w->left_extra[t.extra];
	value = um_term_get(&t, *left);
	if (!value)
		return;
	*left &= ~um_term_mask(&t);
	say(w, name, value);
}

/* What the kernel sets by itself, or by letters behind the slash. */
static void leave_to_kernel(struct words *w)
{
	const struct um_selector *sel = &w->ev->pmu->selector;
	uint64_t user, kernel;

	w->left &= ~(sel->enable | sel->fixed_bits | sel->occ_reset | sel->pmi);
	if (!um_pmu_rings(w->ev->pmu, &user, &kernel))
		return;
	if (!(w->left & kernel) != !(w->left & user))
		w->mods = w->left & user ? "u" : "k";
	w->left &= ~(user | kernel);
}

static int unsaid(const struct words *w)
{
	uint64_t left = w->left;

	for (size_t i = 0; i < UM_MAX_EXTRAS; i++)
		left |= w->left_extra[i];
	if (!left)
		return 0;
	um_fail(&w->s->um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"event '%s': perf cannot express it: the formats of '%s' have no room for all of "
		"it", w->ev->name, w->pmu->name);
	um_hint(&w->s->um->error, "count it through registers: --route=msr");
	return -ENOTSUP;
}

static int say_general(struct words *w)
{
	w->left = w->ev->word;
	memcpy(w->left_extra, w->ev->extra, sizeof(w->left_extra));
	leave_to_kernel(w);
	for (size_t i = 0; i < w->pmu->num_formats; i++)
		say_format(w, w->pmu->formats[i].name);
	return unsaid(w);
}

/* ---- counters that count one thing ---- */

static bool say_alias(struct words *w, const char *name)
{
	if (!um_kernel_alias(w->pmu, name, strlen(name)))
		return false;
	fputs(name, w->out);
	return true;
}

/*
 * A ready-made event of the kernel where it has one, else the code that stands for the only fixed
 * counter of an uncore PMU (Linux arch/x86/events/intel/uncore.h, UNCORE_FIXED_EVENT).
 */
static int say_fixed(struct words *w)
{
	const struct um_fixed *f = &w->ev->pmu->fixed[w->ev->fixed];
	const char *const *alias = f->aliases;

	if (say_alias(w, f->event))
		return 0;
	for (; alias && *alias; alias++)
		if (say_alias(w, *alias))
			return 0;
	if (w->ev->pmu->num_fixed > 1 || um_pmu_is_core(w->ev->pmu)) {
		w->left = 1;
		return unsaid(w);
	}
	if (!say_alias(w, "clockticks"))
		say(w, "event", 0xff);
	return 0;
}

/* ---- events, groups ---- */

static int no_pmu(struct uncoremsr_session *s, const struct um_encoding *ev)
{
	char name[64];

	kernel_name(ev, name, sizeof(name));
	um_fail(&s->um->error, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED,
		"event '%s': this kernel has no PMU '%s'", ev->name, *name ? name : ev->pmu->name);
	um_hint(&s->um->error, "its driver is the module intel_uncore (on AMD amd_uncore); through "
		"registers: --route=msr");
	return -ENOENT;
}

static int say_event(struct uncoremsr_session *s, const struct um_perf_scope *scope,
		     const struct um_encoding *ev, FILE *out)
{
	struct words w = { .s = s, .ev = ev, .out = out, .mods = "" };
	struct um_kernel_pmu *pmu = kernel_pmu(scope, ev);
	char name[64];
	int err;

	if (!pmu)
		return no_pmu(s, ev);
	if (um_kernel_pmu_load(scope->pmus, pmu))
		return um_front_no_memory(s);
	w.pmu = pmu;
	kernel_name(ev, name, sizeof(name));
	fprintf(out, "%s/", name);
	err = ev->fixed >= 0 ? say_fixed(&w) : say_general(&w);
	fprintf(out, "/%s", w.mods);
	return err;
}

static bool same_group(const struct um_encodings *list, size_t a, size_t b)
{
	return b < list->num && list->events[a].group == list->events[b].group;
}

/* All of a list, groups in braces. */
static int say_list(struct uncoremsr_session *s, const struct um_encodings *list, FILE *out)
{
	struct um_perf_scope scope;
	int err = um_perf_names(s->um, &scope);

	for (size_t i = 0; i < list->num && !err; i++) {
		bool behind = i && same_group(list, i - 1, i), before = same_group(list, i, i + 1);

		fprintf(out, "%s%s", i ? "," : "", before && !behind ? "{" : "");
		err = say_event(s, &scope, &list->events[i], out);
		if (behind && !before)
			fputc('}', out);
	}
	return err;
}

static int keep_names(struct uncoremsr_session *s, const struct um_encodings *list, size_t from)
{
	for (size_t i = 0; i < list->num; i++) {
		struct um_perf_event *to =
			(struct um_perf_event *)um_session_perf_event(s, from + i);
		char *name = strdup(list->events[i].name);

		if (!name)
			return um_front_no_memory(s);
		free(to->name);
		to->name = name;
	}
	return (int)list->num;
}

int um_front_translate(struct uncoremsr_session *s, const struct um_encodings *list,
		       const char *why)
{
	size_t size, from = s->num_refs;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);
	int err = out ? say_list(s, list, out) : 0;

	if (!out || fclose(out))
		err = um_front_no_memory(s);
	if (!err)
		err = um_front_add_perf(s, text, why);
	free(text);
	return err < 0 ? err : keep_names(s, list, from);
}
