# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034 # callbacks read variables that shellcheck considers unused
# Run hundreds of commands and load each tool only once: tests/prestart/ask.c.

# later COMMAND [ARG...]: queue a command, with the current UNCOREMSR_MACHINE; each_answer will run it.
later() {
	printf '%s\0' $(($# + 1)) "UNCOREMSR_MACHINE=${UNCOREMSR_MACHINE:-live}" "$@" >>"$BATS_TEST_TMPDIR/asked"
}

# each_answer FUNCTION: run the queued commands, and call FUNCTION COMMAND... for each, with its $status, its standard
# output in $printed and its standard error in $message. Sets $tried to the number of commands. On POWER, where "ask" is
# not built, the tool is loaded for each command.
each_answer() {
	local words answers=() at=0 num i status printed message machine
	local asked=$BATS_TEST_TMPDIR/asked ask=${BIN%/*}/tests/ask
	touch "$asked"
	mapfile -d '' -t words <"$asked"
	[ ! -x "$ask" ] || { "$ask" <"$asked" >"$BATS_TEST_TMPDIR/answered"; mapfile -d '' -t answers <"$BATS_TEST_TMPDIR/answered"; }
	: >"$asked"
	for ((i = 0; at < ${#words[@]}; i += 3, at += num + 1)); do
		num=${words[at]} machine=${words[at + 1]#*=}
		if [ -x "$ask" ]; then
			status=${answers[i]} printed=${answers[i + 1]%$'\n'} message=${answers[i + 2]%$'\n'}
		else
			UNCOREMSR_MACHINE=$machine run --separate-stderr env "${words[@]:at + 2:num - 1}"
			printed=$output message=$stderr
		fi
		UNCOREMSR_MACHINE=$machine "$1" "${words[@]:at + 2:num - 1}"
	done
	tried=$((i / 3))
	[ ! -x "$ask" ] || [ "$i" = "${#answers[@]}" ]
}

# asked_rows WORD...: read rows "EXPECTED | COMMAND" from standard input, and queue each COMMAND with the words WORD
# appended. The shell splits COMMAND into words. ${expected[@]} gets EXPECTED, ${commands[@]} COMMAND, and ${filters[@]}
# the filter of each row: that of the last line "jq FILTER" above it; several such lines in a row are one filter. "#
# TEXT" is a comment.
asked_rows() {
	local row words begun=
	expected=() filters=() commands=() wrong=
	while IFS= read -r row; do
		row=${row#"${row%%[![:blank:]]*}"}
		case $row in
		'' | '# '*) continue ;;
		'jq '*)
			filter=$begun${row#jq} begun=$filter
			continue
			;;
		esac
		begun=
		filters+=("${filter-}")
		commands+=("${row##*" | "}")
		expected+=("${row%" | "*}")
		eval "words=(${row##*" | "})"
		later "${words[@]}" "$@"
	done
	[ "${#expected[@]}" -gt 0 ]
}

# well_said MESSAGE: the message must not repeat a prefix, have an empty part ("; ;"), or have an unmatched bracket
# outside of quotes. It must end with a word.
well_said() {
	local brackets=$1 quoted="(^|[ (])'[^']*'" ending="[]A-Za-z0-9)'\"/%=?]\$|[.][.][.]\$"
	while [[ $brackets =~ $quoted ]]; do brackets=${brackets/"${BASH_REMATCH[0]}"/"${BASH_REMATCH[1]}"}; done
	brackets=${brackets//[^()]/}
	while [[ $brackets == *"()"* ]]; do brackets=${brackets//"()"/}; done
	[[ -z $brackets && $1 =~ $ending && ! $1 =~ (^|[:\;]\ )([^:\;]+:)\ \2\  &&
		$1 != *"(null)"* && $1 != *"; ;"* && $1 != *": ;"* && $1 != *" " ]]
}

# expect: read rows "STATUS | PATTERN [& PATTERN]... | COMMAND" from standard input and run the commands. A command must
# end with STATUS. Its output, followed by its messages, must match each PATTERN: "TEXT" must occur, "=TEXT" must be
# all, and "!TEXT" must not occur; "*" matches any text. If STATUS is 2 or ends with "!", there must be a single
# well-formed message that begins with the tool's name; only the message about a simulated machine may come in addition.
expect() {
	asked_rows
	each_answer as_expected
	[ -z "$wrong" ]
}

as_expected() {
	local said=$printed${message:+${printed:+$'\n'}$message} patterns=${expected[0]#* | } pattern glob bad=
	[ "$patterns" != "${expected[0]}" ] || patterns=
	[[ ${expected[0]%% *} == "$status"?(!) ]] || bad=status
	[[ $status != 2 && ${expected[0]%% *} != *! || ( $message == "$1: "* && $message$printed != *$'\n'* && ${printed:-SIMULATED} == SIMULATED* ) ]] ||
		bad='more than one line'
	[[ $status != 2 ]] || well_said "$message" || bad='no well-formed message'
	while [ -n "$patterns" ]; do
		pattern=${patterns%%" & "*}
		[[ $patterns == *" & "* ]] && patterns=${patterns#*" & "} || patterns=
		glob=${pattern#[=!]} glob=${glob//\\/\\\\} glob=${glob//"("/\\(} glob=${glob//"["/\\[} glob=${glob//"?"/\\?}
		# shellcheck disable=SC2053 # a pattern
		case $pattern in
		!*) [[ $said != *$glob* ]] ;;
		=*) [[ $said == $glob ]] ;;
		*) [[ $said == *$glob* ]] ;;
		esac || bad=$pattern
	done
	[ -z "$bad" ] || { wrong=1; printf '%s\n%s: not as expected: %s\nstatus %s: %s\n' "$*" "${expected[0]}" "$bad" "$status" "$said"; }
	expected=("${expected[@]:1}")
}

# told [FILTER]: run the commands of the rows "RESULT | COMMAND" on standard input with --format=json. All must succeed.
# jq applies the filter to the array of all objects that a command prints; the result must be RESULT.
told() {
	local filter=${1:-} program='' i got
	asked_rows --format=json
	each_answer as_array >"$BATS_TEST_TMPDIR/arrays"
	for i in "${!filters[@]}"; do program+="${program:+, }(\$all[$i] | ${filters[i]})"; done
	mapfile -t got < <(jq -nc "[inputs] as \$all | $program" <"$BATS_TEST_TMPDIR/arrays")
	for i in "${!expected[@]}"; do
		[ "${got[i]-}" != "${expected[i]}" ] || continue
		wrong=1
		printf '%s\n%s: not as expected: %s\n' "${commands[i]}" "${expected[i]}" "${got[i]-}"
	done
	[ -z "$wrong" ] && [ "${#got[@]}" = "${#expected[@]}" ]
}

as_array() {
	printf '[%s]\n' "${printed//$'\n'/,}"
	[ "$status" = 0 ] || { printf '%s: status %s: %s\n' "$*" "$status" "$message" >&2; return 1; }
}

# each_says TOOL: run TOOL for the rows "STATUS|LINES|MACHINE|OPTIONS|PATTERN" on standard input. MACHINE is a simulated
# machine, "root:DIR" or "live". TOOL must end with STATUS and print LINES lines ("-": any number), standard output
# first, then standard error; together they must match PATTERN, in which \n is the end of a line.
each_says() {
	local row machine options words expected wrong=
	mapfile -t expected
	[ "${#expected[@]}" -gt 0 ]
	for row in "${expected[@]}"; do
		IFS='|' read -r _ _ machine options _ <<<"$row"
		[[ $machine == live || $machine == root:* ]] || machine=sim:$machine
		read -r -a words <<<"$1 $options"
		UNCOREMSR_MACHINE=$machine later "${words[@]}"
	done
	each_answer says
	[ -z "$wrong" ]
}

says() {
	local wanted count pattern lines=() said=$printed${message:+${printed:+$'\n'}$message}
	IFS='|' read -r wanted count _ _ pattern <<<"${expected[0]}"
	[ -z "$said" ] || mapfile -t lines <<<"$said"
	# shellcheck disable=SC2053 # a pattern
	if [[ $status != "$wanted" || ${count/-/${#lines[@]}} != "${#lines[@]}" || $said != ${pattern//\\n/$'\n'} ]] ||
	   { [ "$status" = 2 ] && ! well_said "$said"; }; then
		wrong=1
		printf '%s: not as expected: %s\nstatus %s, %s lines: %s\n' "$*" "${expected[0]}" "$status" "${#lines[@]}" "$said"
	fi
	expected=("${expected[@]:1}")
}
