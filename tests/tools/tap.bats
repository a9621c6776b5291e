#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# The sum that scripts/check makes over TAP: nothing that went wrong may look like a pass.

# bats file_tags=plain

load common

# sum STATUS LINE...: what tap_sum makes of these lines and of a suite that ended with STATUS.
sum() {
	local status=$1
	shift
	printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/tap"
	# shellcheck disable=SC2016
	bash -c '. "$0/scripts/lib.bash"; tap_sum "$1" "$2"' "$TOP" "$BATS_TEST_TMPDIR/tap" "$status"
}

# last: the sum, without what is printed before it.
last() {
	printf '%s\n' "${lines[-1]}"
}

@test "passed, failed and skipped tests are counted" {
	run sum 1 1..4 'ok 1 a' 'not ok 2 b' 'ok 3 c # skip no such thing' 'ok 4 d'
	[ "$(last)" = '2 1 1' ]
}

@test "a plan at the end counts as well as one at the beginning" {
	run sum 0 'ok 1 a' 'ok 2 b' 1..2
	[ "$output" = '2 0 0' ]
}

@test "a failing test is shown with its output and the others are not" {
	run sum 1 1..3 'ok 1 a' '# quiet' 'not ok 2 b' '# because of this' 'ok 3 c' '# quiet'
	[[ $output == *'not ok 2 b'*'because of this'* ]]
	[[ $output != *quiet* ]]
}

@test "a skipped test is shown with its reason" {
	run sum 0 1..1 'ok 1 reads a register # SKIP no driver'
	[ "${lines[0]}" = '  skipped: reads a register: no driver' ]
	[ "$(last)" = '0 0 1' ]
}

@test "a suite that is skipped as a whole counts as one skipped, with the reason" {
	run sum 0 '1..0 # SKIP no emulator'
	[[ $output == *'no emulator'* ]]
	[ "$(last)" = '0 0 1' ]
}

@test "a suite without a plan has failed" {
	run sum 0 'ok 1 a'
	[[ $output == *'no plan'* ]]
	[ "$(last)" = '1 1 0' ]
}

@test "a suite that prints nothing has failed" {
	run sum 0
	[ "$(last)" = '0 1 0' ]
}

@test "a suite that plans no test and gives no reason has failed" {
	run sum 0 1..0
	[ "$(last)" = '0 1 0' ]
}

@test "a suite that ran fewer tests than planned has failed" {
	run sum 0 1..3 'ok 1 a' 'ok 2 b'
	[[ $output == *'2 of 3'* ]]
	[ "$(last)" = '2 1 0' ]
}

@test "a suite whose tests pass but that crashes has failed" {
	run sum 139 1..1 'ok 1 a'
	[[ $output == *'status 139'* ]]
	[ "$(last)" = '1 1 0' ]
}

@test "a suite that bails out has failed" {
	run sum 0 1..1 'ok 1 a' 'Bail out! no tools'
	[ "$(last)" = '1 1 0' ]
}

@test "a unit test that says it cannot run here is skipped, the others are as they were" {
	printf '%s\n' 'ok 1 - a.c:set:reads: Passed' 'ok 2 - a.c:set:reads_dumps: Passed' \
		'not ok 3 - a.c:set:writes: no' 1..3 >"$BATS_TEST_TMPDIR/tap"
	printf '%s\n' 'a remark' 'reads_dumps: skipped: no corpus' >"$BATS_TEST_TMPDIR/err"
	# shellcheck disable=SC2016
	run bash -c '. "$0/scripts/lib.bash"; cd "$1"; tap_skips tap err >marked; tap_sum marked 1' "$TOP" \
		"$BATS_TEST_TMPDIR"
	echo "$output"
	[[ $output == *'skipped: a.c:set:reads_dumps: no corpus'* ]]
	[ "$(last)" = '1 1 1' ]
}

@test "no unit test is skipped when none says so" {
	printf '%s\n' 'ok 1 - a.c:set:reads: Passed' 1..1 >"$BATS_TEST_TMPDIR/tap"
	: >"$BATS_TEST_TMPDIR/err"
	# shellcheck disable=SC2016
	run bash -c '. "$0/scripts/lib.bash"; tap_skips "$1/tap" "$1/err"' "$TOP" "$BATS_TEST_TMPDIR"
	[ "${lines[0]}" = 'ok 1 - a.c:set:reads: Passed' ]
	[ "${lines[1]}" = 1..1 ]
}

# count FILE...: how far these are.
count() {
	# shellcheck disable=SC2016
	bash -c '. "$0/scripts/lib.bash"; tap_count "$@"' "$TOP" "$@"
}

@test "a running suite is counted, with its plan where that stands at the beginning" {
	cd "$BATS_TEST_TMPDIR" || return
	printf '%s\n' 1..580 'ok 1 a' '# 1..3' 'not ok 2 b' >bats
	printf '%s\n' 'ok 1 - a' 'ok 2 - b' 1..2 >check.0
	printf '%s\n' 'ok 1 - a' >check.1
	[ "$(count "$PWD/bats" "$PWD/none")" = 2/580 ]
	[ "$(count "$PWD"/check.*)" = 3 ]
	[ "$(count "$PWD/none")" = 0 ]
}

@test "scripts/check knows its suites and refuses others" {
	run "$TOP/scripts/check" no-such-suite
	[ "$status" -eq 1 ]
	[[ $output == *"no suite 'no-such-suite'; there are: build unit tools-san tools-plain tools fuzz ppc unit-san vm lint" ]]
}
