#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Series for Prometheus and collectd without a daemon: --format=prometheus and --format=collectd.

load common
load answers

SIM=sim:westmere-2s,clock=stepped,rate=0x82:0x1=1000

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "totals grow from interval to interval, scaled ones too, exact to 64 bits, and each file holds one interval" {
	local events=() i value n=0 last=0 name=PM_MCS01_64B_RD_DISP_PORT01
	uncore-read --machine="$SIM" -e 0x82:0x1 -e 0x9:1 -i 1 -n 3 --format=prometheus -o now.prom
	exposition now.prom
	[ "$(sample now.prom uncoremsr_event_total 'package="1"' 'event="UNC_PROCHOT_ASSERTION"')" = 3000 ]
	[ "$(sample now.prom uncoremsr_event_enabled_seconds_total 'package="1"' 'event="UNC_PROCHOT_ASSERTION"')" = 3.000000000 ]
	[ "$(sample now.prom uncoremsr_interval_seconds)" = 1.000000000 ]
	[ "$(sample now.prom uncoremsr_missed_intervals_total)" = 0 ]
	[ "$(ls -A)" = now.prom ]
	[ "$(stat -c %a now.prom)" = 644 ]
	# Totals do not decrease either when there are more events than counters and the events take turns.
	for i in 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb; do
		events+=(-e "0x9:$i")
	done
	run -0 uncore-read --machine="$SIM,rate=0x9:1=1000003" "${events[@]}" --packages 0 -i 0.3 -n 9 --format=prometheus
	for value in "${lines[@]}"; do
		[[ $value == 'uncoremsr_event_total{'*'"UNC_L3_MISS.READ"'* ]] || continue
		value=${value##* }
		[ "$value" -ge "$last" ]
		last=$value n=$((n + 1))
	done
	[ "$n" = 9 ]
	[ "$last" -gt 2000000 ]
	# 2^53 + 1 and 2^64 - 1, as products of rate and time.
	each_says uncore-read <<-END
		0|-|power9-2s,clock=stepped,rate=$name=84179432287299|-e $name --packages 0 -i 107 -n 1 --format=prometheus|*\\nuncoremsr_event_total{*} 9007199254740993\\n*
		0|-|power9-2s,clock=stepped,rate=$name=439111828095|-e $name --packages 0 -i 42009217 -n 1 --format=prometheus|*\\nuncoremsr_event_total{*} 18446744073709551615\\n*
	END
}

@test "what is unknown has no number, but a reason; a metric is a gauge; a name from outside cannot break a label" {
	run -1 uncore-read --machine="$SIM,foreign=0x3c0 0x400101 at=1.5" --packages 0 -e 0x82:0x1 -i 1 -n 2 \
		--counter 0 --format=prometheus -o now.prom
	exposition now.prom
	[ "$(sample now.prom uncoremsr_unknown 'package="0"' 'reason="disturbed"')" = 1 ]
	[[ $(<now.prom) != *$'\nuncoremsr_event_total'* ]]
	uncore-read --machine="$SIM" -M memory-bandwidth --format=prometheus >one
	exposition one
	[ "$(sample one uncoremsr_metric 'package="0"' 'metric="memory-bandwidth"' 'measure="GB/s"')" != 0 ]
	printf '[{"EventName":"A\\"B\\\\\\n","EventCode":"0x9","UMask":"0x1","Unit":"uncore"}]' >list.json
	run uncore-read --machine="$SIM" --event-list=list.json -e 'uncore/event=9,umask=1,name=A"B\C/' --format=prometheus
	[ "$status" -ne 0 ] || exposition <(echo "$output")
}

@test "a special file is written in place, and a plain file stays complete until the next one is" {
	# A pipe or another special file is written in place, because it cannot be replaced by rename().
	uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o /dev/stdout | cat >piped
	exposition piped
	# A link to standard output stays a link, also when the file behind it is replaced.
	ln -s /proc/self/fd/1 out
	uncore-read --machine="$SIM" -e 0x82:0x1 -i 1 -n 2 --format=prometheus -o out >both
	[ "$(grep -c '^uncoremsr_event_total{.*package="0"' both)" = 2 ]
	[ -L out ]
	run -2 --separate-stderr uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o no/such/dir.prom
	[[ $stderr == *"no/such/dir.prom: No such file or directory"* ]]
	# If the next file cannot be written, the file of the interval before stays unchanged.
	uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o now.prom
	cp now.prom before
	(trap '' XFSZ && ulimit -f 0 && uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o now.prom) 2>&1 |
		grep -F 'output: now.prom: File too large'
	cmp before now.prom
	# If a link leads to a file that does not exist, that file is created.
	mkdir deep
	ln -s deep/middle lost
	ln -s "$PWD/nothing" deep/middle
	uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o lost -i 0.1 -n 3
	[[ -L lost && -L deep/middle && ! -L nothing ]]
	exposition nothing
	ln -s loop loop
	run -2 --separate-stderr uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o loop
	[[ $stderr == *"loop: Too many levels of symbolic links" ]]
	# If a folder in the path is replaced by another one, the file is written into the new folder.
	mkdir old new
	ln -s old folder
	background uncore-read --machine=sim:westmere-2s -e 0x82:0x1 --format=prometheus -o folder/x -i 0.05 -n 100000
	wait_until [ -e old/x ]
	ln -sfn new folder
	wait_until [ -e new/x ]
	kill -INT "$pid"
	ends_with 0
	ln -s now.prom link
	ln -s /proc/self/fd/1 stdout
	: >now.prom
	uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o link
	uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o stdout >opened
	exposition now.prom
	exposition opened
	[[ -L link && -L stdout && $(compgen -G '.*.tmp') = "" ]]
}

@test "two writers of one file do not disturb each other" {
	need strace
	# Each process renames a file of its own.
	for _ in 1 2; do
		ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=/^rename -o calls \
			uncore-read --machine="$SIM" -e 0x82:0x1 --format=prometheus -o two.prom
		grep -o '\.two[^"/]*\.tmp' calls >>names
	done
	[ "$(sort -u names | wc -l)" = 2 ]
}

@test "every cause of throttling is 1, 0 or unknown; a cause that nothing could show has no value" {
	local m='sim:westmere-2s,clock=stepped,throttle=none,throttle=prochot-external package=1,fail=read 0x19a EIO'
	run -1 uncore-throttle --machine="$m" --format=prometheus
	echo "$output" >one
	exposition one
	[ "$(sample one uncoremsr_throttled 'package="1",cause="prochot-external"')" = 1 ]
	[ "$(sample one uncoremsr_throttled 'package="1",core="8",cause="prochot-external"')" = 1 ]
	[ "$(sample one uncoremsr_throttled 'package="0",cause="prochot-external"')" = 0 ]
	[ "$(sample one uncoremsr_throttle_episodes_total 'package="1",cause="prochot-external"')" = 1 ]
	[ "$(sample one uncoremsr_unknown 'package="0",core="0",cause="clock-modulation"' 'reason="failed"')" = 1 ]
	# Causes that this processor shows only while events are counted, or not at all, are neither 1 nor 0.
	[[ ! $output =~ cause=\"(dimm-thermal|power-limit|package-thermal)\" ]]
	# No cause is reported both with a value and as unknown.
	awk -F '[{}]' '$1 == "uncoremsr_throttled" || $1 == "uncoremsr_unknown" {
			sub(/,reason.*/, "", $2)
			if ($2 in by && by[$2] != $1) bad = 1
			by[$2] = $1
			n[$1]++
		} END { exit bad || !n["uncoremsr_throttled"] || !n["uncoremsr_unknown"] }' one
	uncore-throttle --machine=sim:westmere-2s,clock=stepped,throttle=none --format=prometheus >one
	[ "$(causes one 'package="1",core="8"')" = "clock-modulation core-thermal critical-temperature firmware prochot-external" ]
	[ "$(causes one 'package="1"')" = "clock-modulation core-thermal critical-temperature firmware prochot-external smi" ]
	uncore-throttle --kernel-only --machine=sim:haswell-ep-2s --format=prometheus >one || [ $? -eq 3 ]
	[ "$(causes one 'package="0"')$(causes one 'package="0",core="0"')" = package-thermalcore-thermal ]
	run -3 uncore-throttle --kernel-only --machine=sim:haswell-ep-2s
	[[ $output == *": cannot-tell: critical-temperature, prochot-external, vr-thermal, "*current-limit*smi* ]]
	uncore-throttle --machine=sim:skylake-sp-2s,clock=stepped,throttle=none --format=prometheus >one
	[[ "$(causes one 'package="0",core="0"')" == *"cross-domain current-limit firmware"* ]]
	[[ "$(causes one 'package="0"')" == *"power-limit"*"vr-thermal"* ]]
	# If all causes are unknown, the output says so.
	run -3 --separate-stderr uncore-throttle --machine=sim:generic --format=prometheus
	exposition <(echo "$output")
	[[ $output == *'uncoremsr_unknown{'* && $output != *'uncoremsr_throttled{'* ]]
}

# causes FILE PACKAGE_AND_CORE: print the causes that have a value for it, sorted.
causes() {
	sed -n "s/^uncoremsr_throttled{[^}]*$2,cause=\"\([^\"]*\)\".*/\1/p" "$1" | sort | paste -sd ' '
}

@test "a watch replaces the file at every look, and counts episodes once" {
	local m='sim:westmere-2s,clock=stepped,throttle=none,throttle=prochot-external package=1 every=10 for=2 phase=7'
	run -1 uncore-throttle --machine="$m" -i 1 -n 20 --format=prometheus -o now.prom
	exposition now.prom
	[ "$(sample now.prom uncoremsr_throttled 'package="1",cause="prochot-external"')" = 0 ]
	[ "$(sample now.prom uncoremsr_throttle_episodes_total 'package="1",cause="prochot-external"')" = 2 ]
	[ "$(sample now.prom uncoremsr_throttle_episodes_total 'package="1",core="0",cause="prochot-external"')" = 2 ]
}

@test "collectd gets a line per value, nothing for what is unknown, and a notification when throttling begins and ends" {
	# Collectd gets a line per value, and nothing for what is unknown.
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
	# Identifiers have no blank, no second slash and no part that is too long.
	COLLECTD_HOSTNAME=blade1 uncore-read --machine="$SIM" -e "uncore/event=9,umask=1/" --packages 0 --format=collectd >all
	run -1 grep -vE '^PUTVAL [^ /"]+(/[^ /"]{1,127}){2} N:[0-9:]+$' all
	# Collectd gets one notification when throttling begins, and one when it ends.
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

@test "options that cannot be combined with series formats are refused" {
	local m=${SIM#sim:}
	each_says uncore-read <<-END
		2|1|$m|-e 0x82:0x1 --format=prometheus -o f --append|*leave out*
		2|1|$m|-e 0x82:0x1 --format=collectd --runs -- true|*leave out*
	END
	each_says uncore-throttle <<-END
		2|1|$m|--format=prometheus --summary|*leave out*
		2|1|$m|--format=collectd --dimm|*leave out*
		2|1|$m|--format=prometheus --clear|*leave out*
	END
	run -2 uncore-info --format=prometheus
	[[ $output == *"--format: 'prometheus': must be text, csv or json"* ]]
}

@test "one check of throttling has no total of time, which would stay at the interval of this check" {
	run -1 uncore-throttle --machine=sim:haswell-ep-2s,clock=stepped,throttle=none,throttle=power-limit --format=prometheus
	[[ $output == *'uncoremsr_throttle_episodes_total{'*'cause="power-limit"} 1'* ]]
	! grep -q 'seconds_total.*power-limit' <<<"$output"
}
