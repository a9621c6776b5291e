# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# The function that is called reads them.
# shellcheck disable=SC2034
# Hundreds of commands, for each of which a tool is not loaded anew: tests/prestart/ask.c.

# later COMMAND [ARG...]: each_answer runs it, with this UNCOREMSR_MACHINE.
later() {
	printf '%s\0' $(($# + 1)) "UNCOREMSR_MACHINE=${UNCOREMSR_MACHINE:-live}" "$@" >>"$BATS_TEST_TMPDIR/asked"
}

# each_answer FUNCTION: run what was put off, and call FUNCTION COMMAND... with what came of it in $status, $printed
# and $message. How many they were: $tried.
each_answer() {
	local words answers at=0 num i status printed message UNCOREMSR_MACHINE
	local asked=$BATS_TEST_TMPDIR/asked ask=${BIN%/*}/tests/ask
	[ -x "$ask" ] || skip "make tests was not run"
	touch "$asked"
	mapfile -d '' -t words <"$asked"
	"$ask" <"$asked" >"$BATS_TEST_TMPDIR/answered"
	mapfile -d '' -t answers <"$BATS_TEST_TMPDIR/answered"
	: >"$asked"
	tried=$((${#answers[@]} / 3))
	for ((i = 0; at < ${#words[@]}; i += 3, at += num + 1)); do
		num=${words[at]}
		UNCOREMSR_MACHINE=${words[at + 1]#*=}
		status=${answers[i]}
		printed=${answers[i + 1]%$'\n'}
		message=${answers[i + 2]%$'\n'}
		"$1" "${words[@]:at + 2:num - 1}"
	done
	[ "$i" = "${#answers[@]}" ]
}
