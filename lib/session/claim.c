/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Add events to a session, group by group. The first route that claims a group counts it. If something prevents that
 * route from counting, the second route that claims the group counts it. Either all events of the text are added, or
 * none.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"
#include "names/catalogue.h"
#include "names/index.h"
#include "session/session.h"

int um_session_check_idle(struct uncoremsr_session *s)
{
	if (!s)
		return -EINVAL;
	return um_check_process(&s->um->m, &s->um->error) ?: !s->running ? 0 :
	       um_fail(&s->um->error, -EBUSY, UNCOREMSR_ERROR_USAGE, "the session is running");
}

const struct uncoremsr_counted *uncoremsr_session_event(const struct uncoremsr_session *s, size_t event)
{
	struct uncoremsr_counted *shown;
	struct um_counted *c;

	if (!s || event >= s->num_events)
		return NULL;
	c = &s->events[event];
	shown = &c->shown;
	s->parts[c->part].route->facts(s->parts[c->part].state, c->index, shown);
	shown->size = sizeof(*shown);
	shown->route = (enum uncoremsr_route)s->parts[c->part].route->id;
	shown->measure = um_or_null(shown->measure);
	shown->kernel_scale = um_or_null(shown->kernel_scale);
	return shown;
}

void um_part_cut(struct um_part *p, size_t num)
{
	p->route->cut(p->state, num);
	p->num_events = num;
}

int um_session_append(struct uncoremsr_session *s, size_t part, size_t num, struct um_reason reason)
{
	struct um_part *p = &s->parts[part];

	if (ARRAY_ROOM(s->events, s->num_events, num)) {
		um_part_cut(p, p->num_events);
		return um_no_memory(&s->um->error);
	}
	for (size_t i = 0; i < num; i++)
		s->events[s->num_events++] = (struct um_counted){
			.part = part, .index = p->num_events++, .reason = reason,
		};
	return 0;
}

void um_asked_free(struct uncoremsr_session *s, size_t from)
{
	while (s->num_asked > from)
		um_written_free(&s->asked[--s->num_asked].written);
}

void um_session_cut(struct uncoremsr_session *s, size_t num)
{
	while (s->num_events > num) {
		const struct um_counted *c = &s->events[--s->num_events];

		um_part_cut(&s->parts[c->part], c->index);
	}
	while (s->num_asked && s->asked[s->num_asked - 1].first >= num)
		um_asked_free(s, s->num_asked - 1);
}

void um_session_tell_routes(struct uncoremsr_session *s, size_t from)
{
	/* Why the preferred route was not used; %s is its label. */
	static const char *const words[] = {
		[UM_CLAIM_NOTHING_HERE] = "nothing can be counted here by %s",
		[UM_CLAIM_NOT_MINE] = "the event is unknown to %s",
		[UM_CLAIM_NO_PMU] = "no PMU of %s counts the event",
		[UM_CLAIM_BAD_VALUE] = "the event is not understood by %s",
		[UM_CLAIM_INEXPRESSIBLE] = "the event cannot be counted by %s",
		[UM_CLAIM_ON_REQUEST] = "the event is counted by %s only on request",
		[UM_CLAIM_NO_TASKS] = "single processes cannot be counted by %s",
		[UM_CLAIM_NOT_SUPPORTED] = "the event is not supported here by %s",
		[UM_CLAIM_FAILED] = "%s failed",
		[UM_CLAIM_YES] = "the event can be counted this way, so %s is not needed",
	};

	for (size_t i = from; i < s->num_events && um_logs_remarks(&s->um->m); i++) {
		const struct um_reason *r = um_session_reason(s, i);
		const struct um_part *of = &s->parts[r->of];
		char why[UM_MESSAGE_SIZE];

		if (r->kind == UM_ASKED_FOR)
			snprintf(why, sizeof(why), "this route was requested");
		else if (r->kind == UM_FOR_A_METRIC)
			snprintf(why, sizeof(why), "a metric needs the event");
		else if (r->answer == UM_CLAIM_NO_ACCESS)
			snprintf(why, sizeof(why), "%s", of->blocked.msg);
		else
			snprintf(why, sizeof(why), words[r->answer], of->route->label);
		um_log(&s->um->m, "%s: counted by %s: %s", uncoremsr_session_event(s, i)->name,
		       s->parts[s->events[i].part].route->label, why);
	}
}

