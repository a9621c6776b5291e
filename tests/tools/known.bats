#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Known wrong outputs: known.tsv has a command, a regular expression for its wrong output, and the right output. If the
# wrong output no longer occurs, the row fails here and must be replaced by a test of the right output.

# shellcheck disable=SC2154 # output

load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "defects that are listed as known still exist" {
	local command wrong right settled=
	while IFS=$'\t' read -r command wrong right; do
		[[ -n $command && $command != '#'* ]] || continue
		[ -n "$right" ]
		run bash -c "$command"
		[[ $output =~ $wrong ]] || settled+=$(printf '\n%s\nright: %s\nnow: %s\n' "$command" "$right" "$output")
	done <"${BATS_TEST_FILENAME%/*}/known.tsv"
	printf 'these are no longer wrong in the way that known.tsv says:\n%s\n' "$settled"
	[ -z "$settled" ]
}
