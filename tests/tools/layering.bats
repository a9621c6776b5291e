#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Which folder of lib/ may use which other one, and what the library must never do. A folder of lib/ is called a room
# here.

# bats file_tags=plain

load common
load rooms

# Known violations: beginnings of lines that a test below may print. The list is empty if there are none.
STILL='
too many functions
'

# Each ROOM, and what it may include besides its own headers, the public headers and common/; lower rooms first. A name
# with a dot is one header of a room.
ROOMS='
common
access
uarch
machine   access uarch
imc       access
names     access imc uarch machine
metrics   uarch names
encode    access imc uarch machine names
session   machine names metrics encode
counting  access uarch machine names encode session/route.h session/reading.h
perf      access machine names encode session/route.h session/reading.h
nest      access names encode imc machine session/route.h session/reading.h
throttle  access uarch machine names
handle    access uarch machine names metrics encode session counting perf nest throttle
sampling  access machine names encode imc perf
sim       access imc/tree.h perf/kernel.h encode/perf_event.h handle/simulated.h
'

setup() {
	cd "$TOP" || return
	CORE=${BIN%/*}/lib/libuncoremsr.a
	ARCHIVES=("$CORE" "${BIN%/*}"/lib/libuncoremsr-{sim,sampling}.a)
}

# nothing_of OUTPUT: fail if OUTPUT has lines that are not in STILL, and print these.
nothing_of() {
	local line still left=
	while IFS= read -r line; do
		while IFS= read -r still; do
			[[ -z $still || $line != "$still"* ]] || continue 2
		done <<<"$STILL"
		[ -z "$line" ] || left+=$line$'\n'
	done <<<"$1"
	printf '%s' "$left"
	[ -z "$left" ]
}

@test "every room includes its own headers, the public ones, and what the table allows" {
	local room rest allowed entry problems
	problems=$(
		while read -r room rest; do
			[ -n "$room" ] || continue
			allowed="uncoremsr(/[a-z_]+)?\\.h|$room/[^/]*|common/[^/]*"
			for entry in $rest; do
				case $entry in
				*.h) allowed+="|${entry//./\\.}" ;;
				*) allowed+="|$entry/[^/]*" ;;
				esac
			done
			included lib/"$room"/*.[ch] | grep -vE " ($allowed)\$" || true
		done <<<"$ROOMS"
	)
	nothing_of "$problems"
}

@test "the table names every room, and a row names only rooms above it" {
	local room rest entry seen=' '
	while read -r room rest; do
		[ -n "$room" ] || continue
		[ -d "lib/$room" ] || { echo "no room lib/$room"; return 1; }
		for entry in $rest; do
			[[ $seen == *" ${entry%%/*} "* ]] || { echo "$room knows $entry, which is not above it"; return 1; }
		done
		seen+="$room "
	done <<<"$ROOMS"
	for room in lib/*/; do
		room=${room#lib/}
		[[ $seen == *" ${room%/} "* ]] || { echo "lib/$room is not in the table"; return 1; }
	done
}

@test "the routes get the machine, not the handle" {
	nothing_of "$(included lib/counting/*.[ch] lib/perf/*.[ch] | grep ' machine/handle.h$' || true)"
}

@test "there is no circle between rooms, by headers or by calls" {
	need nm
	nothing_of "$({ include_arrows; call_arrows; } | sed -E 's,/[^ ]*,,g' | awk '$1 != $2' | sort -u | circles |
		sed 's/^/circle of rooms: /')"
}

# Includes and calls are checked separately, because a circle of an include and a call is allowed: one module declares a
# table of functions and calls the functions through it; another module defines them, and includes the header with the
# table.
@test "there is no circle between the modules of a room, by headers or by calls" {
	local arrows
	need nm
	nothing_of "$(for arrows in include_arrows call_arrows; do
		"$arrows" | awk '{ from = to = $0; sub("/.*", "", from); sub(".* ", "", to); sub("/.*", "", to) } from == to' |
			circles | sed "s/^/circle in a room (${arrows%_*}): /"
	done)"
}

@test "every file of lib is in a room, and no file has a meaningless name" {
	local empty='words|extra|extras|part|parts|rows|none|near|orders|all|misc|util|utils|helpers'
	nothing_of "$(find lib -maxdepth 1 -name '*.[ch]')"
	nothing_of "$(find lib tools -name '*.[ch]' | grep -E "[/_]($empty)(_[^/]*)?\.[ch]\$" | sort)"
}

