#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Series for Prometheus and collectd without a daemon: --format=prometheus and --format=collectd.
# shellcheck disable=SC2154 # "run" sets the variables that it answers with

load common

SIM=sim:westmere-2s,clock=stepped,rate=0x82:0x1=1000

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	kill_started
}

@test "totals grow from interval to interval, and each file holds one interval" {
	uncore-read --machine="$SIM" -e 0x82:0x1 -e 0x9:1 -i 1 -n 3 --format=prometheus -o now.prom
	exposition now.prom
	[ "$(sample now.prom uncoremsr_event_total 'package="1"' 'event="UNC_PROCHOT_ASSERTION"')" = 3000 ]
	[ "$(sample now.prom uncoremsr_event_enabled_seconds_total 'package="1"' 'event="UNC_PROCHOT_ASSERTION"')" = 3.000000000 ]
	[ "$(sample now.prom uncoremsr_interval_seconds)" = 1.000000000 ]
	[ "$(sample now.prom uncoremsr_missed_intervals_total)" = 0 ]
	[ "$(ls -A)" = now.prom ]
	[ "$(stat -c %a now.prom)" = 644 ]
}

@test "scaled totals do not fall where events take turns" {
	local events=() i n=0 last=0 value
	for i in 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb; do
		events+=(-e "0x9:$i")
	done
	uncore-read --machine="$SIM,rate=0x9:1=1000003" "${events[@]}" --packages 0 -i 0.3 -n 9 --format=prometheus >all
	while read -r value; do
		[ "$value" -ge "$last" ]
		last=$value n=$((n + 1))
	done < <(grep '^uncoremsr_event_total.*"UNC_L3_MISS.READ"' all | sed 's/.* //')
	[ "$n" = 9 ] && [ "$last" -gt 2000000 ]
}

@test "what is unknown has no number, but a reason" {
	run -1 uncore-read --machine="$SIM,foreign=0x3c0 0x400101 at=1.5" --packages 0 -e 0x82:0x1 -i 1 -n 2 \
		--counter 0 --format=prometheus -o now.prom
	exposition now.prom
	[ "$(sample now.prom uncoremsr_unknown 'package="0"' 'reason="disturbed"')" = 1 ]
	run -1 grep -q '^uncoremsr_event_total' now.prom
}

@test "a metric is a gauge, and a name from outside cannot break a label" {
	uncore-read --machine="$SIM" -M memory-bandwidth --format=prometheus >one
	exposition one
	[ "$(sample one uncoremsr_metric 'package="0"' 'metric="memory-bandwidth"' 'measure="GB/s"')" != 0 ]
	printf '[{"EventName":"A\\"B\\\\\\n","EventCode":"0x9","UMask":"0x1","Unit":"uncore"}]' >list.json
	run uncore-read --machine="$SIM" --event-list=list.json -e 'uncore/event=9,umask=1,name=A"B\C/' --format=prometheus
	[ "$status" -ne 0 ] || exposition <(echo "$output")
}

@test "a file that is not a plain file is written to in place" {
	uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o /dev/stdout | cat >piped
	exposition piped
	run -1 --separate-stderr uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o no/such/dir.prom
	[[ $stderr == *"no/such/dir.prom: No such file or directory"* ]]
}

@test "the file of the interval before stays whole while the next one cannot be written" {
	uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o now.prom
	cp now.prom before && mkdir .now.prom.tmp
	run -1 --separate-stderr uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o now.prom
	[[ $stderr == *"--output: now.prom: File exists"* ]]
	cmp before now.prom
}

