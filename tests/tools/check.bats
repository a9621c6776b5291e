#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# scripts/check and tests/suite: no failure may look like a pass, and no process that a test starts may outlive it.

# bats file_tags=plain

load common

# sum STATUS LINES: run tap_sum on these lines, with ";" between them, for a suite that ended with STATUS.
sum() {
	printf '%s\n' "${2//;/$'\n'}" >"$BATS_TEST_TMPDIR/tap"
	bash -c '. "$0/scripts/lib.bash"; tap_sum "$1" "$2"' "$TOP" "$BATS_TEST_TMPDIR/tap" "$1"
}

# Rows are WHAT|STATUS|LINES|SUM|PATTERN: the last line of the output must be SUM, and the whole output must match
# PATTERN.
@test "passed, failed and skipped tests are counted, and a suite that did not end well has failed" {
	local what ended tap sum pattern
	while IFS='|' read -r what ended tap sum pattern; do
		run sum "$ended" "$tap"
		# shellcheck disable=SC2053 # a pattern
		[[ ${lines[-1]} == "$sum" && $output == $pattern ]] || { echo "$what: $output"; return 1; }
	done <<-'END'
	each result|1|1..4;ok 1 a;not ok 2 b;ok 3 c # skip no such thing;ok 4 d|2 1 1|*
	a plan at the end|0|ok 1 a;ok 2 b;1..2|2 0 0|2 0 0
	a failing test is shown with its output|1|1..3;ok 1 a;# quiet;not ok 2 b;# because of this;ok 3 c;# quiet|2 1 0|*not ok 2 b*because of this*
	the others are not shown|1|1..3;ok 1 a;# quiet;not ok 2 b;# because of this;ok 3 c;# quiet|2 1 0|!(*quiet*)
	a skipped test is shown with its reason|0|1..1;ok 1 reads a register # SKIP no driver|0 0 1|  skipped: reads a register: no driver?0 0 1
	a suite that is skipped as a whole, with the reason|0|1..0 # SKIP no emulator|0 0 1|*no emulator*
	no plan|0|ok 1 a|1 1 0|*no plan*
	nothing printed|0||0 1 0|*
	no test planned, and no reason|0|1..0|0 1 0|*
	fewer tests than planned|0|1..3;ok 1 a;ok 2 b|2 1 0|*2 of 3*
	tests pass, but the suite crashes|139|1..1;ok 1 a|1 1 0|*status 139*
	bails out|0|1..1;ok 1 a;Bail out! no tools|1 1 0|*
	END
}

@test "a unit test that says it cannot run here is skipped, and the other results are unchanged" {
	printf '%s\n' 'ok 1 - a.c:set:reads: Passed' 'ok 2 - a.c:set:reads_dumps: Passed' \
		'not ok 3 - a.c:set:writes: no' 1..3 >"$BATS_TEST_TMPDIR/tap"
	printf '%s\n' 'a remark' 'reads_dumps: skipped: no corpus' >"$BATS_TEST_TMPDIR/err"
	run bash -c '. "$0/scripts/lib.bash"; cd "$1"; tap_skips tap err >marked; tap_sum marked 1' "$TOP" \
		"$BATS_TEST_TMPDIR"
	echo "$output"
	[[ $output == *'skipped: a.c:set:reads_dumps: no corpus'* ]]
	[ "${lines[-1]}" = '1 1 1' ]
	# If no message says "skipped:", the TAP is unchanged.
	printf '%s\n' 'ok 1 - a.c:set:reads: Passed' 1..1 >"$BATS_TEST_TMPDIR/tap"
	: >"$BATS_TEST_TMPDIR/err"
	run bash -c '. "$0/scripts/lib.bash"; tap_skips "$1/tap" "$1/err"' "$TOP" "$BATS_TEST_TMPDIR"
	[ "${lines[0]}" = 'ok 1 - a.c:set:reads: Passed' ]
	[ "${lines[1]}" = 1..1 ]
}

# count FILE...: print the progress of suites from their TAP.
count() {
	bash -c '. "$0/scripts/lib.bash"; tap_count "$@"' "$TOP" "$@"
}

@test "results of a running suite are counted, with the total if the plan comes first" {
	cd "$BATS_TEST_TMPDIR" || return
	printf '%s\n' 1..580 'ok 1 a' '# 1..3' 'not ok 2 b' >bats
	printf '%s\n' 'ok 1 - a' 'ok 2 - b' 1..2 >check.0
	printf '%s\n' 'ok 1 - a' >check.1
	[ "$(count "$PWD/bats" "$PWD/none")" = 2/580 ]
	[ "$(count "$PWD"/check.*)" = 3 ]
	[ "$(count "$PWD/none")" = 0 ]
}

@test "scripts/check knows its suites and refuses others" {
	run -1 "$TOP/scripts/check" no-such-suite
	[[ $output == *"no suite 'no-such-suite'; there are: build plain-1 plain-2 tools-1 tools-2 fuzz ppc tools-san vm unit-san unit lint kept" ]]
}

