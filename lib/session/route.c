/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which route an event takes. Of the uncore the registers count, where our tables know it and they
 * may be written, else the kernel's PMU for it; all else (core, software, whatever belongs to a task)
 * the kernel does.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "session/session.h"

#define ASKED_FOR "it was asked for"

/* ---- may registers be written? ---- */

/* The driver can be opened all the same under these two, and then refuses each write. */
static bool writes_are_refused(struct uncoremsr_session *s)
{
	const char *lockdown = uncoremsr_machine_text(s->um, UNCOREMSR_MACHINE_LOCKDOWN);
	const char *filter = uncoremsr_machine_text(s->um, UNCOREMSR_MACHINE_DRIVER_WRITES);
	const char *device = uncoremsr_machine_text(s->um, UNCOREMSR_MACHINE_DRIVER_DEVICE);

	if (lockdown && strcmp(lockdown, "none"))
		snprintf(s->why_not, sizeof(s->why_not), "kernel lockdown is '%s'", lockdown);
	else if (filter && !strcmp(filter, "off") && !strcmp(device, "msr"))
		snprintf(s->why_not, sizeof(s->why_not), "the msr driver's write filter is on "
			 "(allow_writes=off)");
	else
		return false;
	return true;
}

/* Asked once a session, and only where the kernel could count instead. */
static bool may_write(struct uncoremsr_session *s)
{
	struct um_error before = s->um->error;

	if (s->writes != UM_UNASKED)
		return s->writes == UM_MAY_WRITE;
	s->writes = UM_MAY_WRITE;
	if (s->um->m.dry_run || (!s->um->m.access->live && !s->um->sim_open))
		return true;
	if (um_driver_writable(s->um)) {
		s->writes = UM_MAY_NOT_WRITE;
		snprintf(s->why_not, sizeof(s->why_not), "%s", s->um->error.msg);
	} else if (writes_are_refused(s)) {
		s->writes = UM_MAY_NOT_WRITE;
	}
	s->um->error = before;
	return s->writes == UM_MAY_WRITE;
}

/* ---- whose event is it? ---- */

/* In the language of our tables, directly or by an event list. */
struct ours {
	struct um_encodings list;
	char *unlisted;              /* the text with names of lists written out; NULL: none */
};

static void free_ours(struct ours *o)
{
	um_events_free(&o->list);
	free(o->unlisted);
}

static bool parses(struct uncoremsr_session *s, struct um_encodings *list, const char *text)
{
	struct um_error before = s->um->error;
	bool ok = um_session_parse(s->msr, list, text) > 0;

	s->um->error = before;
	return ok;
}

static bool is_ours(struct uncoremsr_session *s, const char *text, struct ours *o)
{
	*o = (struct ours){ .unlisted = NULL };
	if (!um_session_can_count(s->msr))
		return false;
	if (parses(s, &o->list, text))
		return true;
	o->unlisted = um_front_unlist(s, text);
	return o->unlisted && parses(s, &o->list, o->unlisted);
}

/* Nothing of the core, which the kernel owns. */
static bool is_uncore(const struct um_encodings *list)
{
	for (size_t i = 0; i < list->num; i++)
		if (list->events[i].pmu->only_on_request)
			return false;
	return true;
}

/* Could it be of the uncore of this processor, which cannot be counted here (a virtual machine)? */
static bool looks_like_uncore(struct uncoremsr_session *s, const char *text)
{
	const struct um_uarch *u = s->um->m.model ? s->um->m.model->uarch : NULL;
	struct um_encodings list = { 0 };
	struct um_error ignored;
	struct um_event_pmus pmus;
	bool is;

	text += strspn(text, "{ ");
	if (isdigit((unsigned char)*text) || !strncasecmp(text, "UNC", 3))
		return true;
	if (!u)
		return false;
	pmus = um_event_pmus_of(u, NULL);
	is = um_events_parse(&list, text, &pmus, &ignored) > 0;
	um_events_free(&list);
	return is;
}

/* ---- routes ---- */

static int by_registers(struct uncoremsr_session *s, const char *text, const struct ours *o,
			const char *why)
{
	size_t from = s->msr->events.num;
	int num = um_front_add_msr(s, o->unlisted ? o->unlisted : text, why);

	if (num > 0 && o->unlisted)
		um_front_keep_listed(s, text, from);
	return num;
}

/* Lists speak the kernel's language; our names have to be translated. */
static int by_kernel(struct uncoremsr_session *s, const char *text, const struct ours *o,
		     const char *why)
{
	return o->unlisted ? um_front_add_perf(s, text, why) : um_front_translate(s, &o->list, why);
}