struct claims {
	size_t first, second;          /* indexes of the first two routes that answered YES; num_parts: none */
	/* @explains: the first route that gave the highest answer, @best. Its refusal is shown to the user. */
	enum um_answer best;
	size_t explains;
	int err;
	struct um_error error;
	struct um_reason reason;       /* why @first counts the group: what the first of the other routes answered */
};

static int ask(struct uncoremsr_session *s, size_t i, const struct um_event *group, size_t num,
	       enum um_answer *answer, struct um_error *e)
{
	*answer = UM_CLAIM_FAILED;
	return s->parts[i].route->claim(s->parts[i].state, group, num, s->wanted != UNCOREMSR_ROUTE_AUTO, answer, e);
}

/* Does something prevent the route from counting its last claim? Then p->blocked says what. */
static bool is_blocked(struct um_part *p)
{
	return p->shut || (p->route->blocked && p->route->blocked(p->state, &p->blocked));
}

/*
 * Is the route known to be unable to count? Checked only once, not for each event. If it becomes unable later, the
 * start of the session moves its events to other routes (um_session_move_asked(), um_session_move_metrics()).
 */
static bool may_be_blocked(struct um_part *p)
{
	if (p->looked == UM_NOT_LOOKED)
		p->looked = is_blocked(p) ? UM_WAS_BLOCKED : UM_WAS_FREE;
	return p->shut || p->looked == UM_WAS_BLOCKED;
}

/*
 * Advise another route only if it would count the group, so claim the group on each route as if the user had chosen it.
 */
static void advise_route(struct uncoremsr_session *s, const struct um_event *group, size_t num, struct um_error *e)
{
	char hint[sizeof(e->hint)];

	memcpy(hint, e->hint, sizeof(hint));
	for (size_t i = 0; i < s->num_parts; i++) {
		const struct um_route *r = s->parts[i].route;
		enum um_answer answer = UM_CLAIM_FAILED;
		struct um_error other;

		if (r->id == (int)s->wanted)
			continue;
		if (!r->claim(s->parts[i].state, group, num, true, &answer, &other) &&
		    !(r->blocked && r->blocked(s->parts[i].state, &other))) {
			um_hint(e, "%s%s%s can count it: --route=%s", hint, *hint ? "; " : "", r->label, r->name);
			return;
		}
		/* If the event itself is wrong (class USAGE), a missing PMU is not the cause. */
		if (!*e->hint && e->class != UNCOREMSR_ERROR_USAGE && answer == UM_CLAIM_NO_PMU && r->no_pmu_advice)
			um_hint(e, "%s", r->no_pmu_advice(&s->um->m));
	}
}

/* No route takes the group: claim it again on the route whose refusal is reported, now with a message. */
static void explain(struct uncoremsr_session *s, const struct um_event *group, size_t num, struct claims *c)
{
	enum um_answer answer;
	int err = ask(s, c->explains, group, num, &answer, &c->error);

	if (err)
		c->err = err;
	else
		c->first = c->explains;
}

/* Ask all routes. No messages are made (@e NULL), because usually some route takes the group. */
static struct claims ask_all(struct uncoremsr_session *s, const struct um_event *group, size_t num)
{
	struct claims c = { .first = s->num_parts, .second = s->num_parts, .explains = s->num_parts };
	bool asked = s->wanted != UNCOREMSR_ROUTE_AUTO, reasoned = false;

	c.reason.kind = asked ? UM_ASKED_FOR : UM_OTHERS_ANSWER;
	for (size_t i = 0; i < s->num_parts && c.second == s->num_parts; i++) {
		enum um_answer answer;
		int err;

		if (asked && s->parts[i].route->id != s->wanted)
			continue;
		if (c.first < s->num_parts && s->parts[i].route->slow_claim && !may_be_blocked(&s->parts[c.first])) {
			if (!reasoned)
				c.reason = (struct um_reason){ .kind = UM_NOT_ASKED, .of = i };
			break;
		}
		err = ask(s, i, group, num, &answer, NULL);
		if (err == -ENOMEM) {
			c.first = s->num_parts;
			c.err = um_no_memory(&c.error);
			return c;
		}
		if (!err && c.first < s->num_parts)
			c.second = i;
		else if (!err)
			c.first = i;
		else if (!c.err || answer > c.best) {
			c.err = err;
			c.best = answer;
			c.explains = i;
		}
		if (!asked && !reasoned && c.first != i) {
			c.reason = (struct um_reason){ UM_OTHERS_ANSWER, answer, i };
			reasoned = true;
		}
	}
	if (c.first == s->num_parts && c.explains < s->num_parts)
		explain(s, group, num, &c);
	return c;
}