@test "every cause of throttling has a value: 1, 0, or unknown" {
	local m='sim:westmere-2s,clock=stepped,throttle=none,throttle=prochot-external package=1,fail=read 0x19a EIO'
	run -1 uncore-throttle --machine="$m" --format=prometheus
	echo "$output" >one
	exposition one
	[ "$(sample one uncoremsr_throttled 'package="1",cause="prochot-external"')" = 1 ]
	[ "$(sample one uncoremsr_throttled 'package="1",core="8",cause="prochot-external"')" = 1 ]
	[ "$(sample one uncoremsr_throttled 'package="0",cause="prochot-external"')" = 0 ]
	[ "$(sample one uncoremsr_throttle_episodes_total 'package="1",cause="prochot-external"')" = 1 ]
	[ "$(sample one uncoremsr_unknown 'package="0",core="0",cause="clock-modulation"' 'reason="failed"')" = 1 ]
	# Causes that this kind of look, or this processor, cannot show are neither 1 nor 0.
	run -1 grep -E 'cause="(dimm-thermal|power-limit|package-thermal)"' one
	# No cause is both.
	grep '^uncoremsr_throttled{' one | sed 's/.*{//; s/}.*//' | sort >told
	grep '^uncoremsr_unknown{' one | sed 's/.*{//; s/,reason.*//' | sort >unknown
	[ -s told ] && [ -s unknown ] && [ -z "$(comm -12 told unknown)" ]
}

# causes FILE PACKAGE_AND_CORE: print the causes that have a value for it
causes() {
	grep "^uncoremsr_throttled{[^}]*$2,cause=" "$1" | sed 's/.*cause="\([^"]*\)".*/\1/' | sort | paste -sd ' '
}

@test "a cause that nothing here could show has no number" {
	local m
	uncore-throttle --machine=sim:naples-1s,clock=stepped,throttle=none --format=prometheus >one
	exposition one
	# Packages without a status register have the causes of their cores.
	for m in 'package="0"' 'package="0",core="3"'; do
		[ "$(causes one "$m")" = firmware ]
	done
	uncore-throttle --machine=sim:westmere-2s,clock=stepped,throttle=none --format=prometheus >one
	[ "$(causes one 'package="1",core="8"')" = "clock-modulation core-thermal critical-temperature firmware prochot-external" ]
	[ "$(causes one 'package="1"')" = "clock-modulation core-thermal critical-temperature firmware prochot-external smi" ]
	uncore-throttle --kernel-only --machine=sim:haswell-ep-2s --format=prometheus >one || [ $? -eq 3 ]
	[ "$(causes one 'package="0"')" = package-thermal ]
	[ "$(causes one 'package="0",core="0"')" = core-thermal ]
	run -3 uncore-throttle --kernel-only --machine=sim:haswell-ep-2s
	[[ $output == *": cannot-tell: critical-temperature, prochot-external, vr-thermal, "*current-limit*smi* ]]
	uncore-throttle --machine=sim:skylake-sp-2s,clock=stepped,throttle=none --format=prometheus >one
	[[ "$(causes one 'package="0",core="0"')" == *"cross-domain current-limit firmware"* ]]
	[[ "$(causes one 'package="0"')" == *"power-limit"*"vr-thermal"* ]]
}

@test "a watch replaces the file at every look, and counts episodes once" {
	local m='sim:westmere-2s,clock=stepped,throttle=none,throttle=prochot-external package=1 every=10 for=2 phase=7'
	run -1 uncore-throttle --machine="$m" -i 1 -n 20 --format=prometheus -o now.prom
	exposition now.prom
	[ "$(sample now.prom uncoremsr_throttled 'package="1",cause="prochot-external"')" = 0 ]
	[ "$(sample now.prom uncoremsr_throttle_episodes_total 'package="1",cause="prochot-external"')" = 2 ]
	[ "$(sample now.prom uncoremsr_throttle_episodes_total 'package="1",core="0",cause="prochot-external"')" = 2 ]
}

@test "if nothing can be known, the output says so" {
	run -3 --separate-stderr uncore-throttle --machine=sim:generic --format=prometheus
	exposition <(echo "$output")
	[[ $output == *'uncoremsr_unknown{'* && $output != *'uncoremsr_throttled{'* ]]
}

