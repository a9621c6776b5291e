#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck disable=SC2030,SC2031,SC2154 # "run" sets the variables that it answers with

bats_require_minimum_version 1.5.0

setup() {
	load common
	load mounted
}

teardown() {
	unserve
}

# ---- list ----

@test "list shows the ready machines with a title each" {
	run uncore-sim list
	[ "$status" = 0 ]
	for name in westmere-2s nehalem-1s westmere-2s-holes sandybridge-1s; do
		grep -E "^$name +[A-Za-z0-9]" <<<"$output"
	done
}

@test "list speaks JSON, one object per line, and CSV with a header" {
	run uncore-sim list --format=json
	[ "$status" = 0 ]
	grep -qE '^\{"name":"westmere-2s","title":".+"\}$' <<<"$output"
	run uncore-sim --format=csv list
	[ "${lines[0]}" = "name,title" ]
	grep -q '^westmere-2s,' <<<"$output"
}

@test "list says so when standard output cannot be written" {
	run bash -c 'uncore-sim list >/dev/full'
	[ "$status" = 1 ]
	[[ $output == "uncore-sim: standard output: "* ]]
}

# ---- run ----

@test "run gives the command its machine in the environment and passes its exit status on" {
	run uncore-sim run westmere-2s,seed=7 -- bash -c 'echo "$UNCOREMSR_MACHINE"; exit 42'
	[ "$status" = 42 ]
	[ "$output" = "sim:westmere-2s,seed=7" ]
}

@test "run hands options behind the command to the command" {
	run uncore-sim run westmere-2s -- echo --format=json -x
	[ "$status" = 0 ]
	[ "$output" = "--format=json -x" ]
}

@test "run answers 127 for a command that is not there and 126 for one that cannot be run" {
	run -127 uncore-sim run westmere-2s -- /nonexistent/command
	[[ $output == "uncore-sim: /nonexistent/command: "* ]]
	run uncore-sim run westmere-2s -- /etc/passwd
	[ "$status" = 126 ]
	[ "${#lines[@]}" = 1 ]
}

@test "run refuses an unknown machine before the command starts" {
	run uncore-sim run no-such-machine -- touch "$BATS_TEST_TMPDIR/ran"
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == "uncore-sim: "*no-such-machine*westmere-2s*nehalem-1s* ]]
	[ ! -e "$BATS_TEST_TMPDIR/ran" ]
}

@test "run refuses a parameter that makes no sense, and names it" {
	run uncore-sim run westmere-2s,seed=0x8z -- true
	[ "$status" = 2 ]
	[[ $output == *0x8z* ]]
	run uncore-sim run westmere-2s,nonsense=1 -- true
	[ "$status" = 2 ]
	[[ $output == *nonsense* ]]
}

# ---- bad command lines ----

# refused: each line of standard input as arguments ends with status 2 and one line on stderr.
refused() {
	while read -r -a words; do
		run --separate-stderr uncore-sim "${words[@]}"
		echo "${words[*]}: $status: $stderr"
		[ "$status" = 2 ]
		[ -z "$output" ]
		[ "${#stderr_lines[@]}" = 1 ]
		[[ $stderr == "uncore-sim: "* ]]
	done
}

@test "a command line that makes no sense gets one line and status 2" {
	refused <<-'END'

		frobnicate
		list westmere-2s
		list -- true
		list --log=x
		run
		run westmere-2s
		run westmere-2s --
		run westmere-2s extra -- true
		run westmere-2s --daemon -- true
		mount
		mount westmere-2s
		mount westmere-2s /tmp extra
		mount westmere-2s /tmp extra more
		mount westmere-2s /tmp -- true
		mount westmere-2s /tmp --format=json
		mount westmere-2s --log
		mount westmere-2s /tmp --machine=live
		--no-such-option list
	END
}

@test "mount refuses a machine or a directory that is not there" {
	need_fuse
	refused <<-'END'
		mount no-such-machine /tmp
		mount westmere-2s,seed=x /tmp
		mount westmere-2s /nonexistent/directory
		mount westmere-2s /etc/passwd
	END
}