/* Returns the number of events, or a negative errno. */
static int add_claimed(struct uncoremsr_session *s, size_t part, struct um_reason reason, struct um_error *e)
{
	const struct um_part *p = &s->parts[part];
	int num = p->route->add(p->state, e);

	return num < 0 ? num : um_session_append(s, part, (size_t)num, reason) ?: num;
}

int um_session_part_for(struct uncoremsr_session *s, const struct um_event *group, size_t num, size_t *part)
{
	struct claims c = ask_all(s, group, num);
	struct um_part *p = &s->parts[c.first];

	*part = c.first;
	/* Whether the kernel can count depends on the events, so check it for each claim. */
	if (c.first < s->num_parts && (p->route->slow_claim ? is_blocked(p) : may_be_blocked(p))) {
		um_fail_as(&c.error, &p->blocked);
		c.err = p->blocked.code;
		*part = c.second;
	}
	if (*part == s->num_parts) {
		um_fail_as(&s->um->error, &c.error);
		if (c.err != -ENOMEM)
			advise_route(s, group, num, &s->um->error);
	}
	return *part < s->num_parts ? 0 : c.err;
}

static int choose(struct uncoremsr_session *s, struct claims *c)
{
	struct um_part *p = &s->parts[c->first];
	struct um_error e;
	int num;

	if (c->second == s->num_parts || !is_blocked(p))
		return add_claimed(s, c->first, c->reason, &s->um->error);
	num = add_claimed(s, c->second, (struct um_reason){ UM_OTHERS_ANSWER, UM_CLAIM_NO_ACCESS, c->first }, &e);
	if (num == -ENOMEM)
		return um_no_memory(&s->um->error);
	if (num >= 0)
		return num;
	/* Neither route can count the group. Add it to the first one, whose start will report the reason. */
	return add_claimed(s, c->first, (struct um_reason){ UM_OTHERS_ANSWER, UM_CLAIM_INEXPRESSIBLE, c->second },
			   &s->um->error);
}

/* Is there an event that no route can count, or are two events counted by different routes? */
static int explain_group(struct uncoremsr_session *s, const struct um_event *group, size_t num, struct claims *c)
{
	struct um_error *e = &s->um->error;
	size_t first = s->num_parts, other = s->num_parts, differs = 0;

	um_fail_as(e, &c->error);
	if (c->err == -ENOMEM)
		return c->err;
	advise_route(s, group, num, e);
	if (!group[0].braces)
		return c->err;
	for (size_t i = 0; i < num; i++) {
		struct claims one = ask_all(s, &group[i], 1);

		if (one.first == s->num_parts) {
			um_fail_as(e, &one.error);
			c->err = one.err;
			differs = 0;
			break;
		}
		if (!i)
			first = one.first;
		if (one.first != first) {
			other = one.first;
			differs = i;
		}
	}
	if (differs)
		c->err = UM_USAGE(e, "group of '%s' and '%s': one is counted by %s, the other by %s", group[0].text,
				  group[differs].text, s->parts[first].route->label, s->parts[other].route->label);
	if (c->err != -ENOMEM && !*e->hint)
		um_hint(e, "all events of a group have to be of one PMU: put them into two groups");
	return c->err;
}

/* Take over the events of a group from the scanned text, for um_session_move_asked(). */
static int keep(struct uncoremsr_session *s, struct um_event *group, size_t num, size_t first)
{
	struct um_event *copy = malloc(num * sizeof(*copy));

	if (!copy || ARRAY_APPEND(s->asked, s->num_asked,
				  (struct um_asked){ { copy, num }, first, s->num_events - first })) {
		free(copy);
		return um_no_memory(&s->um->error);
	}
	memcpy(copy, group, num * sizeof(*copy));
	memset(group, 0, num * sizeof(*group));
	return 0;
}