@test "collectd gets a line per value, and nothing for what is unknown" {
	COLLECTD_HOSTNAME=blade1 uncore-read --machine="$SIM" -e 0x82:0x1 -i 1 -n 2 --packages 1 --format=collectd >all
	diff all - <<-END
	PUTVAL blade1/uncoremsr-package1/counter-UNC_PROCHOT_ASSERTION interval=1.000000000 N:1000
	PUTVAL blade1/uncoremsr-package1/pmu_counter-UNC_PROCHOT_ASSERTION interval=1.000000000 N:1000:1000:1000000000:1000000000
	PUTVAL blade1/uncoremsr-package1/counter-UNC_PROCHOT_ASSERTION interval=1.000000000 N:2000
	PUTVAL blade1/uncoremsr-package1/pmu_counter-UNC_PROCHOT_ASSERTION interval=1.000000000 N:2000:2000:2000000000:2000000000
	END
	run -1 --separate-stderr uncore-read --machine="$SIM,foreign=0x3c0 0x400101 at=0.5" --packages 0 --counter 0 -e 0x82:0x1 \
		--format=collectd
	[ -z "$output" ]
}

@test "identifiers have no blank, no second slash and no part that is too long" {
	COLLECTD_HOSTNAME=blade1 uncore-read --machine="$SIM" -e "uncore/event=9,umask=1/" --packages 0 --format=collectd >all
	run -1 grep -vE '^PUTVAL [^ /"]+(/[^ /"]{1,127}){2} N:[0-9:]+$' all
}

@test "collectd gets one notification when throttling begins, and one when it ends" {
	local m='sim:westmere-2s,clock=stepped,throttle=none,throttle=prochot-external package=1 every=10 for=2 phase=7'
	COLLECTD_HOSTNAME=b run -1 uncore-throttle --machine="$m" -i 1 -n 10 --format=collectd
	[ "$(grep -c '^PUTNOTIF ' <<<"$output")" = 2 ]
	grep '^PUTNOTIF ' <<<"$output" | sed 's/time=[0-9]* //' | diff - <(cat <<-END
	PUTNOTIF severity=warning host=b plugin=uncoremsr plugin_instance=package1 type=gauge type_instance=throttled-prochot-external message="package1: prochot-external began"
	PUTNOTIF severity=okay host=b plugin=uncoremsr plugin_instance=package1 type=gauge type_instance=throttled-prochot-external message="package1: prochot-external ended"
	END
	)
	grep -q '^PUTVAL b/uncoremsr-package1-core0/gauge-throttled-prochot-external interval=1.000000000 N:1$' <<<"$output"
}

@test "options that do not go with series formats are refused" {
	local args
	while read -r args; do
		# shellcheck disable=SC2086
		run -2 $args
		[[ $output == *"leave out"* ]]
	done <<-END
	uncore-read --machine=$SIM -e 0x82:0x1 --format=prometheus -o f --append
	uncore-read --machine=$SIM -e 0x82:0x1 --format=collectd --runs -- true
	uncore-throttle --machine=$SIM --format=prometheus --summary
	uncore-throttle --machine=$SIM --format=collectd --dimm
	uncore-throttle --machine=$SIM --format=prometheus --clear
	END
	run -2 uncore-info --format=prometheus
	[[ $output == *"--format: 'prometheus': must be text, csv or json"* ]]
}

@test "all 64 bits of a count arrive" {
	local event=PM_MCS01_64B_RD_DISP_PORT01 rate seconds total
	# 2^53 + 1 and 2^64 - 1, as products of rate and time.
	while read -r rate seconds total; do
		run -0 uncore-read --machine="sim:power9-2s,clock=stepped,rate=$event=$rate" -e "$event" --packages 0 \
			-i "$seconds" -n 1 --format=prometheus
		grep -q "^uncoremsr_event_total{.*} $total\$" <<<"$output" || { echo "$output"; return 1; }
	done <<-END
		84179432287299 107 9007199254740993
		439111828095 42009217 18446744073709551615
	END
}