static int uncore(struct uncoremsr_session *s, const char *text, const struct ours *o)
{
	struct um_error refusal;
	int num;

	if (!um_front_kernel_has(s, &o->list))
		return by_registers(s, text, o, UM_WHY_NO_KERNEL_PMU);
	if (may_write(s))
		return by_registers(s, text, o, "it is of the uncore, and they may be written");
	num = by_kernel(s, text, o, s->why_not);
	if (num >= 0)
		return num;
	/* Neither will do; starting tells what is in the way of the registers. */
	refusal = s->um->error;
	num = by_registers(s, text, o, UM_WHY_KERNEL_CANNOT);
	if (num < 0)
		s->um->error = refusal;
	return num;
}

static bool is_listed(struct uncoremsr_session *s, const char *text)
{
	struct um_error before = s->um->error;
	bool is = um_front_not_reached(s, text) != 0;

	s->um->error = before;
	return is;
}

/*
 * The kernel does not know it (@err, sentence in the handle). Our tables may have near names to
 * offer, or say why there are none here.
 */
static int nobodys(struct uncoremsr_session *s, const char *text, bool mixed, int err)
{
	struct um_error *e = &s->um->error;
	char hint[sizeof(e->hint)];

	if (!s->um->m.uarch)
		return looks_like_uncore(s, text) ? um_session_cannot_count(s->msr) : err;
	if (err == -ENOENT && !mixed && !is_listed(s, text))
		err = um_front_add_msr(s, text, "");
	if (*text != '{')
		return err;
	memcpy(hint, e->hint, sizeof(hint));
	um_hint(e, "%.250s%sall events of a group have to be of one PMU", hint, *hint ? "; " : "");
	return err;
}

static int by_itself(struct uncoremsr_session *s, const char *text)
{
	struct ours o;
	bool ours = is_ours(s, text, &o);
	int num;

	if (ours && is_uncore(&o.list)) {
		num = uncore(s, text, &o);
		free_ours(&o);
		return num;
	}
	num = um_front_add_perf(s, text, s->target == UM_TARGET_SYSTEM
				? "it is of no uncore that registers reach"
				: "registers cannot tell tasks apart");
	if (num == -ENOENT || num == -EINVAL)
		num = nobodys(s, text, ours && o.list.num > 1, num);
	free_ours(&o);
	return num;
}

static int msr_only(struct uncoremsr_session *s, const char *text)
{
	struct ours o;
	int num, err;

	is_ours(s, text, &o);
	num = by_registers(s, text, &o, ASKED_FOR);
	err = num < 0 && !o.unlisted ? um_front_not_reached(s, text) : 0;
	free_ours(&o);
	return err ? err : num;
}

/* What is written in the kernel's words as well means theirs. */
static int perf_only(struct uncoremsr_session *s, const char *text)
{
	int num = um_front_add_perf(s, text, ASKED_FOR);
	struct um_error first = s->um->error;
	struct ours o;

	if (num >= 0 || num == -ENOMEM)
		return num;
	if (is_ours(s, text, &o) && !o.unlisted)
		num = um_front_translate(s, &o.list, ASKED_FOR);
	else
		s->um->error = first;
	free_ours(&o);
	return num;
}

int um_front_route(struct uncoremsr_session *s, const char *text)
{
	switch (s->route) {
	case UNCOREMSR_ROUTE_MSR:
		return msr_only(s, text);
	case UNCOREMSR_ROUTE_PERF:
		return perf_only(s, text);
	case UNCOREMSR_ROUTE_AUTO:
		break;
	}
	return by_itself(s, text);
}

/* ---- a change of mind ---- */

/* Their places among the session's events stay; the last ones of these are the translated. */
static void put_in_place(struct uncoremsr_session *s, size_t before)
{
	size_t from = before;

	for (size_t i = 0; i < before; i++)
		if (s->refs[i].part == UM_PART_MSR)
			s->refs[i] = s->refs[from++];
	s->num_refs = before;
	s->num_known = 0;
	um_msr_cut(s->msr, 0);
}

bool um_front_go_over(struct uncoremsr_session *s, int err)
{
	struct um_error why = s->um->error;
	size_t before = s->num_refs;
	bool done;

	if (s->route != UNCOREMSR_ROUTE_AUTO || um_msr_num_metrics(s->msr) ||
	    (why.class != UNCOREMSR_ERROR_ACCESS && err != -EIO) ||
	    !um_front_kernel_has(s, &s->msr->events))
		return false;
	snprintf(s->why_not, sizeof(s->why_not), "%s", why.msg);
	s->writes = UM_MAY_NOT_WRITE;
	done = um_front_translate(s, &s->msr->events, s->why_not) > 0;
	if (done)
		put_in_place(s, before);
	else
		um_front_take_back(s, before);
	s->um->error = why;
	return done;
}