# Take the lock in a copy of the scripts, because a scripts/check of this clone may be running this test.
@test "a second scripts/check in one clone is refused before it touches anything, and does not disturb the first" {
	local args
	mkdir -p "$BATS_TEST_TMPDIR/clone/build-check/log"
	cd "$BATS_TEST_TMPDIR/clone" || return
	cp -r "$TOP/scripts" .
	echo first >build-check/log/unit.out
	exec {lock}<.
	flock -n "$lock"
	for args in '' lint --quick; do
		# shellcheck disable=SC2086 # none or one argument
		run -1 scripts/check $args
		[ "${#lines[@]}" = 1 ]
		[[ $output == "scripts/check: another one runs in $PWD and uses its build folders; wait for its end, or "* ]]
	done
	[ "$(<build-check/log/unit.out)" = first ]
	# A wrong argument is reported although the clone is locked.
	run -1 scripts/check no-such-suite
	[[ $output == *"no suite 'no-such-suite'"* ]]
	exec {lock}<&-
	run -0 bash -c '. scripts/check; alone'
}

# ---- tests/suite ----

# watched EVENT...: print the output of watch() if its reads have these results, each "STATUS LINE"; 142 is a timeout.
watched() {
	bash -c '. "$0/tests/suite"; LOG=$1 name=inner private= limit=300 events=("${@:2}")
		read() {
			[ "$2" = -t ] || { builtin read "$@"; return; }
			local event=${events[0]}; events=("${events[@]:1}"); line=${event#* }; return "${event%% *}"
		}
		watch' "$TOP" "$BATS_TEST_TMPDIR" "$@"
}

@test "a line that a timeout cuts is one result, and a whole line is not joined to the next" {
	run -0 watched '142 1..6' '142 ok 1 a' '0 ok 2 b' '142 not ' '0 ok 3 c' '142 not ok 4 this' '0  is ok if so' \
		'142 not ok 5 d' '0 begin 6 e' '142 ok 6 e' '1 ' '1 '
	[ "$output" = $'1..6\nok 1 a\nok 2 b\nnot ok 3 c\nnot ok 4 this is ok if so\nnot ok 5 d\nok 6 e' ]
}

# suite LIMIT EACH TESTS [COMMAND...]: run bats on TESTS, or COMMAND, as a suite with a limit of LIMIT seconds and EACH
# seconds per test. TESTS begin with %test, because bats would take @test for tests of this file.
suite() {
	[ $# -gt 3 ] || set -- "$@" "$BATS_ROOT/bin/bats" --formatter cat "$BATS_TEST_TMPDIR/inner.bats"
	need unshare
	unshare --pid --fork --mount-proc true 2>/dev/null || skip "no process namespaces here"
	mkdir -p "$BATS_TEST_TMPDIR/log"
	printf '%s\n' "${3//%test/@test}" >"$BATS_TEST_TMPDIR/inner.bats"
	run env -i PATH=/usr/bin:/bin LOG="$BATS_TEST_TMPDIR/log" BATS_TEST_TIMEOUT="$2" GRACE=1 \
		"$TOP/tests/suite" inner "$1" "${@:4}"
	printf "%s\n" "${lines[@]}"
}

@test "the suite's record has seconds, processes and name of each test; what a test leaves is removed before the next one ends" {
	# The program that the third test leaves behind has a child.
	# The first test starts processes when its beginning is recorded.
	suite 300 100 '%test "starts three" { until [ -s "$LOG/inner.running" ]; do :; done; /bin/true; /bin/true; /bin/true; }
%test "is skipped" { skip "no # here"; }
%test "leaves" { (setsid bash -c "sleep 1234 & wait" 3>&- >/dev/null 2>&1 &); until pgrep -fx "sleep 1234"; do :; done; }
%test "looks" {
	for _ in $(seq 100); do pgrep -fx "sleep 1234" || return 0; read -t 0.1 <> <(:) || true; done
	return 1
}'
	[ "${lines[0]}" = 1..4 ]
	[ "${lines[1]}" = 'ok 1 starts three' ]
	[ "${lines[2]}" = 'ok 2 is skipped # skip no # here' ]
	grep -qE '^[0-9]+\.[0-9]{2} ([3-9]|[1-9][0-9]) inner: starts three$' "$BATS_TEST_TMPDIR/log/inner.times"
	grep -qE '^[0-9]+\.[0-9]{2} [0-9]+ inner: is skipped$' "$BATS_TEST_TMPDIR/log/inner.times"
	[ "${lines[4]}" = 'ok 4 looks' ]
}

@test "a test that hangs, or whose program holds the output open, ends at its limit, and the next one runs" {
	local hangs
	for hangs in 'run setsid -f sleep 1000' 'trap "" ABRT; while true; do read -t 1 <> <(:) || true; done'; do
		suite 300 1 "%test 'hangs' { $hangs; }"$'\n%test "runs" { true; }'
		grep -qxF 'not ok 1 hangs # timeout after 1s' <<<"$output"
		grep -q 'ok 2 runs' <<<"$output" # on a busy machine this test may time out, too
	done
}

@test "programs are killed even if the line of their test is read after they have started" {
	local shell=$BATS_TEST_TMPDIR/bats-exec-test
	printf '%s\n' '#!/bin/bash' 'until [ -e "$LOG/inner.running" ]; do :; done' 'setsid -f sleep 1000' \
		'echo begin 1 hangs' 'kill -STOP $$' >"$shell"
	chmod +x "$shell"
	suite 100 1 '' bash -c '"$0" x' "$shell"
	grep -qxF 'not ok 1 hangs # timeout after 1s' <<<"$output"
}

@test "a failed test reports its line, also if it returns or exits" {
	local where
	for where in "load $TOP/tests/tools/common" "setup() { load $TOP/tests/tools/common; }"; do
		printf '%s\n' "$where" 'helper() { [ "$1" = 1 ]; true; }' '%test "helper" {' 'helper 1' 'helper 2' '}' \
			'%test "return" {' 'true' 'return 3' '}' '%test "exit" {' 'true' 'exit 4' '}' |
			sed 's/^%/@/' >"$BATS_TEST_TMPDIR/inner.bats"
		run bats "$BATS_TEST_TMPDIR/inner.bats"
		[ "$(grep -o ' line [0-9]*' <<<"$output" | paste -sd '')" = ' line 2 line 5 line 9 line 13' ]
	done
}

@test "a suite that is killed says which test ran" {
	suite 20 300 '%test "takes long" { trap "" ABRT; while true; do read -t 1 <> <(:) || true; done; }'
	[ "$status" -ne 0 ]
	[ "$(<"$BATS_TEST_TMPDIR/log/inner.running")" = 'inner: takes long' ]
}

# ---- choice of suites and tests ----

# of_check COMMAND...: run the command with the functions of scripts/check.
of_check() {
	bash -c '. "$0/scripts/check"; "$@"' "$TOP" "$@"
}

@test "each test of a tool is in one suite, and each day a different tenth of the files is tested with sanitizers" {
	local first second
	first=$(SEED=1 of_check tool_files)
	second=$(SEED=2 of_check tool_files)
	[ "$first" = "$(SEED=1 of_check tool_files)" ]
	[ "$(grep ^tools-san <<<"$first")" != "$(grep ^tools-san <<<"$second")" ]
	grep -q '^tools-san .*/options.bats$' <<<"$first"
	grep -q '^tools-san .*/options.bats$' <<<"$second"
	[ "$(sed -n 's/^plain-[12] //p' <<<"$first" | sort)" = "$(cd "$TOP" && of_check plain)" ]
	[ "$(sed -n 's/^tools-[a-z0-9]* //p' <<<"$first" | sort)" = "$(cd "$TOP" && of_check plain -L)" ]
}

@test "with sanitizers all suites of parsers run, and each day some of the others" {
	local first second
	first=$(SEED=1 of_check unit_suites)
	second=$(SEED=2 of_check unit_suites)
	[ "$first" = "$(SEED=1 of_check unit_suites)" ]
	[ "$first" != "$second" ]
	run of_check eval 'printf "%s\n" $PARSERS'
	[ "${#lines[@]}" -gt 15 ]
	[ -z "$(comm -23 <(sort <<<"$output") <(sort <<<"$first"))" ]
	[ "$(for i in 1 2 3 4; do SEED=$i of_check unit_suites; done | sort -u)" = "$(
		sed -n '/^#define SUITES/,/^#endif/p' "$TOP/tests/unit/suites.h" | grep -oE 'X\([a-z_]+\)' | tr -d 'X()' | sort -u)" ]
	[ "$(wc -l <<<"$first")" -lt 60 ]
}

@test "the sum is the last line, however many tests there were" {
	local i
	cd "$BATS_TEST_TMPDIR" || return
	for ((i = 0; i < 5000; i++)); do printf '%d.00 3 file: a test with a long name\n' "$i"; done >tools.times
	printf 'tools 200 5000\n' >suites
	run -0 of_check eval "LOG='$BATS_TEST_TMPDIR'; finish"
	[ "${lines[-1]}" = '0 passed, 0 failed, 0 skipped' ]
	[ "$(grep -c 'a test with a long name' <<<"$output")" -eq 20 ]
	[[ $output == *' 4999.00 '* && $output != *' 4979.00 '* ]]
}

@test "--quick runs changed tests, then tests of changed code; it knows every room, every tool and each commit" {
	run of_check tests_of <<-'END'
	lib/throttle/judge.c
	tools/throttle/main.c
	tests/tools/when.bats
	tests/unit/test_boxes.c
	END
	[ "$(paste -sd ' ' <<<"$output")" = 'when uncore-throttle throttle-disturbed starts' ]
	local path table
	cd "$TOP" || return
	table=$(of_check eval 'echo "$TESTS_OF"')
	for path in lib/*/ tools/*/; do
		[[ $table == *$'\n'"${path%/} "* ]] || { echo "nothing looks at $path"; return 1; }
	done
	for path in $(printf '%s\n' lib/*/x.c tools/*/x.c | of_check tests_of); do
		[ -e "tests/tools/$path.bats" ] || { echo "no $path"; return 1; }
	done
	run ! of_check since no-such-commit
}
