/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stories (steps.h) with several users of one machine. Each has a handle and a session; all share a lease directory.
 * Steps in addition to those of a session:
 *
 *   as USER    USER (a, b or c) plays the next steps
 *   die        the user is killed
 *   leave      the user ends its session and closes its handle
 */
#ifndef LEASE_STEPS_H
#define LEASE_STEPS_H

#include "lease_users.h"
#include "steps.h"

static struct user *acting;
/* @begun: descriptors that were open before the current user's steps. @opened: descriptors that each user opened. */
static fd_set begun, opened[3];

static inline fd_set *opened_by(const struct user *u)
{
	return &opened[u == &a ? 0 : u == &b ? 1 : 2];
}

static inline void note_opened(void)
{
	fd_set now;

	list_open(&now);
	for (int fd = 0; acting && fd < FD_SETSIZE; fd++)
		if (!FD_ISSET(fd, &now))
			FD_CLR(fd, opened_by(acting));
		else if (!FD_ISSET(fd, &begun))
			FD_SET(fd, opened_by(acting));
}

static inline void step_as(const struct step *st)
{
	static const char *const names[] = { "a", "b", "c", NULL };

	note_opened();
	list_open(&begun);
	acting = (struct user *const[]){ &a, &b, &c }[step_choice(st, 0, names)];
	if (!acting->um)
		join(acting);
	um = acting->um;
	s = acting->s;
}

static inline void step_die(const struct step *st)
{
	(void)st;
	note_opened();
	/* When a process dies, the kernel closes only the files of that process. */
	for (int fd = 0; fd < FD_SETSIZE; fd++)
		if (!FD_ISSET(fd, opened_by(acting)))
			FD_SET(fd, &acting->open_before);
	bury(acting);
	list_open(&begun);
}

static inline void step_leave(const struct step *st)
{
	(void)st;
	leave(acting);
}

static const struct step_kind lease_kinds[] = {
	{ "as", 1, 1, step_as }, { "die", 0, 0, step_die }, { "leave", 0, 0, step_leave }, { .name = NULL },
};
static const struct vocabulary lease_steps = { .kinds = lease_kinds, .base = &session_steps };

/* The fixture of a story with leases must use setup() and teardown() of lease_users.h. */
static inline void play_leases(const struct story *story)
{
	char what[256];

	snprintf(what, sizeof(what), "%s,clock=stepped,start=0x1234", story->machine);
	uncoremsr_sim_free(sim);
	sim = sim_or_fail(what);
	play_steps(&lease_steps, story->name, story->steps);
	um = NULL;
	s = NULL;
}

#endif