@test "help goes to standard output and names every option" {
	run --separate-stderr uncore-sim --help
	[ "$status" = 0 ]
	[ -z "$stderr" ]
	for option in --log --daemon --allow-other --machine --format --verbose --help --version; do
		grep -q -- "$option" <<<"$output"
		grep -q -- "$(sed 's/^--/Fl Fl /' <<<"$option")" "$TOP/docs/man/uncore-sim.1"
	done
}

@test "mount says that the directory is missing, or is none" {
	need_fuse
	run uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR/none"
	[ "$status" = 2 ]
	[[ $output == *"/none: No such file or directory; "* ]]
	touch "$BATS_TEST_TMPDIR/file"
	run uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR/file"
	[ "$status" = 2 ]
	[[ $output == *"/file: "*[Nn]"ot a directory"* ]]
}

@test "mount says that the log cannot be written, also as a daemon, and leaves no mount" {
	need_fuse
	mkdir "$BATS_TEST_TMPDIR/dir"
	for daemon in "" --daemon; do
		# shellcheck disable=SC2086
		run uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR/dir" --log=/nonexistent/log $daemon
		[ "$status" = 2 ]
		[ "${#lines[@]}" = 1 ]
		[[ $output == *"/nonexistent/log: cannot write the log: "* ]]
		run ! mountpoint -q "$BATS_TEST_TMPDIR/dir"
	done
}

@test "mount without /dev/fuse answers 4 and says what to do" {
	need_witness
	mkdir "$BATS_TEST_TMPDIR/dir"
	run "$TOP/tests/tools/private-mounts" bash -ec '
		mount --bind "$1" /dev
		uncore-sim mount westmere-2s "$1"' _ "$BATS_TEST_TMPDIR/dir"
	[ "$status" = 4 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == "uncore-sim: /dev/fuse: "*"modprobe fuse"* ]]
}

@test "mount by somebody whom /dev/fuse does not let in answers 4" {
	need_fuse
	need setpriv
	[ "$(id -u)" = 0 ] || skip "not root"
	[ "$(stat -c %a /dev/fuse)" = 600 ] || skip "/dev/fuse is for everybody here"
	# The project may lie where nobody else can look, such as in /root.
	local copy
	copy=$(mktemp -d)
	mkdir "$copy/bin" "$copy/lib"
	cp "$BIN/uncore-sim" "$copy/bin"
	cp -P "${BIN%/*}"/lib/libuncoremsr.so* "$copy/lib"
	chmod -R a+rX "$copy"
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$copy/bin/uncore-sim" mount westmere-2s /tmp
	rm -r "$copy"
	[ "$status" = 4 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == "uncore-sim: /dev/fuse: Permission denied; become root, "* ]]
}

# ---- mount: coming and going ----

@test "mount stays in the foreground and unmounts itself at each of the three signals" {
	need_fuse
	mkdir "$BATS_TEST_TMPDIR/dir"
	for signal in INT TERM HUP; do
		env --default-signal=INT uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR/dir" \
			>"$BATS_TEST_TMPDIR/out" 3>&- &
		server=$!
		for _ in {1..100}; do
			[ ! -s "$BATS_TEST_TMPDIR/out" ] || break
			sleep 0.05
		done
		grep -q "SIMULATED machine westmere-2s at $BATS_TEST_TMPDIR/dir" "$BATS_TEST_TMPDIR/out"
		[ -e "$BATS_TEST_TMPDIR/dir/dev/cpu/0/msr" ]
		kill -s "$signal" "$server"
		wait "$server"
		run ! mountpoint -q "$BATS_TEST_TMPDIR/dir"
		rm "$BATS_TEST_TMPDIR/out"
	done
}

