/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals stay blocked for the whole run and are fetched with sigtimedwait(), which is also how
 * time is waited for: no handler, no signal lost between a check and a wait, one system call.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "read.h"

/* A group's turn: long against the microseconds that changing groups takes, short for the eye. */
#define SHORTEST_TURN_NS (10 * NS_PER_MS)
#define LONGEST_TURN_NS (100 * NS_PER_MS)
#define TURNS_PER_INTERVAL 4

void read_wait_init(struct read_wait *w)
{
	struct sigaction hup;

	sigemptyset(&w->signals);
	sigaddset(&w->signals, SIGINT);
	sigaddset(&w->signals, SIGTERM);
	sigaddset(&w->signals, SIGQUIT);
	sigaddset(&w->signals, SIGCHLD);
	if (sigaction(SIGHUP, NULL, &hup) < 0 || hup.sa_handler != SIG_IGN)
		sigaddset(&w->signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &w->signals, &w->old_mask);
}

void read_wait_dispositions(void)
{
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
}

void read_die(int signo)
{
	sigset_t set;

	signal(signo, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signo);
	raise(signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	exit(128 + signo);
}

static uint64_t wall_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* Wait for a signal until the wall clock shows @until; UINT64_MAX: for ever. */
static enum read_wake wait_signal(struct read_wait *w, uint64_t until)
{
	struct timespec t = { 0, 0 };
	int signo;

	do {
		uint64_t now = until && until != UINT64_MAX ? wall_now() : 0;
		uint64_t left = until > now ? until - now : 0;

		t.tv_sec = (time_t)(left / NS_PER_S);
		t.tv_nsec = (long)(left % NS_PER_S);
		signo = sigtimedwait(&w->signals, &w->info, until == UINT64_MAX ? NULL : &t);
	} while (signo < 0 && errno == EINTR);
	if (signo < 0)
		return READ_WAKE_TIME;
	if (signo == SIGCHLD)
		return READ_WAKE_CHILD;
	return signo == SIGINT ? READ_WAKE_STOP : READ_WAKE_DIE;
}

enum read_wake read_wait_pending(struct read_wait *w)
{
	return wait_signal(w, 0);
}

enum read_wake read_wait_signal(struct read_wait *w)
{
	return wait_signal(w, UINT64_MAX);
}

/* Wait in real time; a stepped clock then follows the time that COMMAND really took. */
static enum read_wake wait_wall(struct read_wait *w, uint64_t until)
{
	uint64_t now = uncoremsr_now(w->um), begin = wall_now();
	uint64_t left = until > now ? until - now : 0;
	enum read_wake wake;

	wake = wait_signal(w, until == UINT64_MAX ? until : begin + left);
	if (w->wall)
		uncoremsr_advance(w->um, wall_now() - begin);
	return wake;
}

static enum read_wake wait_moment(struct read_wait *w, uint64_t from, uint64_t until)
{
	if (w->wall || !uncoremsr_advance(w->um, until - from))
		return wait_wall(w, until);
	w->skipped_ns += until - from;
	return read_wait_pending(w);
}

/* Length of a turn such that all groups get the same number of turns in every interval. */
static uint64_t turn_ns(uint64_t interval_ns, size_t groups)
{
	uint64_t turn = interval_ns / (TURNS_PER_INTERVAL * groups), turns;

	if (!interval_ns)
		return LONGEST_TURN_NS;
	if (turn < SHORTEST_TURN_NS)
		turn = SHORTEST_TURN_NS;
	if (turn > LONGEST_TURN_NS)
		turn = LONGEST_TURN_NS;
	turns = (interval_ns / turn + groups - 1) / groups * groups;
	turn = interval_ns / (turns ? turns : groups);
	return turn ? turn : 1;
}

static uint64_t step_ns(const struct read_wait *w, uint64_t interval_ns)
{
	size_t groups = uncoremsr_session_num_groups(w->session);
	/* Half, so that a late wake-up does no harm. */
	uint64_t longest = uncoremsr_session_max_interval(w->session) / 2;
	uint64_t turn = groups > 1 ? turn_ns(interval_ns, groups) : longest;

	return turn < longest ? turn : longest;
}

/* Failures here show as the status of the readings that they spoil. */
static void step(struct read_wait *w)
{
	if (uncoremsr_session_num_groups(w->session) > 1)
		uncoremsr_session_rotate(w->session);
	else
		uncoremsr_session_sample(w->session);
}

enum read_wake read_wait_until(struct read_wait *w, uint64_t from, uint64_t deadline,
			       uint64_t interval_ns)
{
	uint64_t each = step_ns(w, interval_ns);

	for (;;) {
		/* A rest of less than half a step is not worth one. */
		uint64_t left = deadline - from;
		uint64_t next = left - each / 2 > each && left > each ? from + each : deadline;
		enum read_wake wake = wait_moment(w, from, next);

		if (wake != READ_WAKE_TIME || next == deadline)
			return wake;
		step(w);
		/* After a long sleep of the machine: go on from here, do not make up for it. */
		from = uncoremsr_now(w->um) > next + each ? uncoremsr_now(w->um) : next;
		if (from >= deadline)
			return READ_WAKE_TIME;
	}
}
