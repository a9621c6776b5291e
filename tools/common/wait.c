/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals stay blocked. sigtimedwait() waits for signals and time, so no signal is lost between a check and a wait. */
#include <errno.h>
#include <stdlib.h>

#include "common/output.h"
#include "common/wait.h"

/* Limits of the length of a turn: much longer than the microseconds that a change of groups takes, but still short. */
#define SHORTEST_TURN_NS (10 * NS_PER_MS)
#define LONGEST_TURN_NS (100 * NS_PER_MS)
#define TURNS_PER_INTERVAL 4

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

enum wake wait_signal(struct tool_wait *w, uint64_t until)
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
	if (signo == SIGINT)
		return WAKE_STOP;
	w->die_of = signo;
	return WAKE_DIE;
}

static enum wake wait_without_turns(struct tool_wait *w, uint64_t from, uint64_t until)
{
	uint64_t now, begin;
	enum wake wake;

	if (!w->wall && uncoremsr_advance(w->um, until - from)) {
		w->skipped_ns += until - from;
		return wait_signal(w, 0);
	}
	now = uncoremsr_now(w->um);
	begin = clock_now(CLOCK_MONOTONIC);
	wake = wait_signal(w, until == UINT64_MAX ? until : begin + (until > now ? until - now : 0));
	/* A stepped simulated clock advances by the real time that has passed. */
	if (w->wall)
		uncoremsr_advance(w->um, clock_now(CLOCK_MONOTONIC) - begin);
	return wake;
}

/* ---- while sessions count ---- */

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

static uint64_t step_ns(struct uncoremsr_session *const *sessions, size_t num, uint64_t interval_ns)
{
	uint64_t each = UINT64_MAX / 2;

	for (size_t i = 0; i < num; i++) {
		const struct uncoremsr_session_state *s = uncoremsr_session_state(sessions[i]);
		/* Use half of the longest interval in which no counter wraps twice, to allow for a late wake-up. */
		uint64_t longest = s->max_interval / 2;
		uint64_t turn = s->turns > 1 ? turn_ns(interval_ns, s->turns) : longest;

		each = longest < each ? longest : each;
		each = turn < each ? turn : each;
	}
	/* No real counter wraps in less than a millisecond, but a simulated one may. */
	return each < 1000000 ? 1000000 : each;
}

/* Ignore errors: the status of the affected readings shows them. */
static void step(struct uncoremsr_session *const *sessions, size_t num)
{
	for (size_t i = 0; i < num; i++) {
		if (uncoremsr_session_state(sessions[i])->turns > 1)
			uncoremsr_session_rotate(sessions[i]);
		else
			uncoremsr_session_sample(sessions[i]);
	}
}

enum wake wait_until(struct tool_wait *w, struct uncoremsr_session *const *sessions, size_t num, uint64_t from,
		     uint64_t deadline, uint64_t interval_ns)
{
	uint64_t each = step_ns(sessions, num, interval_ns);

	for (;;) {
		/* A step shorter than half the usual length is not worth a call of its own. */
		uint64_t left = deadline - from;
		uint64_t next = left - each / 2 > each && left > each ? from + each : deadline;
		enum wake wake = wait_without_turns(w, from, next);

		if (wake != WAKE_TIME || next == deadline)
			return wake;
		step(sessions, num);
		/* If the machine was suspended, go on from now: do not make up for missed steps. */
		from = uncoremsr_now(w->um) > next + each ? uncoremsr_now(w->um) : next;
		if (from >= deadline)
			return WAKE_TIME;
	}
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
