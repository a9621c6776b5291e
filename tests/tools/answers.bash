# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# The callback reads the variables that shellcheck takes for unused.
# shellcheck disable=SC2034
# Run hundreds of commands without loading the tool anew for each of them: tests/prestart/ask.c.

# later COMMAND [ARG...]: note a command, with the current UNCOREMSR_MACHINE; each_answer will run it.
later() {
	printf '%s\0' $(($# + 1)) "UNCOREMSR_MACHINE=${UNCOREMSR_MACHINE:-live}" "$@" >>"$BATS_TEST_TMPDIR/asked"
}

# each_answer FUNCTION: run the noted commands, and call FUNCTION COMMAND... for each, with its $status, its standard
# output in $printed and its standard error in $message. Sets $tried to the number of commands.
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
