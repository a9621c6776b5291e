/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals stay blocked for the whole run. One system call, sigtimedwait(), waits for both signals and time. So there is
 * no handler, and no signal is lost between a check and a wait.
 */
#include <errno.h>
#include <stdlib.h>

#include "common/output.h"
#include "common/wait.h"

/* Signals that the tool waits for even if they were ignored at its start, as in a background job of a shell. */
static const int always[] = { SIGINT, SIGTERM, SIGQUIT, SIGCHLD };
/*
 * Other signals that end a process, without those of the CPU's faults (SIGSEGV and the like). SIGABRT is included
 * because service managers send it; abort() still ends the process, because it unblocks the signal first. The real-time
 * signals are added to these.
 */
static const int unless_ignored[] = {
	SIGHUP, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR,
	SIGSTKFLT,
};

static void add_unless_ignored(sigset_t *set, int signo)
{
	struct sigaction now;

	if (sigaction(signo, NULL, &now) < 0 || now.sa_handler != SIG_IGN)
		sigaddset(set, signo);
}

void wait_init(struct tool_wait *w, bool reopens)
{
	w->reopens = reopens;
	sigemptyset(&w->signals);
	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		sigaddset(&w->signals, always[i]);
	for (size_t i = 0; i < ARRAY_SIZE(unless_ignored); i++)
		add_unless_ignored(&w->signals, unless_ignored[i]);
	if (w->reopens)
		sigaddset(&w->signals, SIGHUP);
	for (int signo = SIGRTMIN; signo <= SIGRTMAX; signo++)
		add_unless_ignored(&w->signals, signo);
	sigprocmask(SIG_BLOCK, &w->signals, &w->old_mask);
}

void wait_dispositions(void)
{
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
}

void wait_die(int signo)
{
	sigset_t set;

	signal(signo, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signo);
	raise(signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	exit(128 + signo);
}

/* @until is a time of CLOCK_MONOTONIC. 0: do not wait; UINT64_MAX: wait forever. */
static enum wake fetch(struct tool_wait *w, uint64_t until)
{
	struct timespec t = { 0, 0 };
	int signo;

	do {
		uint64_t now = until && until != UINT64_MAX ? clock_now(CLOCK_MONOTONIC) : 0;
		uint64_t left = until > now ? until - now : 0;

		t.tv_sec = (time_t)(left / NS_PER_S);
		t.tv_nsec = (long)(left % NS_PER_S);
		signo = sigtimedwait(&w->signals, &w->info, until == UINT64_MAX ? NULL : &t);
	} while (signo < 0 && errno == EINTR);
	if (signo < 0)
		return WAKE_TIME;
	if (signo == SIGCHLD)
		return WAKE_CHILD;
	if (signo == SIGHUP && w->reopens)
		return WAKE_REOPEN;
	out_messages_ending();
	w->interrupted |= signo == SIGINT;
	return signo == SIGINT ? WAKE_STOP : WAKE_DIE;
}

enum wake wait_pending(struct tool_wait *w)
{
	return fetch(w, 0);
}

enum wake wait_signal(struct tool_wait *w)
{
	return fetch(w, UINT64_MAX);
}

enum wake wait_real(struct tool_wait *w, uint64_t ns)
{
	return fetch(w, clock_now(CLOCK_MONOTONIC) + ns);
}

/* A stepped simulated clock advances by the real time that has passed. */
static enum wake wait_wall(struct tool_wait *w, uint64_t until)
{
	uint64_t now = uncoremsr_now(w->um), begin = clock_now(CLOCK_MONOTONIC);
	uint64_t left = until > now ? until - now : 0;
	enum wake wake;

	wake = fetch(w, until == UINT64_MAX ? until : begin + left);
	if (w->wall)
		uncoremsr_advance(w->um, clock_now(CLOCK_MONOTONIC) - begin);
	return wake;
}

enum wake wait_until(struct tool_wait *w, uint64_t from, uint64_t until)
{
	if (w->wall || !uncoremsr_advance(w->um, until - from))
		return wait_wall(w, until);
	w->skipped_ns += until - from;
	return wait_pending(w);
}

uint64_t wait_next_deadline(const struct tool_wait *w, uint64_t last, uint64_t interval_ns)
{
	uint64_t now = uncoremsr_now(w->um);

	if (now > last + interval_ns)
		last += (now - last) / interval_ns * interval_ns;
	return last + interval_ns;
}

uint64_t wait_wall_clock(const struct tool_wait *w)
{
	return clock_now(CLOCK_REALTIME) + w->skipped_ns;
}
