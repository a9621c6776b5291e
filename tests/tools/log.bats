#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Readings in files over a long time: -o, --append, rotation, fields that all readings of an interval share, --host and
# --oneline.

load common
load answers

SIM=sim:westmere-2s,clock=stepped

setup() {
	need jq
	cd "$BATS_TEST_TMPDIR" || return
}

# rows FILE: set $rows to its lines, and $heads to the number of CSV headers among them.
rows() {
	local row
	heads=0
	mapfile -t rows <"$1"
	for row in "${rows[@]}"; do
		[[ $row != time,interval* ]] || heads=$((heads + 1))
	done
}

@test "-o writes to a file that is emptied first, --append goes on, and a file that cannot be written is named" {
	# -o writes the readings to a file, which is emptied first.
	echo old >log
	run -0 uncore-read --machine="$SIM" -e 0x9:1 -n 2 --format=csv -o log
	[ -z "$output" ]
	rows log
	((heads == 1 && ${#rows[@]} == 5))
	run -0 uncore-read --machine="$SIM" -e 0x9:1 -n 2 --output=log
	[ -z "$output" ]
	rows log
	[[ ${rows[0]} == SIMULATED* ]]
	[[ ${rows[1]} == 20??-??-??T??:??:??Z' 5.000 s | package 0'* ]]
	# After an error before the first reading the file is unchanged.
	echo old >log
	run -2 uncore-read --machine="$SIM" -e no-such-event -n 2 -o log
	[ "$(<log)" = old ]
	local tool
	for tool in 'read -e 0x9:1' throttle; do
		# shellcheck disable=SC2086
		run uncore-$tool --machine="$SIM" --format=csv -o -
		[[ $output == time,* && ! -e ./- ]]
	done
	# --append goes on where the file ends, with one CSV header.
	rm log
	run -0 uncore-read --machine="$SIM" -e 0x9:1 -n 2 --format=csv -o log --append
	run -0 uncore-read --machine="$SIM" -e 0x9:1 -n 2 --format=csv -o log --append
	rows log
	((heads == 1 && ${#rows[@]} == 9))
	# After an incomplete line, new output begins on a new line.
	printf 'cut' >>log
	run -0 uncore-read --machine="$SIM" -e 0x9:1 -n 2 --format=csv -o log --append
	rows log
	[[ ${#rows[@]} = 14 && ${rows[9]} = cut ]]
	# Rows of one file always have the same columns.
	cp log before
	fails_with 2 "its columns are different" \
		uncore-read --machine="$SIM" -e 0x9:1 -n 2 --format=csv -o log --append --host
	cmp log before
	fails_with 2 "-o FILE" uncore-read --machine="$SIM" -e 0x9:1 --append
	# All lines of one file have the same format.
	local old new
	for old in text csv json collectd; do
		rm -f log
		run -0 uncore-read --machine="$SIM" -e 0x9:1 -n 1 -o log --format="$old"
		cp log before
		for new in text csv json collectd; do
			if [ "$old" = "$new" ]; then
				run -0 uncore-read --machine="$SIM" -e 0x9:1 -n 1 -o log --append --format="$new"
				cmp -n "$(wc -c <before)" before log
				[ "$(wc -l <log)" -gt "$(wc -l <before)" ]
				cp before log
				continue
			fi
			fails_with 2 "--output: log: contains $old, not $new; name another file, or give --format=$old" \
				uncore-read --machine="$SIM" -e 0x9:1 -n 1 -o log --append --format="$new"
			cmp log before
		done
	done
	run -0 uncore-read --machine="$SIM" -e 0x9:1 -n 1 -o log -x ';'
	fails_with 2 "contains csv, not text" uncore-read --machine="$SIM" -e 0x9:1 -n 1 -o log --append
	fails_with 2 "its columns are different" uncore-read --machine="$SIM" -e 0x9:1 -n 1 -o log --append --format=csv
	# Metrics have a column of their own, and several runs append to the header of the first one.
	run -0 uncore-read --machine="$SIM" -M memory-bandwidth -n 1 -o metrics.csv --append --format=csv
	run -0 uncore-read --machine="$SIM" -M memory-bandwidth -n 1 -o metrics.csv --append --format=csv
	run -0 uncore-read --machine="$SIM" -M memory-bandwidth --runs=2 -o runs.csv --append --format=csv -- true
	[ "$(grep -c ^time metrics.csv runs.csv)" = $'metrics.csv:1\nruns.csv:1' ]
	# If the beginning of the first line is lost, the second line shows the format of the file.
	uncore-read --machine="$SIM" -e 0x9:1 -n 1 --format=json | cut -c9- | sed '2s/.*/{}/' >log
	run -0 uncore-read --machine="$SIM" -e 0x9:1 -n 1 -o log --append --format=json
	# An output file that cannot be written is named, and nothing is counted.
	fails_with 2 "--output: nowhere/log: No such file or directory" \
		uncore-read --machine="$SIM" -e 0x9:1 -o nowhere/log
	fails_with 2 "a file name is required" uncore-read --machine="$SIM" -e 0x9:1 -o ''
}

# writers FILE: print a command for each way in which a tool writes FILE.
writers() {
	cat <<-END
	uncore-read --machine=$SIM -e 0x9:1 -o $1
	uncore-read --machine=$SIM -e 0x9:1 -n 2 --format=prometheus -o $1
	uncore-throttle --machine=$SIM -o $1
	uncore-throttle --machine=$SIM --format=prometheus -o $1
	uncore-record -e cpu-clock -o $1 -- true
	uncore-report -i data --svg=$1
	END
}

@test "a file that cannot be opened for writing has one exit status in all tools" {
	local command words wanted file text as
	uncore-record -e cpu-clock -o data -- true 2>/dev/null || skip "no samples here"
	mkdir -m 755 folder shut
	need_nobody "$BIN/uncore-read"
	chmod a+r data
	while IFS='|' read -r wanted file as text; do
		while read -r command; do
			read -ra words <<<"$as $command"
			echo "$command"
			run --separate-stderr "${words[@]}"
			# shellcheck disable=SC2053 # a pattern
			[[ $status -eq $wanted && -z $output && $stderr == $text && ($as != env || ${#stderr_lines[@]} -eq 1) ]]
		done < <(writers "$file")
	done <<-'END'
		2|nowhere/a|env|*nowhere/a: No such file or directory
		2|folder|env|*folder: @(Is a directory|not a regular file*)
		4|shut/log|as_nobody|*shut/log: Permission denied
	END
	[ -z "$(ls -A shut)" ]
}

@test "uncore-throttle appends to a file of the same format, under one CSV header, and not to an incomplete line" {
	local format mode lines look=(uncore-throttle "--machine=sim:westmere-2s,clock=stepped,throttle=none")
	for mode in '' --summary --dimm '-i 1 -n 1' '-- true'; do
		for format in text csv json; do
			# shellcheck disable=SC2086
			lines=$("${look[@]}" --format=$format $mode | wc -l)
			rm -f log
			for _ in 1 2; do
				# shellcheck disable=SC2086
				"${look[@]}" --format=$format -o log $mode
				printf cut >>log
			done
			grep -qx cut log
			[ "$(grep -vc '^cut$' log)" = $((2 * lines - $(grep -c ^time, log))) ]
			[[ $format != csv || $(grep -n ^time, log | cut -c1-7) = 1:time, ]]
		done
	done
	fails_with 2 "--output: log: contains json, not csv; name another file, or give --format=json" \
		"${look[@]}" --format=csv -o log
	"${look[@]}" --format=csv -o table
	fails_with 2 "table: its columns are different" "${look[@]}" --format=csv --summary -o table
	look[1]=--machine=sim:westmere-2s,clock=stepped
	fails_with 2 "table: its columns are different" "${look[@]}" --format=csv --clear -o table
	printf '{"a"' >refused
	fails_with 2 "refused: contains json" "${look[@]}" --format=csv --clear -o refused
	cmp refused <(printf '{"a"')
	run -2 --separate-stderr uncore-throttle --machine=sim:nosuch --clear --format=csv
	[ -z "$output" ]
	"${look[@]}" --format=csv --clear -o cleared
	"${look[@]}" --format=csv --clear -o cleared
	[ "$(grep -n ^time, cleared | cut -d: -f1)" = 1 ]
	look[1]+=,throttle=none
	[[ $("${look[@]}" --format=csv --clear) == time,*,result,host ]]
	# A host name is not mistaken for a CSV header.
	run -0 "${look[@]}" --summary --host -o named
	sed -i 's/^[^:]*/timestation/' named
	run -0 "${look[@]}" --summary --host -o named
}

@test "a renamed or truncated output file is begun again, by SIGHUP at once; without -o and -i SIGHUP ends the run" {
	# After the file was renamed or truncated, the next reading starts a new file with a header; SIGHUP starts it
	# at once.
	background uncore-read --machine=sim:westmere-2s -e 0x9:1 -i 0.2 --format=csv -o log
	wait_for log msr
	mv log log.1
	wait_for log msr
	rows log.1
	[ "$heads" = 1 ]
	rows log
	[ "$heads" = 1 ]
	: >log
	wait_for log msr
	rows log
	[ "$heads" = 1 ]
	kill -TERM "$pid"
	wait "$pid" || [ $? = 143 ]
	background uncore-read --machine=sim:westmere-2s -e 0x9:1 -i 1000 --format=csv -o log --trace 2>trace
	# After uncore-read has written a register for the first time, SIGHUP does not end it.
	wait_for trace ' write '
	mv log log.2
	kill -HUP "$pid"
	# SIGHUP creates the new file at once; the next reading would be 1000 s later.
	wait_until test -e log
	kill -INT "$pid"
	wait "$pid"
	# Without -o or -i SIGHUP ends uncore-read.
	rm log
	background uncore-read --machine=sim:westmere-2s -e 0x9:1 -i 0.2 --format=csv >log
	wait_for log msr
	kill -HUP "$pid"
	wait "$pid" || [ $? = 129 ]
}

@test "all readings of an interval share sequence, time and timestamp" {
	run -0 uncore-read --machine=sim:haswell-ep-2s -e cbo/event=0x37,umask=0x1/ --per-unit \
		-i 0.1 -n 3 --format=json -o log
	jq -se '[.[].sequence] | unique == [1, 2, 3]' log
	jq -se 'group_by(.sequence) | all(.[]; ([.[].time] | unique | length) == 1 and
		([.[].timestamp] | unique | length) == 1 and length > 6)' log
	run -0 uncore-read --machine="$SIM" -e 0x9:1 -n 1 --format=json
	jq -e '.per_second == 20500000 and .sequence == 1' <<<"${lines[0]}"
}

@test "--host and --oneline name the host in every format, and a sum without all of its units says so" {
	# --host names the host in every format.
	local host
	host=$(uname -n)
	each_says uncore-read <<-END
		0|2|${SIM#sim:}|-e 0x9:1 --host --format=json|*"host":"$host"*"host":"$host"*
		0|3|${SIM#sim:}|-e 0x9:1 --host --format=csv|*,host\\n*,$host\\n*,$host
		0|-|${SIM#sim:}|-e 0x9:1 --host|*\\n$host: counted for*
		0|-|${SIM#sim:}|-e 0x9:1 -n 1 --host|*\\n$host 5.000 s |*
	END
	# With --oneline there is one line per interval, which consists of name=value.
	run -0 uncore-read --machine="$SIM" -e 0x9:1 -n 2 --oneline --host
	[ "${#lines[@]}" = 2 ]
	[[ ${lines[0]} == "host=$(uname -n) machine=sim:westmere-2s numbers=SIMULATED sequence=1 timestamp="* ]]
	[[ ${lines[1]} == *" sequence=2 timestamp="*"Z time=10.000000000 interval=5.000000000 UNC_L3_MISS.READ@package0=102500000 UNC_L3_MISS.READ@package1=102500000" ]]
	run -1 --separate-stderr uncore-read --machine="$SIM,fail=read:0x3b0:EIO:cpu=1" -e 0x9:1 --oneline
	[[ $output == *"@package0=20500000 UNC_L3_MISS.READ@package1=unknown:failed" ]]
	run -0 uncore-read --machine=sim:haswell-ep-2s,clock=stepped --packages=0 \
		-e cbo/event=0x37,umask=0x1/ --per-unit --oneline
	[[ $output == *" cbo/event=0x37,umask=0x1/@package0.cbo3=440000 "* ]]
	fails_with 2 "leave out --format" uncore-read --machine="$SIM" -e 0x9:1 --oneline --format=json
	# A sum in which units are missing is marked, with --oneline and for Prometheus.
	local cmd=(uncore-read --machine='sim:skylake-sp-perf,clock=stepped,hotplug=3 off at=1.5' -e cycles
		--packages=0 -i 1 -n 3)
	run -0 --separate-stderr "${cmd[@]}" --oneline
	[[ ${lines[0]} =~ cycles@package0=[0-9]+$ && ${lines[2]} =~ cycles@package0=[0-9]+:7of8$ ]]
	run -0 --separate-stderr "${cmd[@]}" --format=prometheus
	[ "$(grep -c '^uncoremsr_event_total' <<<"$output")" = 3 ]
	[[ $(grep '^uncoremsr_unknown' <<<"$output" | tail -n 1) == *'event="cycles"'*'reason="partial"} 1' ]]
}

@test "numbers and times are written as printf and strftime write them" {
	need cc
	cc -D_GNU_SOURCE -O2 -I"$TOP/tools" -o digits "$TOP/tests/tools/digits_check.c" "$TOP/tools/common/digits.c"
	run -0 ./digits
	[ "$output" = same ]
}