@test "no file is included as a part of another one" {
	nothing_of "$(grep -rn 'UM_PART_' lib tools include tests --include='*.[ch]' || true)"
}

@test "a tool includes the public headers, tools/common and its own folder" {
	local tool
	nothing_of "$(for tool in tools/*/; do
		tool=${tool#tools/} tool=${tool%/}
		included tools/"$tool"/*.[ch] | grep -vE " (uncoremsr(/[a-z_]+)?\.h|common/[^/]*|$tool/[^/]*)\$" || true
	done)"
}

@test "no code parses the text of a message" {
	local look='str(n|case|ncase)?(cmp|str|chr|rchr|spn|cspn|pbrk)|memcmp|memmem|sscanf|fnmatch'
	local sentence='[>.]message\b|[>.]detail\b|hint|sentence|[>.]msg|remark'
	nothing_of "$(grep -nE "\b($look)\([^;]*($sentence)" -r lib tools --include='*.[ch]' || true)"
}

@test "the public headers stay small" {
	local header num sum=0
	for header in include/uncoremsr.h include/uncoremsr/*.h; do
		num=$(declared "$header")
		echo "$header: $num functions, $(wc -l <"$header") lines"
		sum=$((sum + num))
	done
	echo "$sum in all"
	nothing_of "$(
		num=$(declared include/uncoremsr.h)
		[ "$num" -le 65 ] || echo "too many functions in uncoremsr.h: $num"
		[ "$sum" -le 165 ] || echo "too many functions: $sum"
	)"
}

@test "every public function is called in every state of its object" {
	nothing_of "$(comm -23 \
		<(grep -ohE '\buncoremsr_[a-z0-9_]+' lib/*.map | sort -u) \
		<(sed -nE 's/^\tX\((uncoremsr_[a-z0-9_]+),.*/\1/p' tests/unit/test_states.c | sort -u) |
		sed 's/$/: no row in tests\/unit\/test_states.c/')"
}

@test "the public header includes nothing but stddef.h and stdint.h" {
	run sed -nE 's/^#[[:space:]]*include //p' include/uncoremsr.h
	echo "$output"
	[ "$output" = "$(printf '<stddef.h>\n<stdint.h>')" ]
}

@test "exactly one file writes registers" {
	run grep -lE 'ops->write[[:space:]]*\(' -r lib --include='*.c'
	echo "$output"
	[ "${#lines[@]}" -eq 1 ]
}

@test "the library does not print, exit, make threads, catch signals or read the environment" {
	local forbidden='printf|vprintf|__printf_chk|__vprintf_chk|puts|putchar|perror|stdout|stderr|err|errx'
	forbidden+='|warn|warnx|syslog|exit|_exit|quick_exit|error|pthread_create|thrd_create|fork|system'
	forbidden+='|signal|sigaction|getenv|secure_getenv|setlocale'
	need nm
	run -0 nm -A -u "${ARCHIVES[@]}"
	[ -n "$output" ]
	run grep -E " U ($forbidden)(@.*)?\$" <<<"$output"
	echo "$output"
	[ "$status" -eq 1 ]
}

@test "no symbol of the simulator or of sampling is in the core, and nothing of the core in those two" {
	need nm
	local name of='uncoremsr_(set_sim|sim_|sampling_|perf_data_)|um_(sim|sampling)_'
	nothing_of "$(nm -A "$CORE" "${CORE%.a}.so" 2>/dev/null | grep -E " ($of)" || true)"
	nothing_of "$(nm -D "${CORE%.a}.so" | grep -E " um_simulator" || true)"
	nothing_of "$(comm -12 <(nm -g --defined-only "$CORE" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u) \
		<(nm -g --defined-only "${ARCHIVES[@]:1}" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u))"
	for name in uncoremsr_sim_new uncoremsr_sampling_open; do
		nm -g --defined-only "${ARCHIVES[@]:1}" 2>/dev/null | grep -q " T $name\$"
	done
}

@test "the library has no variable of its own, only constants" {
	need nm objdump
	! nm "$CORE" 2>/dev/null | grep -q __asan_init || skip "built with sanitizers, which add symbols of their own"
	run -0 objdump -t "${ARCHIVES[@]}"
	grep -q 'O \.rodata' <<<"$output"
	run grep -E ' O (\.data|\.bss|\.tdata|\.tbss|\*COM\*)' <<<"$(grep -v 'O \.data\.rel\.ro' <<<"$output")"
	echo "$output"
	[ "$status" -eq 1 ]
}
