/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>

#include "encode/event.h"
#include "names/catalogue.h"

int uncoremsr_event_find(struct uncoremsr *um, const char *uarch, const char *text,
			 int (*fn)(void *user, const struct uncoremsr_event *event), void *user)
{
	struct um_encodings list = { 0 };
	struct um_event_pmus pmus;
	int num = um_check_given(um, text, "text") ?: um_names_find(um, uarch, text, fn, user);

	if (!num)
		num = um_pmus_of(um, uarch, &pmus) ?: um_events_parse(&list, text, &pmus, &um->error);
	for (size_t i = 0; num > 0 && i < list.num; i++) {
		const struct um_encoding *ev = &list.events[i];
		const struct uncoremsr_event *named;
		int err;

		if (ev->row) {
			named = um_table_event(um->names, um_event_table_of(pmus.uarch, ev->pmu), ev->row);
			err = !named ? -ENOMEM : fn ? fn(user, um_event_shown(named)) : 0;
		} else {
			err = um_event_fail(&um->error, -ENOENT, text, "these codes have no name on %s", pmus.uarch);
		}
		num = err ? err : num;
	}
	um_events_free(&list);
	return num;
}
