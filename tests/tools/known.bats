#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Answers that are known to be wrong: known.tsv has a command, a regular expression for what it prints today, and what is
# right. A row whose wrong answer no longer occurs fails here; it goes, and a test of the right answer takes its place.

# shellcheck disable=SC2154 # output

load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "what is known to be wrong is still wrong" {
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
