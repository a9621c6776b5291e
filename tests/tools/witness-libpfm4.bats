#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Compares our register words with those of libpfm4, which is independent of our code.

# bats file_tags=plain

load common

@test "every event, unit mask, modifier and filter of libpfm4 becomes the same words here" {
	local check=${BIN%/*}/tests/pfm4_check
	[ -x "$check" ] || skip "libpfm4-dev is not installed"
	run -0 "$check"
	echo "$output"
	[[ $output != *SKIP* ]] || skip "libpfm4 does not start"
	[ "${lines[-1]}" = 1..26 ]
}

@test "full names of libpfm4 are found in the vendor's lists, with libpfm4's words" {
	local check=${BIN%/*}/tests/pfm4_check
	[ -x "$check" ] || skip "libpfm4-dev is not installed"
	need_corpus perfmon/mapfile.csv
	if [ -n "${WHOLE:-}" ]; then unset SEED; else export SEED=$DAY; fi
	run -0 "$check" "$CORPUS/perfmon"
	echo "$output"
	[[ $output != *SKIP* ]] || skip "libpfm4 does not start"
	[ "${lines[-1]}" = 1..8 ]
}
