#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Counting while a command runs: its output, the counts, and its exit status.

load common
load answers

PERF=sim:skylake-sp-perf,clock=stepped

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# said: print stderr without warnings that this machine was busy while a counter was read.
said() {
	grep -v ': spread: ' <<<"$stderr" || true
}

@test "standard output is COMMAND's own in every format, and the signal that ended it is named" {
	local format
	for format in text csv json; do
		run -0 --separate-stderr uncore-read --machine=sim:nehalem-1s -e 0x9:1 --format=$format -- echo mine
		[ "$output" = mine ]
		[[ $stderr == *UNC_L3_MISS.READ* ]]
		run -137 --separate-stderr uncore-read --machine=sim:nehalem-1s -e 0x9:1 --format=$format \
			-o report -- sh -c 'echo mine; kill -9 $$'
		[ "$output" = mine ]
		[ "$(said)" = "uncore-read: sh: ended by signal 9 (SIGKILL)" ]
		[[ $(<report) == *UNC_L3_MISS.READ* ]]
	done
	run -5 --separate-stderr uncore-read --machine=sim:nehalem-1s -e 0x9:1 -o report -- sh -c 'exit 5'
	[ -z "$(said)" ]
	run -143 --separate-stderr uncore-read --machine=sim:nehalem-1s -e 0x9:1 -o report -- sh -c 'kill -TERM $$'
	[[ $stderr == *"(SIGTERM)" ]]
	# This COMMAND ends only after the first interval was printed.
	uncore-read --machine=sim:nehalem-1s -e 0x9:1 -i 0.1 --format=csv -- \
		sh -c 'until [ -s told ]; do sleep 0.05; done; echo mine' >output 2>told
	mapfile -t lines <told
	[[ $(<output) = mine && ${#lines[@]} -ge 3 ]]
}

@test "with -i and -o SIGHUP opens the file again and does not reach COMMAND" {
	background uncore-read --machine=sim:nehalem-1s -e 0x9:1 -i 0.1 -o report --format=csv -- \
		sh -c 'trap "echo hup >>got" HUP; until [ -e report.1 ] && [ -s report ]; do sleep 0.05; done'
	wait_for report msr
	mv report report.1
	kill -HUP "$pid"
	wait "$pid"
	[ -s report ]
	[ ! -e got ]
}

@test "counts of a package are not shown as the command's, and a short elapsed time has enough digits" {
	run -0 --separate-stderr uncore-read --machine="$PERF" -e instructions,uncore_imc/cas_count_read/ -- true
	[[ $stderr == *"count the whole package, not COMMAND alone"* ]]
	run -0 --separate-stderr uncore-read --machine="$PERF" -e instructions,cycles -- true
	[[ $stderr != *"not COMMAND alone"* ]]
	[[ $stderr =~ $'\n'[0-9]+\.[0-9]{9}" s elapsed"$'\n'[0-9]+\.[0-9]{6}" s user" ]]
	[[ ! $stderr =~ 0\.000000000" s elapsed" ]]
	run -0 uncore-read --machine=sim:nehalem-1s -e 0x9:1 --format=json -- true
	[[ $output == *'"target":"system"'* ]]
}

@test "instructions per cycle and miss ratios are shown if both of their events are counted" {
	# Run for long enough that the ratios are exact: within a few microseconds only some dozens of events occur.
	run -0 uncore-read --machine="$PERF" \
		-e instructions,cycles,branches,branch-misses,cache-references,cache-misses -- sleep 0.1
	[[ $output == *"command: 0.75 instructions per cycle"* ]]
	[[ $output == *"command: 1.48 % of all branches were mispredicted"* ]]
	[[ $output == *"command: 25.00 % of all cache references missed"* ]]
	run -0 uncore-read --machine="$PERF" -e branch-misses,cache-misses:u,cache-references:k -- true
	[[ $output != *" % of all "* ]]
	run -0 uncore-read --machine="$PERF" -e branches,branch-misses -i 1 -n 1
	[[ $output == *" | package 0  branch misses 1.48 %"* ]]
}

@test "with --runs each event is counted in one run and takes no turns; --runs=N runs COMMAND N times, or fails" {
	need jq
	local many='UNC_L3_MISS.*,UNC_QMC_NORMAL_READS.*,UNC_QMC_WRITES.*' m=nehalem-1s
	run -0 uncore-read --machine=sim:$m -e "$many" --runs --format=json -o report -- sh -c 'echo ran >>ran'
	[ "$(<ran)" = $'ran\nran' ]
	jq -se 'all(.running_ns == .enabled_ns and .status == "ok") and ([.[].run] | unique) == [1, 2] and
		([.[].event] | unique | length) == length and length == 16' report
	# Events of a group stay together, also on the kernel's route.
	run -0 uncore-read --machine="$PERF" --runs --format=json -o report \
		-e 'r01b1,r02b1,r03b1,r04b1,r05b1,r06b1,r07b1,{r08b1,r09b1,r0ab1}' -- true
	jq -se '([.[] | select(.event | test("r0[89a]b1")) | .run] | unique | length) == 1 and
		all(.running_ns == .enabled_ns and .status == "ok")' report
	# Several runs are needed even if only one route, or one PMU, has too few counters. Patterns and "default" stand
	# for several names, but not in a group.
	local cbo=cbo/event=1/,cbo/event=2/,cbo/event=3/,cbo/event=4/,cbo/event=5/ machine runs args
	while IFS='|' read -r machine runs args; do
		# shellcheck disable=SC2086 # several arguments
		run -0 uncore-read --machine="sim:$machine,clock=stepped" --runs --format=json -o report $args -- true
		jq -se 'all(.status == "ok") and ([.[].run] | max) == '"$runs"' and
			(map([.package, .event]) | length == (unique | length))' report || { echo "$args"; false; }
	done <<-END
		skylake-sp-perf|2|-e cycles,${cbo//cbo/uncore_imc}
		westmere-2s|2|-e 1:1,r1,r2,r3,r4,r5
		ivybridge-ep-2s|3|--route=msr -e $cbo,pcu/event=0/
		westmere-2s|2|
		westmere-2s|2|-M throttled-*
		westmere-2s|1|-M hot-core[0,2] -e UNC_TURBO_MODE.CORE_[0,2-3]:e
		skylake-sp-perf|1|-e uncore_imc_[0,2]/event=1/
		westmere-2s|2|-e 1:1,2:1,3:1,{UNC_TURBO_MODE.*,UNC_L3_HITS.READ,6:1} -e 4:1
	END
	jq -se 'map(select(.event | test("TURBO|HITS")).run) == [range(10) | 2]' report
	# Events of one metric take turns if they do not fit at once; a metric that cannot be counted is named.
	run uncore-read --machine=sim:zen-1s --runs --format=json -o report -- true
	jq -se 'any(.event == "memory-bandwidth" and .run == 1) and any(.event == "ipc" and .run == 2 and .status == "ok")' report
	run -0 --separate-stderr uncore-read --machine=sim:skylake-sp-perf --runs -M '*-power' -o report -- true
	[[ $stderr == *"left out of '*-power': metric 'dram-power': "* ]]
	rm ran
	run -0 uncore-read --machine=sim:$m -e "$many" --runs=5 --format=json -o report -- sh -c 'echo ran >>ran'
	[[ $(wc -l <ran) = 5 && $(jq -s '[.[].run] | unique | length' report) = 5 ]]
	# The exit status of COMMAND is passed on, and COMMAND is run in each run.
	run -7 uncore-read --machine=sim:$m -e 0x9:1 --runs=2 -- sh -c 'echo ran >>other; exit 7'
	[ "$(<other)" = $'ran\nran' ]
	each_says uncore-read <<-END
		3|1|$m|-e $many --runs=1 -- touch no|*these events need 2 runs
		0|-|$m|-e 0x9:1 --runs=2 -- true|*run 1 of 2*run 2 of 2*
		127|-|$m|-e 0x9:1 --runs=2 -- /nonexistent/program|*
		2|1|$m|-e 0x9:1,no-such-event --runs -- touch no|*
		2|1|$m|-e 0x9:1 --runs=0|*
		2|1|$m|-e 0x9:1 --runs=x|*
		2|1|$m|-e 0x9:1 --runs|*
	END
	[ ! -e no ]
}

@test "forms known from perf stat are accepted: COMMAND without --, -C, -I, -a, --per-socket, -x" {
	run -3 --separate-stderr uncore-read --machine="$PERF" -e instructions --format=csv -o out sh -c 'exit 3' -e x
	[ "$(grep -c ',instructions,' out)" = 1 ]
	run -127 --separate-stderr uncore-read --machine="$PERF" INSTRUCTIONS
	[[ $stderr == *"INSTRUCTIONS: No such file or directory; put an event after -e, a metric after -M" ]]
	# The advice about -e and -M is only for a COMMAND that does not exist.
	run -126 --separate-stderr uncore-read --machine="$PERF" "$BATS_TEST_TMPDIR"
	[[ $stderr == *": Permission denied" ]]
	run -0 uncore-read --machine="$PERF" -e instructions -C 0 -I 500 -n 2 -x ';'
	[ "${lines[0]%%;*}" = time ]
	[ "${#lines[@]}" = 3 ]
	[[ ${lines[2]} == "1.000000000;0.500000000;"* ]]
	diff <(tr ';' ',' <<<"$output" | cut -d, -f5-22) \
		<(uncore-read --machine="$PERF" -e instructions --cpus 0 -i 0.5 -n 2 --format=csv | cut -d, -f5-22)
	run -0 uncore-read --machine="$PERF" -e uncore_cha/event=0x50,umask=0x3/ -a --per-socket -x '\t' true
	[[ $output == "" || $output != *","*","*","* ]]
	# A name that contains the separator is quoted.
	run -0 uncore-read --machine="$PERF" -e cha/event=0x50,umask=0x3/ -x ,
	[[ $output == *'"cha/event=0x50,umask=0x3/"'* ]]
	run -0 uncore-read --machine="$PERF" -e cha/event=0x50,umask=0x3/ -x '|'
	[[ $output == *'|cha/event=0x50,umask=0x3/|'* ]]
}
