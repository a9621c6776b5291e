#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-read on simulated machines, most with a stepped clock, where sleeping takes no time and results are exact.
# 0x82:0x1 happens 1000 times per second on every package.

load common
load answers

REAL="sim:westmere-2s,rate=0x82:0x1=1000"
STEPPED="$REAL,clock=stepped"
W=${STEPPED#sim:}

setup() {
	export UNCOREMSR_MACHINE=$STEPPED
	trace=$BATS_TEST_TMPDIR/trace out=$BATS_TEST_TMPDIR/out
}

# Kill programs that a failed test left running.
teardown() {
	kill_started
}

@test "by default one second is counted on every package; the first line says SIMULATED" {
	run -0 uncore-read --event 0x82 --umask 0x1
	[[ ${lines[0]} == "SIMULATED machine westmere-2s "* ]]
	[[ ${lines[1]} == "counted for 1.000 s" ]]
	[[ ${lines[3]} =~ ^\ +0\ +0\ +0\ +UNC_PROCHOT_ASSERTION\ +1,000\ +1,000\.0$ ]]
	[[ ${lines[4]} =~ ^\ +1\ +1\ +0\ +UNC_PROCHOT_ASSERTION\ +1,000\ +1,000\.0$ ]]
	[ "${#lines[@]}" -eq 5 ]
}

@test "readings as CSV and as lines have what the options for events, counters, CPUs and intervals ask for" {
	local p='package 0  UNC_PROCHOT_ASSERTION' nine=0x1:1,0x2:1,0x3:1,0x4:1,0x5:1,0x6:1,0x7:1,0x8:1,0x9:1
	# --edge, --invert and --cmask belong to the --event before them.
	each_says uncore-read <<-END
		0|4|$W|--event 0x82 --umask 1 --edge --invert --cmask 3 --event=0x83 --umask=0x02 -e 0x84:0x4 --packages 0 --format=csv|*,UNC_PROCHOT_ASSERTION:edge:inv:cmask=3,0x3c60182,*\\n*,UNC_THERMAL_THROTTLING_PROCHOT.CORE_1,0x420283,*\\n*,UNC_TURBO_MODE.CORE_2,0x420484,*
		0|4|$W|-e 0x82:0x1 -i 0.5 -n 3 --packages 0|*\\n0.500 s | $p raw 590 +500 1000.0/s\\n1.000 s | $p raw 1090 +500 1000.0/s\\n1.500 s | $p raw 1590 +500 1000.0/s
		0|2|$W|-e 0x82:0x1 -i 5 -n 1 --packages 0 --hex|*\\n5.000 s | $p hex 13e2 raw 5090 +5000 1000.0/s
		0|3|$W|-e 0x82:0x1 -n 2 --packages 0|*\\n10.000 s | $p raw 10090 +5000 *
		3|1|$W|-e $nine --no-multiplex|*9 needed*
		0|2|$W|-e 0x82:0x1 --counter 2 --packages 0 --format=csv|*,0x420182,2,1090,*
		3|1|$W,busy=2|-e 0x82:0x1 --counter 2|uncore-read: *counter 2*
		0|3|$W|-e 0x82:0x1 --cpus 4,7 --format=csv|*,sim:westmere-2s,0,,,,4,*\\n*,sim:westmere-2s,1,,,,7,*
		1|-|$W,fail=read:0x3b0:EIO:cpu=1:after=2|-e 0x82:0x1|*unknown           unknown  failed: *UNCORE_PMC0 (0x3b0)*
		0|-|$W,foreign=0x3c0:0x420183:at=1.5:package=0|-e 0x82:0x1 -i 1 -n 2 --packages 0 --format=csv --no-verify|*
		0|3|$W,hotplug=1:off:at=1.5|-e 0x82:0x1 -i 1 -n 2 --packages 1 --format=csv|*,sim:westmere-2s,1,,,,1,*,ok,1,1000.0\\n*,sim:westmere-2s,1,,,,3,*,ok,2,1000.0
		0|3|westmere-2s-holes,clock=stepped|-e 0x82:0x1 --format=csv|*,sim:westmere-2s-holes,0,*\\n*,sim:westmere-2s-holes,2,*
		0|-|$W|-e 0x82:0x80|*\\nuncore-read: no counter moved: *
		0|-|$W|-e 0x82:0x1 --verbose|*\\nuncore-read: *counter 0*
		0|-|nehalem-1s,clock=stepped|-e 0x82:0x1|SIMULATED machine nehalem-1s *
	END
	# The message "no counter moved" is printed only if all counters stand still.
	run -0 --separate-stderr uncore-read -e 0x82:0x80,0x82:0x1
	[ -z "$stderr" ]
	# An interval may have a unit: s, ms or us.
	each_says uncore-read < <(
		printf "0|2|$W|-e 0x82:0x1 -i %s -n 1 --packages 0 --format=csv|*per_second?0.500000000,0.500000000,*\n" 0.5 500ms 0.5s 500000us
		printf "2|1|$W|-e 0x82:0x1 -n 1 -i %s|uncore-read: --interval: '*\n" ms 500m 5ns 1sms 0.0001us
	)
}

@test "on a terminal the table is redrawn in place below the line SIMULATED; an unknown terminal gets lines" {
	local term
	need script
	need_terminal
	mkdir -p "$BATS_TEST_TMPDIR/terminfo/x"
	touch "$BATS_TEST_TMPDIR/terminfo/x/xterm"
	on_terminal() {
		TERMINFO=$BATS_TEST_TMPDIR/terminfo TERM=$1 script -qec "uncore-read -e 0x82:0x1 -i 1 -n 2" /dev/null
	}
	run -0 on_terminal xterm
	[[ ${lines[0]} == "SIMULATED machine westmere-2s "* ]]
	# Only the second table moves the cursor up, to the beginning of the first.
	[[ ${output%%counted for*} != *$'\e['[0-9]* && ${output#*counted for} == *$'\e[5A'*'counted for 1.000 s'* ]]
	[ "$(grep -c 'counted for 1.000 s' <<< "$output")" -eq 2 ]
	for term in dumb unknown no-such-terminal ''; do
		run -0 on_terminal "$term"
		[[ $output != *$'\e'* && ${lines[1]} == *'1.000 s | package 0'* ]]
	done
}

@test "if so many events take turns that the journal cannot name all selector values, nothing is programmed" {
	local i events=
	for ((i = 0; i < 8 * 512; i++)); do printf -v events '%s,0x%x:0x%x' "$events" $((1 + i / 255)) $((1 + i % 255)); done
	uncore-read -e "${events:1}" -i 60 -n 1 --packages 0 --format=csv >"$BATS_TEST_TMPDIR/csv" 2>/dev/null
	[ "$(grep -c ,msr,ok,1 "$BATS_TEST_TMPDIR/csv")" -eq 4096 ]
	run -3 --separate-stderr uncore-read --trace -e "0x20:0x1$events" -i 60 -n 1 --packages 0
	[[ $(grep -v '^cpu ' <<<"$stderr") == "uncore-read: package 0: too many events take turns: "*"; count fewer events at once" ]]
	run ! grep -q ' write ' <<<"$stderr"
}

@test "what was not measured, or not in a known time, has no value or no rate, and a reason" {
	local route u='UNC_PROCHOT_ASSERTION,0x420182' seen=',,,,,+([0-9]),+([0-9])' nine
	printf -v nine '0x1:1,%.0s' {1..8}
	{
		# If one package fails, the others are still counted; the failed one has an empty value, never 0.
		printf '%s\n' "1|4|$W,fail=write:0x3c0:EIO:cpu=1|-e 0x82:0x1 --format=csv|*,0,,,,0,uncore,$u,0,1090,1000,1000,*,ok,1,1000.0\\n*,1,,,,1,uncore,$u,0,,,,,,0,0,msr,failed,1,\\nuncore-read: package 1: *UNCORE_PERFEVTSEL0 (0x3c0)*"
		# If another program changes the selector, the count of that interval is unknown.
		printf '%s\n' "1|6|$W,foreign=0x3c0:0x420183:at=1.5:package=0|-e 0x82:0x1 -i 1 -n 2 --packages 0 --format=csv|*,1000,1000,*,ok,1,1000.0\\n*$seen,msr,disturbed,2,\\nuncore-read: *disturbed*0x3c0*"
		# If a read is interrupted for too long, the count is known but the rate is not.
		printf '%s\n' "0|6|$W,delay=0x3b0:0.2:cpu=0:after=4:times=1|-e 0x82:0x1 -i 1 -n 4 --packages 0 --format=csv|*,1000,1000,*,ok,1,1000.0\\n*,1000,1000,*,spread,2,\\n*,1200,1200,*,spread,3,\\n*,1000,1000,*,ok,4,1000.0\\n*spread: the count is exact, but its time is not*"
		printf '%s\n' "0|-|$W,delay=0x3b0:0.2:cpu=0:after=4:times=1|-e 0x82:0x1 -i 1 -n 2 --packages 0|*+1000 unknown/s (spread: *"
		# A late reading ("spread") has no rate. The exit status is 1 only if this makes a value unknown: that
		# of a metric, or of an event that takes turns.
		printf '%s\n' "0|4|nehalem-1s,clock=stepped,delay=0x3b0:0.2:after=4:times=1|-e 0x1:1 -i 1 -n 2 --format=csv|*,900000000,900000000,*,ok,1,*\\n*,900000000,900000000,*,spread,2,\\n*"
		printf '%s\n' "1|4|westmere-2s,clock=stepped,delay=0x3b0:0.2:cpu=0:after=4:times=1|-M memory-read-bandwidth -i 1 -n 2 --format=csv --packages 0|*,1.334400000,GB/s,*,ok,1,*\\n*,memory-read-bandwidth,,,,,,,GB/s,*,spread,2,*"
		printf '%s\n' "1|-|nehalem-1s,clock=stepped,delay=0x3b0-0x3b7:0.2:after=20:times=1|-e ${nine}0x1:1 -i 1 -n 2 --format=csv|*,+([0-9]),,,,+([0-9]),+([0-9]),msr,spread,*"
		# A suspend is a gap on both routes, and the counters are programmed again.
		for route in msr perf; do
			printf '%s\n' "1|-|$W,kernel_uncore=yes,suspend=3600:at=1.5|-e uncore/event=0x82,umask=0x1/ -i 1 -n 3 --packages 0 --route=$route --format=csv|*\\n1.000000000,1.000000000,*,1000,1000,*,$route,ok,1,1000.0\\n2.000000000,1.000000000,*$seen,$route,suspended,2,\\n3.000000000,1.000000000,*,1000,1000,*,$route,ok,3,1000.0\\nuncore-read: *the machine was suspended for 3600.000 s*"
		done
	} >"$out"
	each_says uncore-read <"$out"
}

@test "digits of large numbers are grouped in the table, and nowhere else; a read that fails once gives the same result with --trace" {
	local machine=westmere-2s,clock=stepped,rate=0x82:0x1=1234567890,rate=0x83:0x1=999
	run -0 uncore-read --machine="sim:$machine" --packages=0 -e 0x82:0x1,0x83:0x1
	[[ ${lines[3]} =~ \ 1,234,567,890\ +1,234,567,890\.0$ && ${lines[4]} =~ \ 999\ +999\.0$ ]]
	[ "${#lines[2]}" = "${#lines[3]}" ]
	each_says uncore-read <<-END
		0|-|$machine|--packages=0 -e 0x82:0x1 -i 1 -n 1|* +1234567890 1234567890.0/s*
		0|1|$machine|--packages=0 -e 0x82:0x1 --oneline|*=1234567890
		0|-|$machine|--packages=0 -e 0x82:0x1 --format=csv|*,1234567890,*
	END
	local n ok=',msr,ok,'
	for n in 3 4 5; do
		printf '%s\n' "0|-|nehalem-1s,clock=stepped,fail=read:0x3b0:EIO after=$n times=1|-e 0x2c:0x1 -i 1 -n 3 --format=csv --trace|*${ok}1,*${ok}2,*${ok}3,*"
	done >"$out"
	each_says uncore-read <"$out"
}

@test "requested packages and CPUs are counted on both routes; offline ones are reported, and counted once online" {
	local route m keys list c one='"ok, 1 of 2"'
	local note='uncore-read: CPU 3 is offline: left out until it is online' back='uncore-read: package 0: CPU 3 is online: counting begins again'
	m=skylake-sp-2s,clock=stepped
	for route in msr perf; do
		c="-e core/event=0x3c,umask=0/ --format=csv --route=$route"
		# Every package in the list of --packages is counted, in whatever form the list is written.
		for list in 0,1 0-1 1,0 1-1,0; do
			printf '%s\n' "0|3|$W|$c --packages=$list|*,sim:westmere-2s,0,*,$route,ok,1,*\\n*,sim:westmere-2s,1,*,$route,ok,1,*"
		done
		printf '%s\n' "0|2|$W|$c --packages=1|*,sim:westmere-2s,1,*"
		[ $route = perf ] || printf '%s\n' "0|3|$m|$c -e cha/event=0/ --cores=4|*\\n*,sim:skylake-sp-2s,1,*,$route,ok,1,*"
		c+=" -i 1 -n 4"
		# A CPU that is offline at the start and comes online later.
		keys="offline=3,hotplug=3 on at=2.5"
		printf '%s\n' "0|7|$m,$keys|$c --cores=0,3|*,$one,1,*\\n*,$one,2,*\\n*,$one,3,*\\n*,ok,4,*\\n$note\\n$back"
		printf '%s\n' "1|-|$m,$keys|$c --cores=3|*,offline,1,*\\n*,offline,2,*\\n*,offline,3,*\\n*,ok,4,*"
		printf '%s\n' "0|-|$m,$keys|$c --packages=0|*,ok,1,*\\n*,ok,2,*\\n*,\"ok, 7 of 8\",3,*\\n*,ok,4,*"
		printf '%s\n' "1|34|$m,$keys|$c --packages=0 --per-cpu|!(*,3,,3,*,[12],*)\\n3.0*,3,,3,*,offline,3,*\\n4.0*,3,,3,*,ok,4,*"
		# A CPU that goes offline is reported at once, and is missing from that interval on.
		keys="hotplug=3 off at=1.5,hotplug=3 on at=3.5"
		printf '%s\n' "0|7|$m,$keys|$c --cores=0,3|*,ok,1,*\\n*,$one,2,*\\n*,$one,3,*\\n*,$one,4,*\\nuncore-read: CPU 3 went offline: left out until it is back\\n*"
		printf '%s\n' "1|-|$m,$keys|$c --cores=3|*,ok,1,*\\n*,,,,,+([0-9]),+([0-9]),$route,offline,2,,3\\n*,,,,,0,0,$route,offline,3,,3\\n*,,,,,0,0,$route,offline,4,,3\\n*"
		# With SMT off half of the CPUs never come online: there is one message, and every sum is complete.
		keys=offline=8-15
		printf '%s\n' "0|10|$m,$keys|$c|*,ok,1,*,ok,1,*,ok,2,*,ok,2,*,ok,3,*,ok,3,*,ok,4,*,ok,4,*\\nuncore-read: CPUs 8-15 are offline: left out until they are online"
		printf '%s\n' "0|34|$m,$keys|$c --per-cpu|!(*,offline,*)"
	done >"$out"
	each_says uncore-read <"$out"
}

@test "COMMAND is not started when nothing can be counted; if not all is counted, the status is 1" {
	local route m=sim:skylake-sp-2s,offline=3 event=core/event=0xc0,umask=0/ started=$BATS_TEST_TMPDIR/started
	for route in msr perf; do
		run -3 --separate-stderr uncore-read --machine=$m --route=$route -a --cores=3 -e $event -- touch "$started"
		[ ! -e "$started" ]
		[[ $stderr == *"touch is not started: nothing can be counted: CPU 3 is offline"* ]]
		run -0 uncore-read --machine=$m --route=$route -a --cores=0,3 -e $event -- touch "$started"
		[ -e "$started" ]
		rm "$started"
	done
	run -4 uncore-read -e 0x82:0x1 --machine="$REAL,driver=missing" -- touch "$started"
	[ ! -e "$started" ]
	run -1 uncore-read -e 0x82:0x1 --machine="$REAL,fail=write:0x3c0:EIO:cpu=1" -- true
}

@test "--dry-run prints what a run writes, in the same order, time and restore included, and runs nothing" {
	local line dry=
	run -0 --separate-stderr uncore-read --event 0x82 --umask 0x1 --counter 2 --dry-run
	[ -z "$stderr" ]
	[[ ${lines[0]} == "# SIMULATED "* ]]
	run ! grep -Ev '^(#|rdmsr -p [01] 0x|wrmsr -p [01] 0x|sleep 1$)' <<< "$output"
	run -0 uncore-read --event 0x82 --umask 0x1 --counter 2 --dry-run --packages 0
	for line in "${lines[@]}"; do
		[[ $line != [ws]* ]] || dry+=${line/ 0x3b2 0x*/ 0x3b2 VALUE}$'\n'
	done
	diff - <(printf %s "$dry") <<-'END'
		wrmsr -p 0 0x3c2 0x420182
		wrmsr -p 0 0x3b2 VALUE
		wrmsr -p 0 0x391 0x4
		sleep 1
		wrmsr -p 0 0x391 0x0
		wrmsr -p 0 0x3b2 VALUE
		wrmsr -p 0 0x3c2 0x0
	END
	uncore-read -e 0x82:0x1,0x83:0x2 --trace 2> "$trace" > /dev/null
	restored "$trace"
	awk '$3 == "write" { gsub(/[()]/, "", $5); print "wrmsr -p", $2, $5, $8 }' "$trace" > "$out"
	[ -s "$out" ]
	diff "$out" <(uncore-read -e 0x82:0x1,0x83:0x2 --dry-run | grep '^wrmsr')
	# The dry run shows COMMAND between the start and the end of counting, but does not run it.
	run -0 uncore-read -e 0x82:0x1 --dry-run -- touch "$BATS_TEST_TMPDIR/a file"
	[ ! -e "$BATS_TEST_TMPDIR/a file" ]
	[[ $output == *"touch '$BATS_TEST_TMPDIR/a file'"* ]]
}

@test "a signal ends periodic counting with the registers put back: SIGINT with a total, others by that signal" {
	local name events=0x82:0x1
	ulimit -S -c 0 # no core file after SIGQUIT
	for name in INT:0 TERM:143 HUP:129 QUIT:131; do
		# The shell starts background programs with SIGQUIT ignored, so set it to its default.
		background env --default-signal=QUIT uncore-read -e "$events" -i 0.1 --machine="$REAL" --trace 2> "$trace" > "$out"
		wait_for "$out" '^[0-9.]* s \| package 0'
		kill -"${name%:*}" "$pid"
		ends_with "${name#*:}"
		[[ $name != INT* || $(<"$out") == *$'\n'"total of "[0-9]*.* ]]
		restored "$trace"
		# From the second signal on, nine events take turns on eight counters. Not with SIGINT: it ends an
		# interval early, so one of nine events might have no turn in this interval, and the status would be 1.
		events=0x1:1,0x2:1,0x3:1,0x4:1,0x5:1,0x6:1,0x7:1,0x8:1,0x82:1
	done
	# Under nohup SIGHUP stays ignored.
	background nohup uncore-read -e 0x82:0x1 -i 0.1 --machine="$REAL" > "$out" 2>&1
	wait_for "$out" '^[0-9.]* s \| package 0'
	kill -HUP "$pid"
	sleep 0.3
	kill -INT "$pid"
	ends_with 0
}

@test "the exit status is COMMAND's, 127 or 126 where it cannot be run, and registers are put back" {
	# The exit status of COMMAND is passed on.
	run -0 uncore-read -e 0x82:0x1 --machine="$REAL" -- true
	run -7 uncore-read -e 0x82:0x1 --machine="$REAL" -- sh -c 'exit 7'
	run -143 uncore-read -e 0x82:0x1 --machine="$REAL" -- sh -c 'kill -TERM $$'
	# If COMMAND does not exist, the exit status is 127; if it cannot be executed, 126. The registers are restored.
	run -127 --separate-stderr uncore-read -e 0x82:0x1 -- /nonexistent/program
	[ "$stderr" = "uncore-read: /nonexistent/program: No such file or directory" ]
	[ -z "$output" ]
	echo text > "$BATS_TEST_TMPDIR/file"
	run -126 uncore-read -e 0x82:0x1 --trace -- "$BATS_TEST_TMPDIR/file"
	[[ $output == *"uncore-read: $BATS_TEST_TMPDIR/file: Permission denied"* ]]
	echo "$output" > "$trace"
	restored "$trace"
}

@test "COMMAND gets the signal mask, signal dispositions and CPUs that uncore-read was started with" {
	local before
	before=$(grep -E '^(Sig(Blk|Ign)|Cpus_allowed):' /proc/self/status)
	run -0 uncore-read -o "$out" -e 0x82:0x1 --machine="$REAL" -- grep -E '^(Sig(Blk|Ign)|Cpus_allowed):' /proc/self/status
	[ "$before" = "$output" ]
}

@test "counting lasts as long as COMMAND does, with -i in intervals" {
	local count time sum=0 rows
	uncore-read -e 0x82:0x1 --machine="$REAL" --packages 0 --format=csv -i 0.2 -o "$out" -- \
		sh -c 'until [ -s "$0" ]; do sleep 0.05; done; sleep 0.3' "$out"
	mapfile -t rows <"$out"
	((${#rows[@]} >= 3))
	for count in "${rows[@]:1}"; do
		IFS=, read -r time _ _ _ _ _ _ _ _ _ _ _ _ _ _ count _ <<<"$count"
		sum=$((sum + count))
	done
	((10#${time/./} >= 500000000 && sum >= 499))
}

@test "-n, a signal, a closed pipe or a full disk ends counting, with the registers put back" {
	# -n ends counting before COMMAND ends, and its status is still passed on.
	# COMMAND waits for a header and two intervals.
	run -3 uncore-read -e 0x82:0x1 --machine="$REAL" -i 0.1 -n 2 --packages 0 -o "$out" -- \
		sh -c 'until [ "$(wc -l <"$0")" -eq 3 ]; do sleep 0.05; done; exit 3' "$out"
	[ "$(wc -l <"$out")" -eq 3 ]
	# SIGINT sent to the tool reaches COMMAND, and what was counted is shown.
	background uncore-read -e 0x82:0x1 --machine="$REAL" --trace -o "$out" -- \
		env --default-signal=INT sh -c 'sleep 0.2; echo begun; exec sleep 60' 2> "$trace" > "$out.command"
	wait_for "$out.command" begun
	kill -INT "$pid"
	local status=0
	wait "$pid" || status=$?
	[ "$status" -eq 130 ]
	grep -q 'UNC_PROCHOT_ASSERTION .*[1-9]' "$out"
	restored "$trace"
	# The reader of the pipe exits (SIGPIPE or EPIPE): no message, status 1, registers restored.
	local status
	{
		status=0
		uncore-read -e 0x82:0x1 -i 1 --trace 2> "$trace" || status=$?
		echo "$status" > "$BATS_TEST_TMPDIR/status"
	} | head -1
	[ "$(cat "$BATS_TEST_TMPDIR/status")" -eq 1 ]
	run ! grep -q '^uncore-read: ' "$trace"
	restored "$trace"
	# A full or closed standard output: one line, status 1.
	run -1 bash -c 'uncore-read -e 0x82:0x1 > /dev/full'
	[ "$output" = "uncore-read: standard output: No space left on device" ]
	run -1 bash -c 'uncore-read -e 0x82:0x1 >&-'
	[ "$output" = "uncore-read: standard output: Bad file descriptor" ]
}

@test "an interval is written in one piece" {
	need strace
	# A leak check cannot run under strace.
	export ASAN_OPTIONS=detect_leaks=0
	strace -f -o "$trace" -e trace=write uncore-read -e 0x82:0x1 -i 1 -n 10 > "$BATS_TEST_TMPDIR/out"
	[ "$(grep -c '^[0-9]* *write(1,' "$trace")" -eq 10 ]
}

@test "--help and --version go to stdout, -h and -V are the same in every tool; options override UNCOREMSR_MACHINE and UNCOREMSR_ROUTE, and empty means unset" {
	local tool help
	run -0 --separate-stderr uncore-read --help
	[[ ${lines[0]} == "usage: uncore-read "* ]]
	[[ $output == *"Exit status:"* ]]
	help=$'\n'${output#*$'\n'Examples:}
	help=${help//$'\n  uncore-read'/$'\001'}
	help=${help//[!$'\001']/}
	[ "${#help}" -eq 8 ]
	[ -z "$stderr" ]
	run -0 uncore-read --version
	[[ $output =~ ^uncore-read\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
	for tool in read info events doctor throttle sim; do
		[ "$("uncore-$tool" -h)" = "$("uncore-$tool" --help)" ]
		[ "$("uncore-$tool" -V)" = "$("uncore-$tool" --version)" ]
	done
	local machine=sim:skylake-sp-2s,clock=stepped
	run -0 uncore-read -e 0x82:0x1 --machine=sim:nehalem-1s,clock=stepped
	[[ ${lines[0]} == "SIMULATED machine nehalem-1s "* ]]
	UNCOREMSR_MACHINE='' run -0 uncore-info --format=json
	[[ $output == *'"machine":"live"'* ]]
	UNCOREMSR_ROUTE=perf run -3 uncore-read --machine=$machine -e cha/event=0x35,umask=0x21/
	[[ $output == *"no PMU 'uncore_cha'"* ]]
	UNCOREMSR_ROUTE=perf run -0 uncore-read --machine=$machine -e cha/event=0x35,umask=0x21/ --route=auto
	UNCOREMSR_ROUTE='' run -0 uncore-read --machine=$machine -e cha/event=0x35,umask=0x21/
	UNCOREMSR_ROUTE=kernel run -2 uncore-read --machine=$machine -e cha/event=0x35,umask=0x21/
	[[ $output == "uncore-read: UNCOREMSR_ROUTE: 'kernel': must be auto, msr, perf or memory"* ]]
}

@test "the first interval begins when the counter starts, so its rate is right even on a slow device" {
	local machine route event
	need jq
	while read -r machine route event; do
		for machine in "$machine" "$machine,slow=0.02"; do
			uncore-read --machine="sim:$machine,clock=stepped" --format=json -i 1 -n 1 --route="$route" -e "$event"
		done
	done >"$out" <<- 'END'
		westmere-2s msr UNC_CLK_UNHALTED
		haswell-ep-2s msr cbo/event=0x34,umask=0x11/
		zen-1s msr l3/event=0x04,umask=0xff/
		skylake-sp-perf perf uncore_cha_0/event=0x31,umask=1/
	END
	# Counts per nanosecond of package 0, first on a fast device and then on a slow one.
	jq -es 'map(select(.package == 0)) | group_by(.machine) | length == 4 and
		all(map((.value | tonumber) / .enabled_ns) | length == 2 and .[0] > 0 and (.[1] / .[0] | . > 0.99 and . < 1.01))' "$out"
}

# A preloaded library cannot be combined with sanitizers.
# bats test_tags=plain
@test "setting the system clock forwards or back does not change the intervals" {
	local step
	need cc
	cc -shared -fPIC -o "$BATS_TEST_TMPDIR/clock.so" "$TOP/tests/tools/stepped_clock.c"
	for step in 7200 -7200; do
		# Intervals are timed by the monotonic clock, which setting the time does not change: there are seven
		# intervals, and none is two hours long.
		: >"$BATS_TEST_TMPDIR/out"
		LD_PRELOAD=$BATS_TEST_TMPDIR/clock.so CLOCK_FILE=$BATS_TEST_TMPDIR/out CLOCK_STEP=$step \
			timeout 60 uncore-read --machine=sim:westmere-2s --packages=0 -e 0x2c:0x1 -i 0.1 -n 7 \
			--format=csv >"$BATS_TEST_TMPDIR/out" || [ $? -eq 1 ]
		awk -F, 'NR > 1 { bad += $23 != NR - 1 || $2 <= 0 || $2 > 60 || $1 <= last; last = $1 }
			END { exit bad || NR != 8 || last > 60 }' "$BATS_TEST_TMPDIR/out"
		# The time of day in the records follows the clock that was set.
		[ "$(cut -d, -f3 "$BATS_TEST_TMPDIR/out" | cut -c12-13 | sort -u | grep -c '^[0-9]')" -ge 2 ]
	done
}