@test "a daemon serves when the command returns, holds no descriptor, and ends when unmounted" {
	need_fuse
	serve westmere-2s
	[ -e "$MNT/dev/cpu/0/msr" ]
	server=$(pgrep -f "uncore-sim mount westmere-2s $MNT --daemon")
	[ "$(readlink "/proc/$server/fd/1")" = /dev/null ]
	[ "$(readlink "/proc/$server/cwd")" = / ]
	umount "$MNT" || fusermount3 -u "$MNT"
	# Where nobody collects orphans it stays as a zombie.
	for _ in {1..100}; do
		[ -d "/proc/$server/fd/" ] && [ -e "/proc/$server/exe" ] || break
		sleep 0.05
	done
	[ ! -e "/proc/$server/exe" ]
}

@test "a directory whose server was killed is refused with the way out" {
	need_fuse
	serve westmere-2s
	kill -KILL "$(pgrep -f "uncore-sim mount westmere-2s $MNT --daemon")"
	for _ in {1..100}; do
		[ -e "$MNT/dev" ] || break
		sleep 0.05
	done
	run uncore-sim mount westmere-2s "$MNT"
	[ "$status" = 2 ]
	[[ $output == *"fusermount3 -u"* ]]
	umount "$MNT" || fusermount3 -u "$MNT"
}

# ---- mount: the devices ----

# peek FILE POSITION BYTES: one pread, as hexadecimal
peek() {
	dd if="$1" bs="$3" count=1 skip="$2" iflag=skip_bytes status=none | od -An -v -tx1 | tr -d ' \n'
}

# poke FILE POSITION HEX: one pwrite
poke() {
	# shellcheck disable=SC2059
	printf "$(sed 's/../\\x&/g' <<<"$3")" |
		dd of="$1" bs=512 seek="$2" oflag=seek_bytes conv=notrunc iflag=fullblock status=none
}

@test "a read of 8*k bytes reads the same register k times" {
	need_fuse
	serve westmere-2s
	poke "$MNT/dev/cpu/0/msr" $((0x3c2)) 8301420000000000
	[ "$(peek "$MNT/dev/cpu/0/msr" $((0x3c2)) 8)" = 8301400000000000 ]
	[ "$(peek "$MNT/dev/cpu/0/msr" $((0x3c2)) 24)" = \
		830140000000000083014000000000008301400000000000 ]
	[ "$(grep -c ' 0 rd 0x3c2 0x400183 ok$' "$LOG")" = 4 ]
}

@test "a write of 8*k bytes writes the same register k times" {
	need_fuse
	serve westmere-2s
	poke "$MNT/dev/cpu/0/msr" $((0x3c2)) 01004000000000000200400000000000
	[ "$(peek "$MNT/dev/cpu/0/msr" $((0x3c2)) 8)" = 0200400000000000 ]
	[ "$(grep -c ' 0 wr 0x3c2 ' "$LOG")" = 2 ]
	[ "$(peek "$MNT/dev/cpu/0/msr" $((0x3c3)) 8)" = 0000000000000000 ]
}

@test "a size that is not a multiple of 8 is invalid, and reaches no register" {
	need_fuse
	serve westmere-2s
	for size in 1 4 7 9 12; do
		run peek "$MNT/dev/cpu/0/msr" $((0x3c2)) "$size"
		[[ $output == *"Invalid argument"* ]]
	done
	run poke "$MNT/dev/cpu/0/msr" $((0x3c2)) 01020304
	[[ $output == *"Invalid argument"* ]]
	[ ! -s "$LOG" ]
}

@test "a register that does not exist, and a reserved bit, are input/output errors" {
	need_fuse
	serve westmere-2s
	run peek "$MNT/dev/cpu/0/msr" $((0x3d0)) 8
	[[ $output == *"Input/output error"* ]]
	run poke "$MNT/dev/cpu/0/msr" $((0x3c0)) 0000000001000000
	[[ $output == *"Input/output error"* ]]
	grep -qE '^[0-9]+\.[0-9]{9} [0-9]+ 0 rd 0x3d0 - EIO$' "$LOG"
	grep -qE '^[0-9]+\.[0-9]{9} [0-9]+ 0 wr 0x3c0 0x100000000 EIO$' "$LOG"
}

