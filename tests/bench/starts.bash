# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of tests/bench/run: the cost of starts with more than one counter, and of looking up names.
# shellcheck shell=bash disable=SC2154,SC2317 # variables of run; functions called by name
# shellcheck source=tests/tools/many_cpus.bash
. "$TOP/tests/tools/many_cpus.bash"

# session OPTION...: start a session on the tree, and wait until it counts; $pid is its process.
session() {
	local i
	"$READ" --machine="root:$TMP/tree" "$@" -i 100 >/dev/null 2>&1 &
	pid=$!
	for ((i = 0; i < 100; i++)); do
		! grep -q '^gate' "$TMP/tree/run/uncoremsr/$pid-1.journal" 2>/dev/null || break
		sleep 0.05
	done
}

# damage JOURNAL: kill a session, repair its counters, and leave its journal with each record damaged.
damage() {
	local pid kept=$TMP/kept
	session -e "$EVENTS"
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null || true
	sed 's/^old-counter 0x/old-counter 0y/' "$TMP/tree/run/uncoremsr/$pid-1.journal" >"$kept" || return
	"$BIN/uncore-doctor" --repair --machine="root:$TMP/tree" >/dev/null 2>&1 || true
	install -m 600 "$kept" "$1"
}

# Print the number of additional instructions if a start finds a damaged journal, and the number of messages about it.
damaged_journal() {
	local without with journal=$TMP/tree/run/uncoremsr/4711-1.journal
	lease_tree
	"$READ" --machine="root:$TMP/tree" "${NUMBERED[@]}" -i 0.01 -n 1 >/dev/null || return
	without=$(plain_start) && damage "$journal" || return
	with=$(plain_start) || return
	rm -f "$journal"
	numbers "$without" "$with" || return
	echo "$((with - without)), $(grep -c journal "$TMP/said") line"
}

# plain_start: print the number of instructions of a start with one counter.
plain_start() {
	starts_on "root:$TMP/tree" "${NUMBERED[@]}" -i 0.01
}

# Print the number of instructions of a plain start if the kernel has 200 PMUs that are not needed.
start_beside_pmus() {
	local i dir
	lease_tree
	umount "$TMP/tree/sys" && cp -rT "$MNT/sys" "$TMP/tree/sys" || return
	for ((i = 0; i < 200; i++)); do
		dir=$TMP/tree/sys/bus/event_source/devices/uncore_cha_$i
		mkdir -p "$dir/format" "$dir/events"
		echo $((20 + i)) >"$dir/type"
		echo 0 >"$dir/cpumask"
		echo config:0-7 >"$dir/format/event"
		echo event=0x1 >"$dir/events/clockticks"
	done
	plain_start || return
	rm -rf "$TMP/tree/sys"
	lease_tree
}

# Print the number of instructions of a plain start while 4 sessions count another event.
start_beside_sessions() {
	local i pid pids=() status=0
	lease_tree
	for i in 1 2 3 4; do
		session -e "0x82:0x$i"
		pids+=("$pid")
	done
	plain_start || status=$?
	kill "${pids[@]}"
	wait "${pids[@]}" 2>/dev/null || true
	return "$status"
}

# Print the number of instructions of a plain start if there are 4 empty journals of processes that do not exist.
start_beside_journals() {
	local i
	lease_tree
	for i in 1 2 3 4; do
		install -m 600 /dev/null "$TMP/tree/run/uncoremsr/999999999-$i.journal" || return
	done
	plain_start
}

# against_plain COMMAND...: print COMMAND's instructions and their ratio to those of plain_start.
against_plain() {
	lease_tree
	"$READ" --machine="root:$TMP/tree" "${NUMBERED[@]}" -i 0.01 -n 1 >/dev/null || return # makes the lease files
	against "$*" plain_start
}

# Print the number of instructions that linking with the library adds to an empty program.
load_instructions() {
	local with without lib=$BIN/../lib nothing='int main(void) { return 0; }'
	"${COMPILER[@]}" -o "$TMP/without" -xc - <<<"$nothing" || return
	"${COMPILER[@]}" -o "$TMP/with" -Wl,--no-as-needed -xc - -L"$lib" -luncoremsr -Wl,-rpath,"$lib" <<<"$nothing" || return
	without=$(instructions "$TMP/without") && with=$(instructions "$TMP/with") || return
	numbers "$with" "$without" && echo "$((with - without))"
}

# Print the number of addresses that the dynamic loader writes into each process.
relocations() {
	readelf -rW "$BIN/../lib/libuncoremsr.so" | grep -c RELATIVE
}

