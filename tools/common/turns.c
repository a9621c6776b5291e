/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/turns.h"

/* Limits of the length of a turn: much longer than the microseconds that a change of groups takes, but still short. */
#define SHORTEST_TURN_NS (10 * NS_PER_MS)
#define LONGEST_TURN_NS (100 * NS_PER_MS)
#define TURNS_PER_INTERVAL 4

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

enum wake turns_wait_until(struct tool_wait *w, struct uncoremsr_session *const *sessions, size_t num,
			   uint64_t from, uint64_t deadline, uint64_t interval_ns)
{
	uint64_t each = step_ns(sessions, num, interval_ns);

	for (;;) {
		/* A step shorter than half the usual length is not worth a call of its own. */
		uint64_t left = deadline - from;
		uint64_t next = left - each / 2 > each && left > each ? from + each : deadline;
		enum wake wake = wait_until(w, from, next);

		if (wake != WAKE_TIME || next == deadline)
			return wake;
		step(sessions, num);
		/* If the machine was suspended, go on from now: do not make up for missed steps. */
		from = uncoremsr_now(w->um) > next + each ? uncoremsr_now(w->um) : next;
		if (from >= deadline)
			return WAKE_TIME;
	}
}