@test "cpuid takes leaf and subleaf from the position and goes on to the next leaf" {
	need_fuse
	serve westmere-2s
	file=$MNT/dev/cpu/0/cpuid
	leaf0=$(peek "$file" 0 16)
	leaf1=$(peek "$file" 1 16)
	[ "$(peek "$file" 0 32)" = "$leaf0$leaf1" ]
	# Bytes of EBX, EDX, ECX of leaf 0: GenuineIntel.
	[ "${leaf0:8:8}${leaf0:24:8}${leaf0:16:8}" = "$(printf GenuineIntel | od -An -tx1 | tr -d ' ')" ]
	# Family 6, model 0x2c.
	[[ $leaf1 == c?0602* ]]
	# Leaf 0xb has a subleaf per level of the topology, whose number comes back in ECX 7:0.
	level1=$(peek "$file" $(((1 << 32) + 0xb)) 16)
	[ "${level1:16:4}" = 0102 ]
	run peek "$file" 0 8
	[[ $output == *"Invalid argument"* ]]
	run poke "$file" 0 00000000000000000000000000000000
	[ "$status" != 0 ]
}

@test "the msr device is for root, and only with the capability" {
	need_fuse
	[ "$(id -u)" = 0 ] || skip "not root"
	need setpriv
	serve westmere-2s --allow-other
	[ "$(stat -c %a "$MNT/dev/cpu/0/msr")" = 600 ]
	[ "$(stat -c %a "$MNT/dev/cpu/0/cpuid")" = 444 ]
	chmod 755 "$BATS_TEST_TMPDIR" || true
	cd "$MNT" # the path to it is not open to everybody
	run setpriv --reuid=65534 --regid=65534 --clear-groups head -c 8 dev/cpu/0/msr
	[ "$status" != 0 ]
	[[ $output == *"Permission denied"* ]]
	setpriv --reuid=65534 --regid=65534 --clear-groups head -c 16 dev/cpu/0/cpuid >/dev/null
	run setpriv --bounding-set=-sys_rawio --inh-caps=-sys_rawio head -c 8 dev/cpu/0/msr
	[[ $output == *"Operation not permitted"* ]]
	cd /
	[ ! -s "$LOG" ]
}

@test "other users get nothing at all without --allow-other" {
	need_fuse
	[ "$(id -u)" = 0 ] || skip "not root"
	need setpriv
	serve westmere-2s
	cd "$MNT"
	run setpriv --reuid=65534 --regid=65534 --clear-groups head -c 16 dev/cpu/0/cpuid
	[ "$status" != 0 ]
	cd /
}

@test "there is a directory for each online CPU and for no other" {
	need_fuse
	serve westmere-2s-holes
	want=$(while IFS=- read -r first last; do
		seq "$first" "${last:-$first}"
	done < <(tr , '\n' <"$MNT/sys/devices/system/cpu/online"))
	[ "$(printf '%s\n' "$MNT"/dev/cpu/* | sed 's|.*/||' | sort -n)" = "$want" ]
	[ "$(cat "$MNT/sys/devices/system/cpu/online")" != \
		"$(cat "$MNT/sys/devices/system/cpu/possible")" ]
}

@test "the node of a CPU goes and comes with it; a file opened before answers ENXIO" {
	need_fuse
	serve westmere-2s
	exec 7<"$MNT/dev/cpu/3/msr"
	echo 0 >"$MNT/sys/devices/system/cpu/cpu3/online"
	[ ! -e "$MNT/dev/cpu/3" ]
	# The shell itself: it does not look at the file before it reads, at position 0.
	run read -r -u 7
	[[ $output == *"No such device or address"* ]]
	grep -q ' 3 rd 0x0 - ENXIO$' "$LOG"
	echo 1 >"$MNT/sys/devices/system/cpu/cpu3/online"
	[ -e "$MNT/dev/cpu/3/msr" ]
	dd bs=8 count=1 skip=$((0x391)) iflag=skip_bytes status=none <&7 >/dev/null
	exec 7<&-
}

