#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-agent over a long time: its cost does not grow, and its totals stay exact.

load common
load agent

# cost PID: print the process's own memory in KiB, and its number of descriptors. The number is the smallest of forty,
# because one descriptor is open for a moment in each interval.
cost() {
	local i least="" files status
	# Do not use bash's "read": after each line it seeks back to the end of that line, which is a wrong position if
	# the length of the kernel's text has changed.
	status=$(<"/proc/$1/status")
	[[ $status =~ RssAnon:[[:space:]]+([0-9]+) ]]
	echo "${BASH_REMATCH[1]}"
	for ((i = 0; i < 40; i++)); do
		files=("/proc/$1/fd"/*)
		((${#files[@]} >= ${least:-9999})) || least=${#files[@]}
		pause 0.01
	done
	echo "$least"
}

# seconds FILE: the time for which the counters of package 0 were on.
seconds() {
	sed -n 's/^uncoremsr_event_enabled_seconds_total{.*package="0".*PROCHOT.* \([0-9]*\)\..*/\1/p' "$1"
}

# total FILE PACKAGE EVENT: the total of an event.
total() {
	sed -n "s/^uncoremsr_event_total{.*package=\"$2\".*$3.* //p" "$1"
}

# simulated SECONDS FILE: get /metrics after this time has passed on the machine.
simulated() {
	local i now
	for ((i = 0; i < 1200; i++)); do
		if curl -sf --max-time 5 --unix-socket s http://localhost/metrics >"$2"; then
			now=$(seconds "$2")
			if ((${now:-0} >= $1)); then return 0; fi
		fi
		pause 0.3
	done
	cat told
	return 1
}

# Two simulated days (thirty with WHOLE=1), with daemons that are away, a CPU that goes offline and comes back, and a
# program that takes a counter.
# bats test_tags=plain
@test "over many days memory and descriptors do not grow, and each total is rate times time" {
	need curl
	local machine='sim:westmere-2s,clock=stepped,throttle=none,rate=0x82:0x1=1000,rate=0x9:0x1=3000000000'
	machine+=',hotplug=5 off at=100000,hotplug=5 on at=130000,foreign=0x3c7 0x400101 at=160000'
	background uncore-agent --machine="$machine" -e 0x82:0x1,0x9:0x1 -M memory-bandwidth --throttle -i 300 -n 1000000 \
		--prometheus=unix:s --collectd=unix:away --agentx=unix:away --state=. 2>told
	local day=86400 days=$((${WHOLE:+28} + 2)) children child first last id length
	simulated $day early
	children=$(pgrep -P "$pid")
	[ "$(wc -w <<<"$children")" = 3 ]
	for child in "$pid" $children; do cost "$child" >"cost-$child"; done
	curl -sf --max-time 60 --unix-socket s -o page 'http://localhost/metrics?[1-200]'
	simulated $(((days + 1) * day)) late
	for child in "$pid" $children; do
		mapfile -t first <"cost-$child"
		mapfile -t last < <(cost "$child")
		echo "process $child: ${first[*]}, then ${last[*]}"
		((last[0] < first[0] + 256 && last[1] <= first[1]))
	done
	[ "$(pgrep -P "$pid")" = "$children" ]
	grep -q '^uncoremsr_missed_intervals_total 0$' late
	# Intervals end at whole seconds.
	length=$(($(seconds late) - $(seconds early)))
	for id in 0 1; do
		(($(total late "$id" PROCHOT) - $(total early "$id" PROCHOT) == 1000 * length))
		(($(total late "$id" L3_MISS) - $(total early "$id" L3_MISS) == 3000000000 * length))
	done
	kill -TERM "$pid"
	ends_with $((128 + 15))
}

@test "-n ends after that many intervals with status 0; invalid numbers are usage errors" {
	run -0 timeout 60 uncore-agent --machine=sim:westmere-2s,clock=stepped -e 0x82:0x1 -i 3600 -n 24 --prometheus=unix:s
	[ ! -e s ]
	fails_with 2 "--count: 0 is out of range 1.." uncore-agent -e 0x82:0x1 -n 0 --prometheus=unix:s
	fails_with 2 "--count: " uncore-agent -e 0x82:0x1 -n x --prometheus=unix:s
}

# with_step SECONDS COMMAND...: run COMMAND; once the file "clock" has three lines, the system clock is set forward.
with_step() {
	need cc
	[ -e clock.so ] || cc -shared -fPIC -o clock.so "$TOP/tests/tools/stepped_clock.c"
	background env LD_PRELOAD="$PWD/clock.so" CLOCK_FILE="$PWD/clock" CLOCK_STEP="$1" "${@:2}" 2>told
}

# at_phase SECONDS INTERVAL COMMAND...: run COMMAND this many seconds after a multiple of the interval.
at_phase() {
	printf '1\n2\n3\n' >clock
	with_step $(($1 - $(date +%s) % $2)) "${@:3}"
}

# Rates are only correct if the values of all scrapes have the same age.
@test "intervals end at the same times of day in every run, even after a read that took long" {
	need curl
	local phase early late rest machine='sim:westmere-2s,clock=stepped,throttle=none,rate=0x82:0x1=1000'
	for phase in 10 90; do
		at_phase "$phase" 200 uncore-agent --machine="$machine,delay=0x3b0 100 after=10000 times=1" -e 0x82:0x1 -i 200 \
			-n 100000000 --prometheus=unix:s
		simulated 2000 early.prom
		simulated 2000000 late.prom
		kill -TERM "$pid"
		ends_with $((128 + 15))
		grep -q '^uncoremsr_missed_intervals_total 1$' late.prom
		early=$(seconds early.prom) late=$(seconds late.prom) rest=$((200 - phase - early % 200))
		echo "$phase: $early $late"
		# The start takes up to a minute.
		((rest >= 0 && rest < 60 && late % 200 == early % 200))
		(($(total late.prom 0 PROCHOT) - $(total early.prom 0 PROCHOT) == 1000 * (late - early)))
	done
}

# end_at_multiples FILE LINE: after this line, have three intervals in a row ended within 0.2 s after a multiple of 0.7 s?
end_at_multiples() {
	awk -v line="$2" 'NR > line && $4 != last { num = $4 * 10 % 7 < 2 ? num + 1 : 0; last = $4; ok = ok || num == 3 }
			  END { exit !ok }' "$1"
}

@test "intervals end at the multiples of their length again after the system clock was set" {
	with_step 1 uncore-agent --machine=sim:westmere-2s -M uncore-frequency -i 0.7 --collectd=exec --state=. >out
	wait_for out PUTVAL
	printf '1\n2\n3\n' >clock
	wait_until end_at_multiples out "$(wc -l <out)"
}

@test "totals of events that take turns never jump, even if reads take long" {
	need curl
	local i page events=0x82:0x1 machine='sim:westmere-2s,clock=stepped,throttle=none,rate=0x82:0x1=1000'
	for i in {1..16}; do
		events+=,0x20:0x$i
		machine+=",rate=0x20:0x$i=1000"
	done
	# For some minutes one read in each turn takes longer than the turn; then a CPU goes offline.
	machine+=',delay=0x3b0-0x3b7 3 after=2500 times=250,delay=0x391 25 after=5000 times=150,hotplug=0 off at=9000'
	background uncore-agent --machine="$machine" -e "$events" -i 10 -n 100000000 --prometheus=unix:s 2>told
	for page in 1000 4000 7500 11000 15000; do simulated "$page" "$page"; done
	# An estimate is reported as unknown if its error may be larger than a twentieth. The error of all others must
	# be smaller.
	awk '/^uncoremsr_event_total/ { total[$1] = $2 }
	     /^uncoremsr_event_enabled/ {
		id = $1; sub(/_enabled_seconds/, "", id)
		more = total[id] - before[id]; took = $2 - then[id]
		if (more < 0 || more > 1050 * took + 1 || more < 950 * took - 1) { print FILENAME, id, more, took; bad = 1 }
		before[id] = total[id]; then[id] = $2; seen++ }
	     END { exit bad || seen != 5 * 34 }' 1000 4000 7500 11000 15000
}

@test "the first interval is at least half as long as it should be, and totals begin with it" {
	need curl
	local machine='sim:westmere-2s,clock=stepped,rate=0x82:0x1=1000,throttle=none,throttle=prochot-external package=1'
	at_phase 120 200 uncore-agent --machine="$machine" -e 0x82:0x1 --throttle -i 200 -n 100000000 --prometheus=unix:s
	simulated 2000 page
	(($(seconds page) % 200 == 0))
	[ "$(sample page uncoremsr_throttled_seconds_total 'package="1",cause="prochot-external"' | cut -d. -f1)" -ge 1000 ]
}

@test "SIGHUP does not publish values of an interval that has not ended" {
	need curl
	local event='Event "UNC_PROCHOT_ASSERTION"'
	printf '<Plugin uncoremsr>\n%s\n</Plugin>\n' "$event" >a.conf
	at_phase 600 3600 uncore-agent --machine=sim:westmere-2s,clock=stepped,rate=0x82:0x1=1000 --config=a.conf -i 3600 \
		--prometheus=unix:s
	wait_until curl -sf --max-time 60 --unix-socket s http://localhost/-/ready
	printf '<Plugin uncoremsr>\n%s\n</Plugin>\n<Plugin intel_pmu>\nHardwareEvents "NO_SUCH.EVENT"\n</Plugin>\n' "$event" >a.conf
	kill -HUP "$pid"
	wait_for told 'not counted: .*NO_SUCH.EVENT'
	curl -sf --max-time 60 --unix-socket s http://localhost/metrics >page
	run ! grep -E '^uncoremsr_event_total.* [1-9]|^uncoremsr_interval_seconds' page
	grep -q '^uncoremsr_event_total.* 0$' page
}
