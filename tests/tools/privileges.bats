#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tools with privileges that the user does not have, privileges of COMMAND, signals that end a run, and names with
# control characters for a terminal. Attackers are real processes.

load common
load mounted
load rights
load answers

setup() {
	out=$BATS_TEST_TMPDIR/out
	trace=$BATS_TEST_TMPDIR/trace
}

teardown() {
	kill_started
	unserve
	[ -z "${copies:-}" ] || rm -rf "$copies"
}

# tame FILE...: the files must be UTF-8 and have no control characters for a terminal.
tame() {
	local file
	for file; do
		[ -s "$file" ] || { echo "$file is empty"; return 1; }
	done
	iconv -f UTF-8 -t UTF-8 "$@" >/dev/null || { echo "not UTF-8"; return 1; }
	if LC_ALL=C grep -nP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$@"; then return 1; fi
}

# ---- rights ----

@test "every tool refuses to run set-user-id or set-group-id" {
	local tools=(read info throttle) tool bit kind
	# Linking a tool takes long, so each day only one of uncore-events and uncore-doctor is linked.
	((DAY % 2)) && tools+=(events) || tools+=(doctor)
	[ -z "${WHOLE:-}" ] || tools=(read info events doctor throttle)
	make_copies "${tools[@]}"
	for tool in "${tools[@]}"; do
		for bit in 4755:user 2755:group; do
			kind=${bit#*:}
			chown root:root "$copies/uncore-$tool"
			chmod "${bit%:*}" "$copies/uncore-$tool"
			run as_nobody "$copies/uncore-$tool" --help
			[ "$status" = 4 ] || { [ "$status" = 0 ] && skip "set-id bits do not work here"; }
			[[ $output == "uncore-$tool: refuses to run set-$kind-id: "* ]]
		done
	done
}

@test "a program with raised privileges loads no simulator" {
	need setcap
	make_copies
	mkdir "$copies/lib"
	cp -P "${BIN%/*}"/lib/libuncoremsr*.so* "$copies/lib"
	chmod -R a+rX "$copies"
	cc -I"$TOP/include" -o "$copies/example" "$TOP/docs/example.c" -L"$copies/lib" -Wl,-rpath,"$copies/lib" -luncoremsr 2>/dev/null ||
		cc -fsanitize=address,undefined -I"$TOP/include" -o "$copies/example" "$TOP/docs/example.c" -L"$copies/lib" \
			-Wl,-rpath,"$copies/lib" -luncoremsr
	run -0 as_nobody "$copies/example" sim:nehalem-1s,clock=stepped
	setcap cap_sys_rawio+ep "$copies/example" 2>/dev/null || skip "no file capabilities here"
	run -4 as_nobody "$copies/example" sim:nehalem-1s,clock=stepped
	[ "${#lines[@]}" = 1 ]
	[[ $output == *"raised privileges"* ]]
	# A program with raised privileges does not accept a tree of files as its machine, either.
	run -4 as_nobody "$copies/example" root:/
	[[ $output == *"not for a program with raised privileges"* ]]
}

@test "files that users name are opened with their rights, whatever capabilities the tool has" {
	capable cap_sys_rawio,cap_dac_override,cap_dac_read_search,cap_fowner,cap_chown+ep read \
		throttle info
	local secret=$BATS_TEST_TMPDIR/secret
	chmod 755 "$BATS_RUN_TMPDIR" "$BATS_TEST_TMPDIR"
	printf '[{"EventName":"SECRET","EventCode":"0x1"}]\n' >"$secret"
	chmod 600 "$secret"
	run ! as_nobody "$copies/uncore-read" --machine=sim:westmere-2s --event-list="$secret" -e SECRET
	[[ $output == *"Permission denied"* ]]
	run as_nobody "$copies/uncore-info" --cpuid="$secret"
	[[ $output == *"Permission denied"* ]]
	run ! as_nobody "$copies/uncore-read" --machine="sim:$secret" -e 0x9:1
	run -4 as_nobody "$copies/uncore-throttle" --machine=sim:westmere-2s -i 0.1 -n 1 --output="$secret"
	[[ $output == *"Permission denied"* ]]
	[ "$(cat "$secret")" = '[{"EventName":"SECRET","EventCode":"0x1"}]' ]
}

@test "a tool with capabilities ignores files that environment variables name" {
	capable cap_sys_rawio+ep read
	local name
	mkdir "$BATS_TEST_TMPDIR/tree"
	# If the tool read UNCOREMSR_MACHINE, its message would be different.
	UNCOREMSR_MACHINE=root:$BATS_TEST_TMPDIR/tree run as_nobody "$copies/uncore-read" -e 0x9:1
	[[ $output != *"$BATS_TEST_TMPDIR"* ]]
	UNCOREMSR_EVENTS=$BATS_TEST_TMPDIR/tree run as_nobody "$copies/uncore-read" \
		--machine=sim:westmere-2s -e 0x9:1 --verbose
	[[ $output != *"$BATS_TEST_TMPDIR"* ]]
	run -4 as_nobody "$copies/uncore-read" --machine="root:$BATS_TEST_TMPDIR/tree" -e 0x9:1
}

# ---- COMMAND ----

@test "COMMAND has no capability that its user did not have" {
	capable cap_sys_rawio+ep read
	run -0 --separate-stderr as_nobody "$copies/uncore-read" --machine=sim:westmere-2s -e 0x9:1 \
		--format=csv -- grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status
	[ "$(grep -c '^Cap.*0000000000000000$' <<<"$output")" = 4 ]
}

@test "COMMAND has the descriptors, the signals and the environment of its user, and no more" {
	local tool
	serve westmere-2s,clock=stepped
	# Print what a command inherits; compare that with a command that the shell starts without our tool.
	cat >"$BATS_TEST_TMPDIR/show" <<-'END'
	ls /proc/self/fd | wc -l
	readlink /proc/self/fd/* | grep -v -e '^pipe:' -e '^/proc/'
	grep -E '^(Sig(Blk|Ign|Cgt)|Cap|NoNewPrivs|Seccomp):?' /proc/self/status
	grep -E '^(Sig(Ign|Cgt)|Cap)' /proc/$$/status
	ulimit -a
	env | grep -v -e '^_=' -e '^SHLVL=' | sort
	END
	for tool in "uncore-read -e 0x9:1,0x3:1 --format=csv" "uncore-throttle"; do
		sh "$BATS_TEST_TMPDIR/show" </dev/null >"$out" 2>/dev/null 3>&-
		$tool --machine="root:$MNT" -- sh -c "exec sh '$BATS_TEST_TMPDIR/show' >'$out.under' 2>/dev/null" \
			</dev/null >/dev/null 2>&1 3>&- || true
		diff "$out" "$out.under"
	done
	# A closed stream stays closed for COMMAND.
	uncore-read --machine="root:$MNT" -e 0x9:1 -- sh -c 'ls /proc/self/fd >"$0"' "$out" <&- 3>&- >/dev/null
	sh -c 'ls /proc/self/fd >"$0"' "$out.alone" <&- 3>&-
	diff "$out" "$out.alone"
}

# ---- signals ----

ENDING="HUP INT QUIT ABRT ALRM TERM USR1 USR2 XCPU XFSZ VTALRM PROF IO PWR STKFLT RTMIN RTMAX"

@test "a signal that ends uncore-read or uncore-throttle puts the registers back first" {
	local name status wanted tool
	ulimit -c 0
	serve westmere-2s
	remember
	for tool in "uncore-read -e 0x9:1,0x82:1 -i 0.05" "uncore-throttle -i 0.05"; do
		for name in $ENDING; do
			drawn 8 || continue
			# shellcheck disable=SC2086 # several words
			background $tool --machine="root:$MNT" >/dev/null 2>&1
			programmed
			kill -"$name" "$pid"
			status=0
			wait "$pid" || status=$?
			wanted=$((128 + $(kill -l "$name")))
			[ "$name" != INT ] || wanted=$status
			[ "$status" = "$wanted" ] || { echo "$tool $name: status $status"; return 1; }
			same || { echo "$tool $name"; return 1; }
		done
	done
}

@test "signals that were ignored stay ignored" {
	local name
	background env --ignore-signal=ALRM,USR1,XFSZ,PROF uncore-read --machine=sim:westmere-2s -e 0x9:1 -i 0.1 >"$out" 2>&1
	wait_for "$out" 'package 0'
	for name in ALRM USR1 XFSZ PROF; do kill -"$name" "$pid"; done
	: >"$out"
	wait_for "$out" 'package 0'
	kill -TERM "$pid"
	ends_with 143
}

# ---- uncore-throttle --clear ----

# logged: mount a machine whose log bits say that it was throttled.
logged() {
	serve haswell-ep-2s,throttle=none,throttle='vr-thermal for=0.1',throttle='prochot-external for=0.1'
	sleep 0.3
}

@test "--clear: cleared bits are reported and saved even if standard output is gone" {
	logged
	run -3 bash -c "uncore-throttle --machine='root:$MNT' --clear 2>&1 >/dev/full"
	echo "$output"
	[[ $output == *"uncore-throttle: CPU 0: "*" was 0x"*": cleared "* ]]
	[[ $output == *"uncore-throttle: standard output: No space left on device"* ]]
	[ -s "$MNT/run/uncoremsr/throttle-cleared" ]
	unserve
	logged
	# Open a pipe whose reader has ended.
	mkfifo "$BATS_TEST_TMPDIR/pipe"
	exec 4<>"$BATS_TEST_TMPDIR/pipe"
	exec 5>"$BATS_TEST_TMPDIR/pipe" 4>&-
	status=0
	uncore-throttle --machine="root:$MNT" --clear 2>"$trace" >&5 || status=$?
	exec 5>&-
	[ "$status" = 3 ]
	grep -q '^uncore-throttle: CPU 0: .*: cleared ' "$trace"
	run ! grep -q 'standard output' "$trace"
	[ -s "$MNT/run/uncoremsr/throttle-cleared" ]
}

# unread WAY BEGUN COMMAND...: run the command with its output (WAY "out") or messages ("err") into descriptor 4, a full
# pipe that nobody reads. When BEGUN succeeds, SIGTERM must end it.
unread() {
	case $1 in
	out) background "${@:3}" >&4 ;;
	err) background "${@:3}" >/dev/null 2>&4 ;;
	esac
	wait_until "$2"
	sleep 0.5
	is_alive "$pid"
	kill -TERM "$pid"
	wait_while is_alive "$pid"
	ends_with 143
}

has_begun() {
	grep -q " $pid " "$LOG"
}

has_cleared() {
	grep -q '^cpu ' "$MNT/run/uncoremsr/throttle-cleared"
}

@test "a reader that does not read output or trace blocks neither a signal nor --clear: registers are put back" {
	mkfifo "$BATS_TEST_TMPDIR/full"
	exec 4<>"$BATS_TEST_TMPDIR/full"
	dd if=/dev/zero bs=4096 of="$BATS_TEST_TMPDIR/full" oflag=nonblock 2>/dev/null 3>&- || true
	serve westmere-2s,clock=real
	remember
	unread out programmed uncore-read --machine="root:$MNT" -i 0.05 -e 0x82:1
	same
	unread out programmed uncore-throttle --machine="root:$MNT" -i 0.05
	same
	unread err has_begun uncore-read --machine="root:$MNT" --trace -e 0x82:1 -i 0.05
	same
	unserve
	logged
	unread out has_cleared uncore-throttle --machine="root:$MNT" --clear
	unserve
	logged
	unread err has_begun uncore-throttle --machine="root:$MNT" --clear --trace
	has_cleared
	exec 4>&-
}

@test "--clear: if the state cannot be saved, that is an error, shown after the cleared bits, and messages name the output" {
	logged
	echo full >"$MNT/sim/run"
	run -3 --separate-stderr uncore-throttle --machine="root:$MNT" --clear
	echo "$output $stderr"
	[[ $stderr == *"run/uncoremsr/throttle-cleared could not be written: No space left on device"* ]]
	[[ $output == *": cleared "* ]]
	[ -z "$(compgen -G "$MNT/run/uncoremsr/throttle-cleared*")" ]
	run -3 uncore-throttle --machine=sim:westmere-2s -i 0.1 -n 1 --output=/dev/full
	[ "$output" = "uncore-throttle: --output: /dev/full: No space left on device" ]
}

# ---- limits ----

# bats test_tags=plain
@test "a lack of descriptors is never reported as another cause, in any tool at any limit" {
	local n tool enough said=$BATS_TEST_TMPDIR/said
	mkdir "$said"
	serve westmere-2s,clock=stepped
	for tool in "uncore-read -e 0x9:1,0x3:1" "uncore-info" "uncore-doctor" "uncore-events list" \
		    "uncore-throttle" "uncore-doctor --leases" "uncore-doctor --repair"; do
		enough=0
		for n in {3..40}; do
			drawn 8 || continue
			# shellcheck disable=SC2086
			( exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
			  ulimit -n "$n"; exec $tool --machine="root:$MNT" ) \
				>"$said/$tool, $n descriptors" 2>&1 </dev/null && enough=$((enough + 1)) || enough=0
			# If the tool has succeeded with three limits in a row, higher limits are not tried.
			[ "$enough" -lt 3 ] || break
		done
	done
	run grep -rE 'no online CPU|neither CPUID|is in no table|No such file|not loaded|not a list' "$said"
	[ "$status" = 1 ] || { echo "$output"; return 1; }
}

@test "a lack of descriptors is no missing library" {
	run -3 bash -c "exec 3>&- 4>&- 5>&-; ulimit -n 4
		uncore-read --machine=sim:westmere-2s -e cycles -n 1 -o '$BATS_TEST_TMPDIR/out'"
	[[ $output == *"libuncoremsr-sim"*": Too many open files; raise the limit on open files"* ]]
}

# beside FOLDER: copy libuncoremsr.so from $lib to FOLDER, and uncore-read as FOLDER/read, which loads it from there.
beside() {
	lib=${BIN%/*}/lib
	mkdir -p "$1"
	cp -P "$lib"/libuncoremsr.so* "$1"
	cp "$BIN/uncore-read" "$1/read"
}

@test "simulated machines are loaded from the folder of the library, from nowhere else, and from the same release" {
	need cc
	local lib here=$BATS_TEST_TMPDIR/here
	beside "$here"
	local read=(env -i "LD_LIBRARY_PATH=$here:$lib" "$here/read" "--machine=sim:westmere-2s,clock=stepped" -e 0x82:0x1)
	cd "$lib"
	run -3 "${read[@]}"
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *"$here/libuncoremsr-sim.so.0"*libuncoremsr-sim0* ]]
	cp "$lib/libuncoremsr-sim.so.0" "$here"
	run -0 "${read[@]}"
	# The simulator is also found if LD_LIBRARY_PATH is relative and the program is started from elsewhere.
	cd "$BATS_TEST_TMPDIR"
	run -0 env -i LD_LIBRARY_PATH=here "${read[@]:2}"
	echo 'const int um_simulator = 1;' >other.c
	echo 'UNCOREMSR_PRIVATE_9.9.9 { global: um_simulator; local: *; };' >other.map
	cc -shared -fPIC -Wl,--version-script=other.map -o "$here/libuncoremsr-sim.so.0" other.c
	run -3 "${read[@]}"
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *"$here/libuncoremsr-sim.so.0: "*"UNCOREMSR_PRIVATE_$(pkg-config --modversion "$lib/libuncoremsr.pc"); "*"of the same release"* ]]
}

@test "what reads JSON event lists and flat device trees is loaded from the folder of the library" {
	local lib here=$BATS_TEST_TMPDIR/here list=$BATS_TEST_TMPDIR/list.json tree=$BATS_TEST_TMPDIR/c.dtb
	local events=(env -i "LD_LIBRARY_PATH=$here" "$BIN/uncore-events" --uarch=westmere)
	beside "$here"
	echo '[{"EventName": "UNC_ONE", "Unit": "CBO", "EventCode": "0x34", "UMask": "0x1", "BriefDescription": "one"}]' >"$list"
	printf '\xd0\x0d\xfe\xed' >"$tree"
	cd "$lib"
	run -3 "${events[@]}" list --event-list="$list"
	[[ ${#lines[@]} = 1 && $output == *"JSON event lists"*"$here/libuncoremsr-lists.so.0"* ]]
	run -3 "${events[@]}" list --event-list="$tree"
	[[ ${#lines[@]} = 1 && $output == *"flat device trees"*"$here/libuncoremsr-lists.so.0"* ]]
	cp "$lib/libuncoremsr-lists.so.0" "$here"
	run -0 "${events[@]}" list --event-list="$list"
	[[ $output == *UNC_ONE* ]]
	run "${events[@]}" list --event-list="$tree"
	[[ $status != 0 && ${#lines[@]} = 1 && $output == *damaged* ]]
}

@test "a very long list of CPUs is read, or refused with a message" {
	local tree=$BATS_TEST_TMPDIR/tree online
	mkdir -p "$tree/sys/devices/system/cpu"
	online=$tree/sys/devices/system/cpu/online
	seq -s, 0 2 999998 >"$online"
	run -3 timeout 60 uncore-info --machine="root:$tree"
	[[ $output == *"/online: longer than any list that a kernel writes"* ]]
	# Ten times as many CPUs as a kernel supports (8192): the run time must be proportional to the number of CPUs.
	echo 0-81919 >"$online"
	run -0 timeout 60 uncore-info --machine="root:$tree"
	seq -s, 0 2 18000 >"$online"
	run timeout 60 uncore-info --machine="root:$tree"
	[[ $output == *"online CPUs  0,2,4,"* ]]
}

# ---- names ----

# keep_answer COMMAND...: write the output of each command to its own file, whose name says whether it is JSON.
keep_answer() {
	local format=text
	[[ "$*" != *--format=json* ]] || format=json
	kept=$((${kept:-0} + 1))
	[ -n "$printed$message" ]
	printf '%s\n' "$printed" "$message" >"$out.$format.$kept"
}

# hostile_list: write an event list with control characters for a terminal, also in its file name.
hostile_list() {
	list=$BATS_TEST_TMPDIR/$'li\nst\e[1m\xff.json'
	printf '%s' '[{"EventName":"A\u001b[31mB","EventCode":"0x1","UMask":"0x1","Unit":"U\u001bN",
		"BriefDescription":"x\u001b]0;title\u0007y\nsecond\u009bz","PublicDescription":"p\u001b[2Jq"},
		{"EventName":"NEW\nLINE","EventCode":"0x2","BriefDescription":"ok\rno"},
		{"EventName":"GOOD","EventCode":"0x3","UMask":"0x1","BriefDescription":"d\u001b[1m\nfoo"}]' >"$list"
}

@test "event lists: names, descriptions and paths send no control characters to a terminal, in any format" {
	hostile_list
	need iconv jq
	local format command name=$'A\e[31mB'
	for format in text csv json; do
		for command in "list" "list --from=list" "explain GOOD" "encode GOOD"; do
			# shellcheck disable=SC2086
			later uncore-events --machine=sim:westmere-2s --event-list="$list" --format="$format" $command
		done
		later uncore-events --machine=sim:westmere-2s --event-list="$list" --format="$format" explain "$name" $'NEW\nLINE'
		later uncore-read --machine=sim:westmere-2s,clock=stepped --event-list="$list" --format="$format" \
			-e GOOD -e $'NEW\nLINE' -e "$name" --verbose
	done
	each_answer keep_answer
	[ "$tried" = 18 ]
	tame "$out".*.*
	grep -h '^{' "$out".json.* | jq -e . >/dev/null
	uncore-events --machine=sim:westmere-2s --event-list="$list" list >"$out"
	grep -qF 'NEW\nLINE ' "$out"
	grep -qF 'd\033[1m\nfoo' "$out"
	# No line may begin with text that follows a newline in a name.
	run ! grep -E '^(LINE|foo|second)' "$out"
	uncore-events --machine=sim:westmere-2s --event-list="$list" --format=json list >"$out"
	[ "$(jq -r 'select(.name == "NEW\nLINE") | .description' "$out")" = $'ok\rno' ]
}

@test "PMUs and paths of a tree send no control characters to a terminal" {
	need iconv jq
	local tree=$BATS_TEST_TMPDIR/$'t\nree\e[1m' pmu tool format
	mkdir -p "$tree/sys/devices/system/cpu" "$tree/proc"
	echo 0 >"$tree/sys/devices/system/cpu/online"
	for pmu in $'uncore_\e[31m' $'uncore_a\nb' $'uncore_\xff\xfe' $'uncore_\xc2\x9b'; do
		mkdir -p "$tree/sys/bus/event_source/devices/$pmu/"{events,format}
		echo 17 >"$tree/sys/bus/event_source/devices/$pmu/type"
		echo 0 >"$tree/sys/bus/event_source/devices/$pmu/cpumask"
		printf 'config:0-7\n' >"$tree/sys/bus/event_source/devices/$pmu/format/event"
		printf 'event=\e[1m\n' >"$tree/sys/bus/event_source/devices/$pmu/events/"$'ev\e]0;t\a'
	done
	for format in text csv json; do
		for tool in "uncore-info" "uncore-info --kernel" "uncore-events list" "uncore-doctor" \
			    "uncore-read -e 0x9:1" "uncore-throttle"; do
			# shellcheck disable=SC2086
			later $tool --machine="root:$tree" --format="$format" --verbose
		done
	done
	each_answer keep_answer
	[ "$tried" = 18 ]
	tame "$out".*.*
	grep -h '^{' "$out".json.* | jq -e . >/dev/null
	uncore-read --machine="root:$tree/none" -e 0x9:1 >"$out" 2>&1 || true
	tame "$out"
	[ "$(wc -l <"$out")" = 1 ]
}

@test "in JSON each byte that is not UTF-8 becomes one replacement character; valid characters stay" {
	need jq iconv
	# Valid characters of several bytes; then truncated, overlong, surrogate and too large ones.
	printf '[{"EventName":"GOOD","EventCode":"0x3","BriefDescription":"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"}]' \
		>"$BATS_TEST_TMPDIR/list.json"
	uncore-events --machine=sim:westmere-2s --event-list="$BATS_TEST_TMPDIR/list.json" --format=json list |
		grep '"GOOD"' >"$out"
	[ "$(jq -r .description "$out")" = $'\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80' ]
	run -2 uncore-read -e $'\xc0\xaf' extra $'\xed\xa0\x80\xf5\xe2\x82'
	[[ $output != *$'\xc0'* ]]
}

@test "the tool's own control sequences still reach a terminal" {
	need script
	script -qec "$BIN/uncore-read --machine=sim:westmere-2s -e 0x9:1 -i 0.1 -n 2" /dev/null >"$out" </dev/null
	grep -q $'\e\\[K' "$out"
	run ! grep -qF '\033' "$out"
}

# ---- leftovers ----

@test "a mount removes the temporary directory of a killed mount, but none that is in use" {
	need_fuse
	local other=$BATS_TEST_TMPDIR/other
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR" "$other"
	mkdir "$TMPDIR/uncore-sim-mount.nobody" "$TMPDIR/foreign"
	# A directory that a killed mount left empty, and one with a file of another program.
	mkdir "$TMPDIR/uncore-sim-mount.empty" "$TMPDIR/uncore-sim-mount.full"
	touch "$TMPDIR/uncore-sim-mount.full/file"
	touch -d '2 minutes ago' "$TMPDIR/uncore-sim-mount.empty" "$TMPDIR/uncore-sim-mount.full"
	background uncore-sim mount westmere-2s "$other" >"$out"
	wait_for "$out" 'until interrupted'
	echo 1 >"$other/run/uncoremsr/left"
	stop "$pid"
	umount -l "$other" 2>/dev/null || fusermount3 -u -z "$other"
	[ "$(find "$TMPDIR" -name left | wc -l)" = 1 ]
	serve westmere-2s
	echo 2 >"$MNT/run/uncoremsr/used"
	[ "$(find "$TMPDIR" -name left | wc -l)" = 0 ]
	[ "$(find "$TMPDIR" -mindepth 1 -maxdepth 1 | wc -l)" = 4 ]
	[ ! -e "$TMPDIR/uncore-sim-mount.empty" ]
	uncore-sim mount westmere-2s "$other" --daemon
	[ "$(cat "$MNT/run/uncoremsr/used")" = 2 ]
	umount "$other" 2>/dev/null || fusermount3 -u "$other"
	[ -d "$TMPDIR/foreign" ]
}
