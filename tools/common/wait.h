/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiting on the machine's clock, and the signals that end a run. */
#ifndef TOOL_WAIT_H
#define TOOL_WAIT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "uncoremsr.h"

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)

static inline uint64_t clock_now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

struct tool_wait {
	struct uncoremsr *um;
	bool wall;           /* wait in real time, even if a simulated clock could be advanced instead */
	bool interrupted;
	bool reopens;        /* on SIGHUP, files are opened again and the run goes on */
	sigset_t signals;    /* blocked signals; waiting fetches them, so none is lost */
	sigset_t old_mask;
	siginfo_t info;      /* the signal that ended the last wait */
	int die_of;          /* signal by which the tool must end; 0: none */
	uint64_t skipped_ns; /* time by which a simulated clock was advanced instead of waiting */
};

enum wake {
	WAKE_TIME,  /* the deadline has passed */
	WAKE_STOP,  /* SIGINT */
	WAKE_DIE,   /* SIGTERM or another signal that ends a process: the tool must end by this signal */
	WAKE_CHILD, /* SIGCHLD */
	WAKE_REOPEN, /* SIGHUP, if files are to be opened again (wait_init()) */
};

/*
 * Block the signals that end a run: all that end a process by default, except those that the kernel sends for a bug
 * (SIGSEGV). A signal that was ignored when we started stays ignored (SIGHUP under nohup); but SIGINT, SIGTERM, SIGQUIT
 * and, with @reopens, SIGHUP are blocked in any case.
 */
void wait_init(struct tool_wait *w, bool reopens);
/*
 * Set SIGCHLD to its default action, because we may have inherited it as ignored; ignore SIGPIPE, so that writes fail
 * with EPIPE. COMMAND must not inherit these settings, so fork it before.
 */
void wait_dispositions(void);
/*
 * Wait until the machine's clock shows @deadline, or a signal comes; UINT64_MAX: only a signal ends the wait. @from is
 * the end of the previous wait. Meanwhile the events of each of the @num @sessions take turns, such that all get the
 * same number of turns in @interval_ns, and counters are read often enough that none wraps twice.
 */
enum wake wait_until(struct tool_wait *w, struct uncoremsr_session *const *sessions, size_t num, uint64_t from,
		     uint64_t deadline, uint64_t interval_ns);
/* The end of the interval that begins at @last; intervals that have passed already are skipped. */
uint64_t wait_next_deadline(const struct tool_wait *w, uint64_t last, uint64_t interval_ns);
/*
 * Wait for a signal until CLOCK_MONOTONIC shows @until (UINT64_MAX: without a limit). If @until is 0, do not wait, but
 * fetch a signal that came after the last wait. Returns WAKE_TIME if no signal came. Accesses no register.
 */
enum wake wait_signal(struct tool_wait *w, uint64_t until);
/* Unix time in ns, plus the time by which a simulated clock was advanced instead of waiting. */
uint64_t wait_wall_clock(const struct tool_wait *w);
void wait_die(int signo) __attribute__((noreturn));

#endif