# many EVENTS: print this number of different events, which take turns.
many() {
	local i list=
	for ((i = 0; i < $1; i++)); do
		printf -v list '%s,0x%x:0x%x' "$list" $((1 + i / 255)) $((1 + i % 255))
	done
	starts_on sim:westmere-2s,clock=stepped --packages 0 -e "${list#,}" -i 60
}

per_event() {
	slope "$(many "$1")" "$(many "$2")" $(($2 - $1))
}

# Print the number of instructions of a start, with and without folders of 4,096 CPUs that are not present.
folders_beside() {
	local dir=$TMP/folders files file
	plain_tree || return
	mkdir -p "$dir/run" && cp -r "$TMP/plain/sys" "$dir" && share "$MNT" "$dir" proc || return
	(cd "$MNT" && share "$MNT" "$dir" dev/cpu/*) || return
	files=("$dir"/sys/devices/system/cpu/cpu{1000..5095})
	mkdir "${files[@]}" "$dir"/dev/cpu/{1000..5095} || return
	for file in "${files[@]}"; do
		echo 1 >"$file/online" || return
	done
	against "starts_on root:$dir ${NUMBERED[*]} -i 0.01" "starts_on root:$TMP/plain ${NUMBERED[*]} -i 0.01"
}

# Print the system calls of uncore-info per CPU, on the files of a machine with 64 CPUs and of a machine with 1,024
# CPUs.
info_calls() {
	local cpus num both=()
	for cpus in 64 1024; do
		many_cpus "$cpus" "$TMP/files-$cpus" || return
		num=$(calls "$BIN/uncore-info" --machine="root:$TMP/files-$cpus") || return
		both+=("$num" "$cpus")
	done
	numbers "${both[@]}" || return
	awk -v a="${both[0]}" -v m="${both[1]}" -v b="${both[2]}" -v n="${both[3]}" \
		'BEGIN { printf "%.1f and %.1f\n", a / m, b / n }'
}

starts() {
	local large=(explain UNC_CHA_EVENT_4329.ANY --machine="root:$TMP/lists" --event-list="$TMP/lists/list.json")
	local on_64_cpus=(on "nehalem-ex-4s,throttle=none" "$MANY" instructions)
	large_list
	title "loading libuncoremsr.so"
	measure "user-space instructions, more than libc alone" "60000 at most" "valgrind ${COMPILER[0]}" load_instructions
	measure "relative relocations" "2500 at most" readelf relocations
	title "user-space instructions of starts and looks"
	measure "a damaged journal of 16 records, more than without" "1 line" "valgrind mount" damaged_journal
	measure "one counter, beside 200 kernel PMUs" "1.1 times at most" "valgrind mount" against_plain start_beside_pmus
	measure "one counter, beside 4 sessions that count" "1.1 times at most" "valgrind mount" against_plain start_beside_sessions
	measure "one counter, beside 4 empty journals" "1.1 times at most" "valgrind mount" against_plain start_beside_journals
	measure "each event of 250 to 500 that take turns" "" valgrind per_event 250 500
	measure "each event of 1,500 to 3,000" "the same" valgrind per_event 1500 3000
	measure "two reads right after each other, 2 counters" "below 3300" "valgrind mount programs" \
		per instructions 50 150 100 "$TMP/library_loop" "root:$MNT" 0x20:0x1,0x20:0x2 0 {} verify
	measure "explain a name of the largest event list" "less than jq" "valgrind" instructions "$BIN/uncore-events" "${large[@]}"
	measure "jq on the same list" "" "valgrind jq" \
		instructions jq -c '.Events[] | select(.EventName == "UNC_CHA_EVENT_4329.ANY")' "$TMP/lists/list.json"
	measure "uncore-doctor on 64 CPUs" "twice lscpu at most" "valgrind mount" \
		"${on_64_cpus[@]}" "$BIN/uncore-doctor" --machine="root:$MANY"
	measure "uncore-info on the same" "twice lscpu at most" "valgrind mount" \
		"${on_64_cpus[@]}" "$BIN/uncore-info" --machine="root:$MANY"
	measure "lscpu on the same" "" "valgrind lscpu mount" "${on_64_cpus[@]}" lscpu --sysroot "$MANY"
	measure "start beside 4,096 CPUs that are not present" "1.1 times at most" "valgrind mount" folders_beside
	title "system calls for each CPU of 64 and of 1,024, two threads per core"
	measure "uncore-info" "6 at most" strace info_calls
}
