#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Answers that are known to be wrong: known.tsv has a command, a regular expression for what it prints today, and what is
# right. A row whose wrong answer no longer occurs fails here; it goes, and a test of the right answer takes its place.

# shellcheck disable=SC2154 # output

load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export UNCOREMSR_EVENTS=$PWD/none
	mkdir -p intel/SKX/events
	cat >intel/mapfile.csv <<-'END'
	Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
	GenuineIntel-6-55-[01234],V1,/SKX/events/uncore.json,uncore,,,
	END
	echo '[ { "EventName": "UNC_CHA_CLOCKTICKS", "Unit": "CHA", "EventCode": "0x00", "UMask": "0x00" } ]' \
		>intel/SKX/events/uncore.json
}

@test "what is known to be wrong is still wrong" {
	local command wrong right rows=0 settled=
	while IFS=$'\t' read -r command wrong right; do
		[[ -n $command && $command != '#'* ]] || continue
		[ -n "$right" ]
		rows=$((rows + 1))
		run bash -c "$command"
		[[ $output =~ $wrong ]] || settled+=$(printf '\n%s\nright: %s\nnow: %s\n' "$command" "$right" "$output")
	done <"${BATS_TEST_FILENAME%/*}/known.tsv"
	printf 'these are no longer wrong in the way that known.tsv says:\n%s\n' "$settled"
	[ -z "$settled" ]
	[ "$rows" -gt 0 ]
}
