/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Write what the latest check found as series. */
#include "throttle/throttle.h"
#include "uncoremsr/machine.h"

void throttle_put_series(struct throttle_run *run)
{
	const uint64_t interval = uncoremsr_throttle_state(run->t)->interval;

	run->series.wall_ns = run->wall_ns;
	throttle_series_say(&run->series_tracks, &run->series, uncoremsr_machine(run->um)->name, run->t);
	series_end(&run->series, &(struct series_interval){
		.ns = interval != UINT64_MAX ? interval : 0, .missed = run->missed,
	});
}
