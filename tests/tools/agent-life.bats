#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-agent over a long time: what it costs does not grow, and its totals stay exact.
# shellcheck disable=SC2154 # "run" sets the variables that it answers with

load common

setup() {
	command -v uncore-agent >/dev/null || skip "built without libmicrohttpd"
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	kill_started
}

# cost PID: its memory (KiB, without what its files share) and the number of its descriptors: the least of
# ten looks, since one is open for a moment in each interval.
cost() {
	local i
	awk '$1 == "RssAnon:" { print $2 }' "/proc/$1/status"
	for ((i = 0; i < 10; i++)); do find "/proc/$1/fd" -type l | wc -l; done | sort -n | head -n 1
}

# seconds FILE: how long the counters of package 0 have been on.
seconds() {
	sed -n 's/^uncoremsr_event_enabled_seconds_total{.*package="0".*PROCHOT.* \([0-9]*\)\..*/\1/p' "$1"
}

# simulated SECONDS FILE: /metrics once so much time has gone by on the machine.
simulated() {
	local i now
	for ((i = 0; i < 2400; i++)); do
		if curl -sf --max-time 5 --unix-socket s http://localhost/metrics >"$2"; then
			now=$(seconds "$2")
			if ((${now:-0} >= $1)); then return 0; fi
		fi
		sleep 0.1
	done
	cat told
	return 1
}

# Daemons that are away, a CPU that comes and goes and a program that takes a counter are part of it.
# bats test_tags=plain
@test "30 days: no memory, no descriptor more, and each total is rate times time" {
	need curl
	local machine='sim:westmere-2s,clock=stepped,throttle=none,rate=0x82:0x1=1000,rate=0x9:0x1=3000000000'
	machine+=',hotplug=5 off at=100000,hotplug=5 on at=200000,foreign=0x3c7 0x400101 at=300000'
	background uncore-agent --machine="$machine" -e 0x82:0x1,0x9:0x1 --throttle -i 300 -n 1000000 \
		--prometheus=unix:s --collectd=unix:away --agentx=unix:away --state=. 2>told
	local day=86400 children child first last id total length
	simulated $((2 * day)) early
	children=$(pgrep -P "$pid")
	[ "$(wc -w <<<"$children")" = 3 ]
	for child in "$pid" $children; do cost "$child" >"cost-$child"; done
	simulated $((32 * day)) late
	for child in "$pid" $children; do
		mapfile -t first <"cost-$child"
		mapfile -t last < <(cost "$child")
		echo "process $child: ${first[*]}, then ${last[*]}"
		((last[0] < first[0] + 256 && last[1] <= first[1]))
	done
	[ "$(pgrep -P "$pid")" = "$children" ]
	grep -q '^uncoremsr_missed_intervals_total 0$' late
	for id in 0 1; do
		total=$(sed -n "s/^uncoremsr_event_total{.*package=\"$id\".*PROCHOT.* //p" late)
		length=$(sed -n "s/^uncoremsr_event_enabled_seconds_total{.*package=\"$id\".*PROCHOT.* \([0-9]*\)[.]0*$/\1/p" late)
		((total == 1000 * length))
		total=$(sed -n "s/^uncoremsr_event_total{.*package=\"$id\".*L3_MISS.* //p" late)
		((total == 3000000000 * length))
	done
	kill -TERM "$pid"
	ends_with $((128 + 15))
}

@test "-n ends after so many intervals with status 0; what makes no sense is usage" {
	run -0 timeout 60 uncore-agent --machine=sim:westmere-2s,clock=stepped -e 0x82:0x1 -i 3600 -n 24 --prometheus=unix:s
	[ ! -e s ]
	fails_with 2 "--count: 0: must be at least 1" uncore-agent -e 0x82:0x1 -n 0 --prometheus=unix:s
	fails_with 2 "--count: " uncore-agent -e 0x82:0x1 -n x --prometheus=unix:s
}
