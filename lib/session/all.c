/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All events of the lists at once, of which this machine may have some only. */
#include <errno.h>
#include <string.h>

#include "events/json_list.h"
#include "events/catalogue.h"
#include "session/session.h"

/* What would be read as something else than one name is none. */
static int add_name(struct uncoremsr_session *s, const char *name)
{
	if (*name && !name[strcspn(name, ",/{}[]* ")])
		return uncoremsr_session_add(s, name);
	um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
		"event '%.100s': not a name that can be asked for", name);
	return -EINVAL;
}

static int no_lists(struct uncoremsr_session *s)
{
	um_fail(&s->um->error, -ENOENT, UNCOREMSR_ERROR_USAGE,
		"all events of the lists were asked for, but there are no lists");
	um_hint(&s->um->error, "name a list, or install those of the vendor: uncore-events import");
	return -ENOENT;
}

int uncoremsr_session_add_listed(struct uncoremsr_session *s,
				 void (*left_out)(void *user,
						  const struct uncoremsr_event *event,
						  const char *why),
				 void *user)
{
	struct um_names *names = um_names_made(s->um);
	const struct um_json_lists *lists = names ? names->lists : NULL;
	int num = 0;

	if (s->running)
		return um_front_runs(s);
	if (!lists || !um_json_num(lists))
		return no_lists(s);
	for (size_t i = 0; i < um_json_num(lists); i++) {
		const struct um_json_event *ev = um_json_event(lists, i);
		int got;

		/* The name means the first of its kind, which was added already. */
		if (!ev || um_json_find(lists, ev->name, strlen(ev->name)) != ev)
			continue;
		got = add_name(s, ev->name);
		if (got == -ENOMEM)
			return got;
		if (got < 0 && left_out)
			left_out(user, &ev->base, s->um->error.msg);
		else if (got < 0)
			um_warn(&s->um->m, "left out: %s", s->um->error.msg);
		num += got > 0 ? got : 0;
	}
	return num;
}