@test "text files can be read and those that sysfs lets one write can be written" {
	need_fuse
	serve westmere-2s
	grep -q '^cpu family.*: 6$' "$MNT/proc/cpuinfo"
	[ "$(cat "$MNT/sys/devices/system/cpu/cpu0/topology/physical_package_id")" = 0 ]
	run bash -c "echo 5 >$MNT/sys/devices/system/cpu/cpu0/topology/physical_package_id"
	[ "$status" != 0 ]
	run bash -c "echo 5 >$MNT/sys/new"
	[ "$status" != 0 ]
	run bash -c "echo x >$MNT/sys/devices/system/cpu/cpu3/online"
	[[ $output == *"Invalid argument"* ]]
	[ "$(stat -c %a "$MNT/sys/devices/system/cpu/cpu3/online")" = 644 ]
	[ "$(stat -c %a "$MNT/sys/devices/system/cpu/online")" = 444 ]
	# Nothing in the tree is listed that is not there.
	[ -z "$(find "$MNT" 2>&1 >/dev/null)" ]
}

@test "a machine without the msr driver has cpuid devices only" {
	need_fuse
	serve westmere-2s,driver=missing
	[ -e "$MNT/dev/cpu/0/cpuid" ]
	[ ! -e "$MNT/dev/cpu/0/msr" ]
	[ "$(ls "$MNT/dev/cpu/0")" = cpuid ]
}

@test "an error that was ordered for opening comes once, looking does not use it up" {
	need_fuse
	[ "$(id -u)" = 0 ] || skip "not root"
	serve westmere-2s,open="EPERM times=1"
	ls -lR "$MNT/dev" >/dev/null
	run peek "$MNT/dev/cpu/0/msr" $((0x391)) 8
	[[ $output == *"Operation not permitted"* ]]
	peek "$MNT/dev/cpu/0/msr" $((0x391)) 8
}

@test "writes that the kernel filters or locks down are not permitted, reads are" {
	need_fuse
	for key in allow_writes=off lockdown=integrity; do
		serve "westmere-2s,$key"
		run poke "$MNT/dev/cpu/0/msr" $((0x3c0)) 8201400000000000
		[[ $output == *"Operation not permitted"* ]]
		[ "$(peek "$MNT/dev/cpu/0/msr" $((0x3c0)) 8)" = 0000000000000000 ]
		grep -q ' 0 wr 0x3c0 0x400182 EPERM$' "$LOG"
		unserve
	done
}

@test "the clock of a stepped machine is moved on through the mount" {
	need_fuse
	serve westmere-2s,clock=stepped,start=0,rate=0x82:0x1=1000
	poke "$MNT/dev/cpu/0/msr" $((0x3c0)) 8201400000000000
	poke "$MNT/dev/cpu/0/msr" $((0x391)) 0100000000000000
	[ "$(peek "$MNT/dev/cpu/0/msr" $((0x3b0)) 8)" = 0000000000000000 ]
	echo +5000000000 >"$MNT/sim/clock"
	[ "$(peek "$MNT/dev/cpu/0/msr" $((0x3b0)) 8)" = 8813000000000000 ]
	grep -q '^5\.000000000 [0-9]* 0 rd 0x3b0 0x1388 ok$' "$LOG"
}

@test "all programs on one mount share one machine, and each mount has its own" {
	need_fuse
	need rdmsr
	serve westmere-2s
	poke "$MNT/dev/cpu/0/msr" $((0x3c2)) 8301400000000000
	[ "$(bash -c "$(declare -f peek); peek '$MNT/dev/cpu/2/msr' $((0x3c2)) 8")" = 8301400000000000 ]
	mkdir "$BATS_TEST_TMPDIR/other"
	uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR/other" --daemon
	other=$(peek "$BATS_TEST_TMPDIR/other/dev/cpu/0/msr" $((0x3c2)) 8)
	umount "$BATS_TEST_TMPDIR/other" || fusermount3 -u "$BATS_TEST_TMPDIR/other"
	[ "$other" = 0000000000000000 ]
}