int uncoremsr_session_add(struct uncoremsr_session *s, const char *text)
{
	int err = um_session_check_idle(s);
	struct um_written w;
	size_t before;
	char *names;

	if (err)
		return err;
	if (!text)
		return UM_USAGE(&s->um->error, "no event");
	before = s->num_events;
	err = um_names_expand(s->um, NULL, text, &names);
	if (err)
		return err;
	err = um_scan_events(&w, names ? names : text, &s->um->error);
	free(names);
	if (err)
		return err;
	for (size_t i = 0, num; i < w.num && err >= 0; i += num) {
		size_t first = s->num_events;
		struct claims c;

		for (num = 1; i + num < w.num && w.events[i + num].group == w.events[i].group;)
			num++;
		c = ask_all(s, &w.events[i], num);
		err = c.first < s->num_parts ? choose(s, &c) : explain_group(s, &w.events[i], num, &c);
		if (err >= 0)
			err = keep(s, &w.events[i], num, first);
	}
	um_written_free(&w);
	if (err < 0) {
		um_session_cut(s, before);
		return err;
	}
	um_session_tell_routes(s, before);
	return (int)(s->num_events - before);
}

const struct um_reason *um_session_reason(struct uncoremsr_session *s, size_t event)
{
	struct um_reason *r = &s->events[event].reason;

	for (const struct um_asked *a = s->asked; a < s->asked + s->num_asked && r->kind == UM_NOT_ASKED; a++) {
		if (event < a->first || event >= a->first + a->num)
			continue;
		r->kind = UM_OTHERS_ANSWER;
		if (ask(s, r->of, a->written.events, a->written.num, &r->answer, NULL) == -ENOMEM)
			um_no_memory(&s->um->error);
	}
	return r;
}

int uncoremsr_session_add_listed(struct uncoremsr_session *s, void (*left_out)(void *user,
				 const struct uncoremsr_event *event, const char *why), void *user)
{
	struct um_lookup l = { .names = NULL };
	int err = um_session_check_idle(s), num = 0;
	const struct um_index *lists;

	if (err)
		return err;
	l.names = s->um->names;
	lists = um_index_of(&l);
	if (!lists)
		return um_no_memory(&s->um->error);
	if (!lists->num) {
		um_fail(&s->um->error, -ENOENT, UNCOREMSR_ERROR_USAGE,
			"all events of the lists were asked for, but there are no event lists");
		return um_advise(&s->um->error, -ENOENT,
			       "name a list, or install those of the vendor: uncore-events import");
	}
	for (size_t i = 0; (lists = um_index_of(&l)) && i < lists->num; i++) {
		const struct uncoremsr_event *ev = lists->rows[i];
		int got;

		if (um_event_shown(ev)->hidden > 0)
			continue;
		/* Reject names that the parser would split or expand. */
		if (!*ev->name || ev->name[strcspn(ev->name, ",/{}[]* ")])
			got = um_event_fail(&s->um->error, -EINVAL, ev->name, "not a valid name");
		else
			got = uncoremsr_session_add(s, ev->name);
		if (got == -ENOMEM)
			return got;
		if (got < 0 && left_out)
			left_out(user, ev, s->um->error.msg);
		else if (got < 0)
			um_warn(&s->um->m, "left out: %s", s->um->error.msg);
		num += got > 0 ? got : 0;
	}
	return num;
}

int um_session_move_asked(struct uncoremsr_session *s, size_t part, struct um_counted *to)
{
	struct um_reason why = { UM_OTHERS_ANSWER, UM_CLAIM_NO_ACCESS, part };
	struct um_error ignored;

	for (const struct um_asked *a = s->asked; a < s->asked + s->num_asked; a++) {
		size_t other = part + 1, before = s->num_events;
		enum um_answer answer;

		if (s->events[a->first].part != part)
			continue;
		while (other < s->num_parts && ask(s, other, a->written.events, a->written.num, &answer, NULL))
			other++;
		if (other == s->num_parts || add_claimed(s, other, why, &ignored) != (int)a->num)
			return -ENOTSUP;
		memcpy(&to[a->first], &s->events[before], a->num * sizeof(*to));
	}
	return 0;
}
