# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of tests/bench/run: the cost of many counters, on a machine with eight packages of 60 CHAs each.
# shellcheck shell=bash disable=SC2154,SC2317 # variables of run; functions called by name

BIG=$TMP/big

# A Sapphire Rapids with 60 CHAs of four counters in each package: 1920 counters of one PMU.
describe_big() {
	local p
	printf '%s\n' 'leaf = 0x0 0 0x0000000d 0x756e6547 0x6c65746e 0x49656e69' \
		'leaf = 0x1 0 0x000806f8 0x00400800 0x7ffefbff 0xbfebfbff' \
		'uncore = sapphirerapids' 'uncore_hz = 2000000000' 'units = cha 60'
	for p in {0..7}; do
		printf 'package = %d cores=0-1 cpus=%d-%d\n' "$p" $((2 * p)) $((2 * p + 1))
	done
	echo end
}

on_big() {
	on "$TMP/big.sim" "$BIG" "$@"
}

# cha_events N [UNIT]: print N events for all CHAs, or for CHA number UNIT.
cha_events() {
	local umasks=(0x1 0x2 0x4 0x8) list='' i
	for ((i = 0; i < $1; i++)); do
		list+="${list:+,}cha${2-}/event=0x50,umask=${umasks[i]}/"
	done
	echo "$list"
}

# start_operations_of COUNTERS PACKAGES EVENTS: print the number of register operations until all counters are started.
start_operations_of() {
	local n
	strace -f -e trace=pread64,pwrite64 -o "$TMP/strace" \
		"$TMP/library_loop" "root:$BIG" "$3" "$2" 0 sample || return
	n=$(grep -cE 'p(read|write)64\([0-9]+, "[^"]*"(\.\.\.)?, 8,' "$TMP/strace")
	awk -v n="$n" -v c="$1" 'BEGIN { printf "%d, %.1f for each counter\n", n, n / c }'
}

many_counters() {
	local row counters packages events
	local -a sizes=("8 0,1 $(cha_events 4 5)" "60 0 $(cha_events 1)" "480 0-1 $(cha_events 4)"
		"1920 0-7 $(cha_events 4)")
	local sample=("$TMP/library_loop" "root:$BIG")
	local interval=("$READ" --machine="root:$BIG" --per-unit -e "$(cha_events 4)" -i 1 --format=csv -n {})
	describe_big >"$TMP/big.sim"
	title "one sample of many counters, for each counter"
	for row in "${sizes[@]}"; do
		read -r counters packages events <<<"$row"
		measure "$counters counters: instructions above a bare pread" "below 200" "valgrind mount programs" \
			on_big above_pread per instructions 5 10 $((5 * counters)) "${sample[@]}" "$events" "$packages" {} sample
	done
	measure "8 counters: system calls" "1" "strace mount programs" \
		on_big per calls 5 10 40 "${sample[@]}" "$(cha_events 4 5)" 0,1 {} sample
	measure "1920 counters: system calls" "1" "strace mount programs" \
		on_big per calls 5 10 9600 "${sample[@]}" "$(cha_events 4)" 0-7 {} sample
	measure "480 counters: an interval of uncore-read, CSV" "" "valgrind mount" \
		on_big per instructions 1 3 960 "${interval[@]}" --packages 0-1
	measure "1920 counters: an interval of uncore-read, CSV" "the same" "valgrind mount" \
		on_big per instructions 1 3 3840 "${interval[@]}" --packages 0-7
	title "start and stop where 120 CHAs with 480 counters exist: register operations"
	measure "2 counters" "for each counter the same" "strace mount programs" \
		on_big start_operations_of 2 0,1 "$(cha_events 1 5)"
	measure "120 counters" "" "strace mount programs" on_big start_operations_of 120 0,1 "$(cha_events 1)"
	measure "480 counters" "" "strace mount programs" on_big start_operations_of 480 0,1 "$(cha_events 4)"
}
