#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later

load common
load mounted
load answers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# ---- list and run ----

@test "list shows the built-in machines with a title each; lesson lists the lessons, and each runs without further options" {
	local name rows
	run -0 uncore-sim list
	for name in westmere-2s nehalem-1s westmere-2s-holes sandybridge-1s haswell-ep-2s skylake-sp-2s icelake-sp-2s zen-1s \
		throttled-hour; do
		[[ $'\n'$output =~ $'\n'"$name"\ +[A-Za-z0-9] ]] || { echo "no $name"; return 1; }
	done
	run -0 uncore-sim lesson
	[[ $output == *"sampling "*"preset, enable, wait, capture, repeat"* ]]
	# Registers are restored: the last value of each register is its first one.
	for name in $(uncore-sim lesson --format=csv | sed '1d;s/,.*//'); do
		rows+="0 | $([ "$name" = clock ] && echo '!uncore-sim:' || echo 'Restored & !uncore-sim:') | uncore-sim lesson $name"$'\n'
	done
	expect <<<"$rows"
	for name in list 'lesson clock'; do
		run -1 bash -c "uncore-sim $name >/dev/full"
		[[ $output == "uncore-sim: standard output: "* ]]
	done
}

@test "run gives the command its machine, its options and its exit status; what makes no sense is refused before it starts, also keys for another machine" {
	expect <<-'END'
		2 | busy: only for Nehalem and Westmere; elsewhere set=SELECTOR VALUE makes a counter busy | uncore-read -e cha/event=0x0/ --machine=sim:skylake-sp-2s,busy=0-3,clock=stepped
		0 | cha0: counter 0 is in use by another program (selector 0xe01 holds 0x400103) | uncore-read -e cha0/event=0x0/ --verbose '--machine=sim:skylake-sp-2s,set=0xe01 0x400103,clock=stepped'
		42 | =sim:westmere-2s,seed=7 | uncore-sim run westmere-2s,seed=7 -- bash -c 'echo "$UNCOREMSR_MACHINE"; exit 42'
		0 | =--format=json -x | uncore-sim run westmere-2s -- echo --format=json -x
		127! | /nonexistent/command: | uncore-sim run westmere-2s -- /nonexistent/command
		126! | /etc/passwd | uncore-sim run westmere-2s -- /etc/passwd
		2 | no-such-machine*westmere-2s*nehalem-1s | uncore-sim run no-such-machine -- touch ran
		2 | 0x8z | uncore-sim run westmere-2s,seed=0x8z -- touch ran
		2 | nonsense | uncore-sim run westmere-2s,nonsense=1 -- touch ran
	END
	[ ! -e ran ]
}

@test "throttled-hour counts the same as haswell-ep-2s, only its throttling differs" {
	local machine
	for machine in throttled-hour haswell-ep-2s; do
		uncore-doctor --machine="sim:$machine,clock=stepped"
		uncore-read -M memory-bandwidth,interconnect-bandwidth,package-power --machine="sim:$machine,clock=stepped"
		echo end
	done >said
	run -0 cat said
	output=${output//throttled-hour/NAME} output=${output//haswell-ep-2s/NAME}
	[[ $output == *memory-bandwidth* && ${output#*$'\nend\n'} == "${output%%$'\nend\n'*}"$'\nend' ]]
}

# ---- lessons ----

# The expected numbers are computed independently: the counter has 48 bits, the clock 2 GHz, and three functions take
# turns of 650, 250 and 100 us.
@test "the lesson on sampling shows the preset, a handler that is late, and the shares of the time" {
	local preset sampled
	preset=$(((1 << 48) - 1618033))
	uncore-sim lesson sampling >given
	grep -q "write 0xc1 .* $(printf 0x%x $((preset & 0xffffffff)))  2^48 - 1618033" given
	grep -q "read  0xc1 .* $(printf 0x%x "$preset")$" given
	sampled=$(awk '$1 ~ /^(hot|warm|main)$/ { print $1, $2, $3, $4 }' given)
	[ "$(awk '{ n += $2 } END { print n }' <<<"$sampled")" = 200 ]
	awk '{ d = $3 - $4; if (d < -3 || d > 3) exit 1; n++ } END { exit n != 3 }' <<<"$sampled"
	# Off by one: when the first counter has overflowed, the second one has its maximum value.
	[ "$(sed -n '/off by one/,/Restored/s/.*read .* \(0x[0-9a-f]*\).*/\1/p' given | xargs)" = "0x1 0x0 0x0 0xffffffffffff" ]
}

# ---- bad command lines ----

# refused: each line of standard input, used as arguments, must end with status 2 and one line on stderr.
refused() {
	local line rows
	while IFS= read -r line; do rows+="2 | | uncore-sim $line"$'\n'; done
	expect <<<"$rows"
}

@test "a command line that makes no sense gets one line and status 2; help goes to standard output and names every option, as the page does" {
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
		lesson no-such-lesson
		lesson clock clock
		lesson clock --format=json
		lesson -- true
		--no-such-option list
	END
	local option page
	page=$(<"$TOP/docs/man/uncore-sim.1")
	run -0 --separate-stderr uncore-sim --help
	[ -z "$stderr" ]
	for option in --log --daemon --allow-other --machine --format --verbose --help --version; do
		[[ $output == *"$option"* && $page == *"${option/--/Fl Fl }"* ]] || { echo "no $option"; return 1; }
	done
}

@test "mount says what is wrong with a machine, a directory or its log, also as a daemon, and leaves no mount" {
	need_fuse
	touch file
	mkdir dir
	refused <<-'END'
		mount no-such-machine /tmp
		mount westmere-2s,seed=x /tmp
		mount westmere-2s /nonexistent/directory
		mount westmere-2s /etc/passwd
	END
	expect <<-'END'
		2 | /none: No such file or directory; | uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR/none"
		2 | /file: *ot a directory | uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR/file"
		2 | /nonexistent/log: cannot write the log: | uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR/dir" --log=/nonexistent/log
		2 | /nonexistent/log: cannot write the log: | uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR/dir" --log=/nonexistent/log --daemon
	END
	run ! mountpoint -q dir
}

@test "mount without /dev/fuse exits with status 4 and says what to do" {
	need_witness
	mkdir "$BATS_TEST_TMPDIR/dir"
	run -4 "$TOP/tests/tools/private-mounts" bash -ec '
		mount --bind "$1" /dev
		uncore-sim mount westmere-2s "$1"' _ "$BATS_TEST_TMPDIR/dir"
	[ "${#lines[@]}" = 1 ]
	[[ $output == "uncore-sim: /dev/fuse: "*"modprobe fuse"* ]]
	run -2 "$TOP/tests/tools/private-mounts" bash -ec 'mount --bind "$1" /dev; uncore-sim mount westmere-2s /dev/..' _ \
		"$BATS_TEST_TMPDIR/dir"
	[ "$output" = "uncore-sim: /: every file of this system would be hidden; name an empty directory" ]
}

@test "mount by a user who may not open /dev/fuse exits with status 4" {
	need_fuse
	need setpriv
	[ "$(id -u)" = 0 ] || skip "not root"
	[ "$(stat -c %a /dev/fuse)" = 600 ] || skip "/dev/fuse is for everybody here"
	# The project may be in a directory that other users cannot read, such as /root.
	local copy
	copy=$(mktemp -d)
	mkdir "$copy/bin" "$copy/lib"
	cp "$BIN/uncore-sim" "$copy/bin"
	cp -P "${BIN%/*}"/lib/libuncoremsr*.so* "$copy/lib"
	chmod -R a+rX "$copy"
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$copy/bin/uncore-sim" mount westmere-2s /tmp
	rm -r "$copy"
	[ "$status" = 4 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == "uncore-sim: /dev/fuse: Permission denied; become root, "* ]]
}

# ---- mount: starting and ending ----

@test "mount runs until a signal, as a daemon until unmounted; after a killed one a message says what to do" {
	need_fuse
	mkdir "$BATS_TEST_TMPDIR/dir"
	for signal in INT TERM HUP; do
		# The shell ignores SIGINT for a job in the background; the mount has to end all the same.
		background uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR/dir" >"$BATS_TEST_TMPDIR/out"
		wait_for "$BATS_TEST_TMPDIR/out" "SIMULATED machine westmere-2s at $BATS_TEST_TMPDIR/dir"
		[ -e "$BATS_TEST_TMPDIR/dir/dev/cpu/0/msr" ]
		kill -s "$signal" "$pid"
		wait_while test -e "$BATS_TEST_TMPDIR/dir/dev"
		wait "$pid"
		run ! mountpoint -q "$BATS_TEST_TMPDIR/dir"
		rm "$BATS_TEST_TMPDIR/out"
	done
	serve westmere-2s
	[ -e "$MNT/dev/cpu/0/msr" ]
	server=$(pgrep -f "uncore-sim mount westmere-2s $MNT --daemon")
	[ "$(readlink "/proc/$server/fd/1")" = /dev/null ]
	[ "$(readlink "/proc/$server/cwd")" = / ]
	umount "$MNT" || fusermount3 -u "$MNT"
	# In a container whose init does not reap orphans the server remains as a zombie, so test its exe link.
	wait_while test -e "/proc/$server/exe"
	export TMPDIR=$BATS_TEST_TMPDIR # the server's temporary directory is created there
	serve westmere-2s
	kill -KILL "$(pgrep -f "uncore-sim mount westmere-2s $MNT --daemon")"
	wait_while test -e "$MNT/dev"
	run -2 uncore-sim mount westmere-2s "$MNT"
	[[ $output == *"fusermount3 -u"* ]]
	umount "$MNT" || fusermount3 -u "$MNT"
}

@test "the mounted tree has the kernel's PMUs with their formats and events" {
	serve skylake-sp-perf,perf_paranoid=1
	# A second mount would hide the first one, which would keep running.
	fails_with 2 "a simulated machine is mounted here; unmount it first: fusermount3 -u $MNT" \
		uncore-sim mount westmere-2s "$MNT" --daemon
	local pmus=$MNT/sys/bus/event_source/devices
	[ "$(cat "$pmus"/uncore_cha_*/type | wc -l)" = 18 ]
	[ "$(<"$pmus/cpu/type") $(<"$pmus/uncore_cha_17/type")" = "4 30" ]
	[ "$(<"$pmus/uncore_upi_2/format/umask")" = config:8-15,32-43,45-55 ]
	[ "$(<"$pmus/uncore_imc_0/events/cas_count_read.unit")" = MiB ]
	[ "$(<"$pmus/uncore_imc_0/cpumask")" = 0,4 ]
	echo 0 >"$MNT/sys/devices/system/cpu/cpu4/online"
	[ "$(<"$pmus/uncore_imc_0/cpumask")" = 0,5 ]
	[ "$(<"$MNT/proc/sys/kernel/perf_event_paranoid")" = 1 ]
	uncore-info --machine="root:$MNT" | unfold | grep -q 'uncore_cha (18)'
	run ! bash -c 'echo 5 >"$0"' "$pmus/cpu/type"
}

# ---- mount: the devices ----

# device FILE STEP...: a STEP "POSITION:BYTES" reads with one read and prints the bytes in hexadecimal; "POSITION=HEX"
# writes with one write. Errors are printed, too; "nothing" means the end of the file.
device() {
	perl -e 'my $name = shift;
		for (@ARGV) {
			my ($at, $how, $what) = /^(\w+)([:=])(\w+)$/ or die;
			my $data = pack "H*", $what;
			open my $file, $how eq ":" ? "<" : "+<", $name or print("$!\n"), next;
			sysseek $file, $at =~ /^0x/ ? hex $at : $at, 0;
			my $done = $how eq ":" ? sysread $file, $data, $what : syswrite $file, $data;
			print defined $done ? $how eq ":" ? unpack("H*", $data) || "nothing" : next : $!, "\n";
		}' "$@"
}

# cpu0 STEP...: run device() on the registers of CPU 0; $output has what it prints.
cpu0() {
	run -0 device "$MNT/dev/cpu/0/msr" "$@"
}

@test "devices and files of one mount are shared by all programs and have the driver's sizes, errors and positions" {
	serve westmere-2s
	cpu0 0x3c2:{1,4,7,9,12} 0x3c2=01020304
	[ "${lines[*]}" = "$(printf 'Invalid argument %.0s' 1 2 3 4 5)Invalid argument" ]
	[ ! -s "$LOG" ]
	cpu0 0x3c2=8301420000000000 0x3c2:8 0x3c2:24
	[ "$output" = $'8301400000000000\n830140000000000083014000000000008301400000000000' ]
	cpu0 0x3c2=01004000000000000200400000000000 0x3c2:8 0x3c3:8
	[ "$output" = $'0200400000000000\n0000000000000000' ]
	cpu0 0x3d0:8 0x3c0=0000000001000000
	[ "$output" = $'Input/output error\nInput/output error' ]
	[ "$(grep -c ' 0 rd 0x3c2 0x400183 ok$' "$LOG") $(grep -c ' 0 wr 0x3c2 ' "$LOG")" = "4 3" ]
	grep -qE '^[0-9]+\.[0-9]{9} [0-9]+ 0 rd 0x3d0 - EIO$' "$LOG"
	grep -qE '^[0-9]+\.[0-9]{9} [0-9]+ 0 wr 0x3c0 0x100000000 EIO$' "$LOG"
	# cpuid takes leaf and subleaf from the position and goes on to the next leaf.
	run -0 device "$MNT/dev/cpu/0/cpuid" 0:16 1:16 0:32 0x10000000b:16 0:8 0=00000000000000000000000000000000
	[ "${lines[2]}" = "${lines[0]}${lines[1]}" ]
	# Bytes of EBX, EDX, ECX of leaf 0: GenuineIntel.
	[ "${lines[0]:8:8}${lines[0]:24:8}${lines[0]:16:8}" = 47656e75696e65496e74656c ]
	# Family 6, model 0x2c.
	[[ ${lines[1]} == c?0602* ]]
	# Leaf 0xb has a subleaf per level of the topology, whose number comes back in ECX 7:0.
	[ "${lines[3]:16:4}" = 0102 ]
	[ "${lines[4]}" = "Invalid argument" ]
	[ "${#lines[@]}" = 6 ]
	# All programs on one mount share one machine, and each mount has its own.
	cpu0 0x3c2=8301400000000000
	[ "$(device "$MNT/dev/cpu/2/msr" 0x3c2:8)" = 8301400000000000 ]
	mkdir other
	uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR/other" --daemon
	run device other/dev/cpu/0/msr 0x3c2:8
	umount other || fusermount3 -u other
	[ "$output" = 0000000000000000 ]
	# A CPU's device node disappears while the CPU is offline; a file opened before answers ENXIO.
	exec 7<"$MNT/dev/cpu/3/msr"
	echo 0 >"$MNT/sys/devices/system/cpu/cpu3/online"
	[ ! -e "$MNT/dev/cpu/3" ]
	# Use the shell itself, because it does not call stat() before it reads at position 0.
	run read -r -u 7
	[[ $output == *"No such device or address"* ]]
	grep -q ' 3 rd 0x0 - ENXIO$' "$LOG"
	echo 1 >"$MNT/sys/devices/system/cpu/cpu3/online"
	[ -e "$MNT/dev/cpu/3/msr" ]
	dd bs=8 count=1 skip=$((0x391)) iflag=skip_bytes status=none <&7 >/dev/null
	exec 7<&-
	# Text files can be read, and those that are writable in sysfs can be written.
	grep -q '^cpu family.*: 6$' "$MNT/proc/cpuinfo"
	[ "$(cat "$MNT/sys/devices/system/cpu/cpu0/topology/physical_package_id")" = 0 ]
	run ! bash -c "echo 5 >$MNT/sys/devices/system/cpu/cpu0/topology/physical_package_id"
	run ! bash -c "echo 5 >$MNT/sys/new"
	run bash -c "echo x >$MNT/sys/devices/system/cpu/cpu3/online"
	[[ $output == *"Invalid argument"* ]]
	[ "$(stat -c %a "$MNT/sys/devices/system/cpu/cpu3/online")" = 644 ]
	[ "$(stat -c %a "$MNT/sys/devices/system/cpu/online")" = 444 ]
	# All listed files of the tree exist.
	[ -z "$(find "$MNT" 2>&1 >/dev/null)" ]
}

@test "the msr device is for root, and only with the capability" {
	[ "$(id -u)" = 0 ] || skip "not root"
	need setpriv
	serve westmere-2s --allow-other
	[ "$(stat -c %a "$MNT/dev/cpu/0/msr")" = 600 ]
	[ "$(stat -c %a "$MNT/dev/cpu/0/cpuid")" = 444 ]
	chmod 755 "$BATS_TEST_TMPDIR" || true
	cd "$MNT" # because the path to it may be closed to other users
	run ! setpriv --reuid=65534 --regid=65534 --clear-groups head -c 8 dev/cpu/0/msr
	[[ $output == *"Permission denied"* ]]
	setpriv --reuid=65534 --regid=65534 --clear-groups head -c 16 dev/cpu/0/cpuid >/dev/null
	run setpriv --bounding-set=-sys_rawio --inh-caps=-sys_rawio head -c 8 dev/cpu/0/msr
	[[ $output == *"Operation not permitted"* ]]
	cd /
	[ ! -s "$LOG" ]
}

@test "other users get nothing at all without --allow-other" {
	need_nobody
	serve westmere-2s
	cd "$MNT"
	run ! as_nobody head -c 16 dev/cpu/0/cpuid
	cd /
}

@test "there is a directory for each online CPU and for no other" {
	serve westmere-2s-holes
	want=$(while IFS=- read -r first last; do
		seq "$first" "${last:-$first}"
	done < <(tr , '\n' <"$MNT/sys/devices/system/cpu/online"))
	[ "$(printf '%s\n' "$MNT"/dev/cpu/* | sed 's|.*/||' | sort -n)" = "$want" ]
	[ "$(cat "$MNT/sys/devices/system/cpu/online")" != \
		"$(cat "$MNT/sys/devices/system/cpu/possible")" ]
}

@test "keys give a mounted machine no msr driver, errors of opening, a write filter, lockdown or a stepped clock" {
	local key
	serve westmere-2s,driver=missing
	[ "$(ls "$MNT/dev/cpu/0")" = cpuid ]
	unserve
	if [ "$(id -u)" = 0 ]; then
		# The error occurs once; a mere stat() must not be the access that gets it.
		serve westmere-2s,open="EPERM times=1"
		ls -lR "$MNT/dev" >/dev/null
		cpu0 0x391:8 0x391:8
		[ "$output" = $'Operation not permitted\n0000000000000000' ]
		unserve
	fi
	for key in allow_writes=off lockdown=integrity; do
		serve "westmere-2s,$key"
		cpu0 0x3c0=8201400000000000 0x3c0:8
		[ "$output" = $'Operation not permitted\n0000000000000000' ]
		grep -q ' 0 wr 0x3c0 0x400182 EPERM$' "$LOG"
		unserve
	done
	serve westmere-2s,clock=stepped,start=0,rate=0x82:0x1=1000
	cpu0 0x3c0=8201400000000000 0x391=0100000000000000 0x3b0:8
	[ "$output" = 0000000000000000 ]
	echo +5000000000 >"$MNT/sim/clock"
	cpu0 0x3b0:8
	[ "$output" = 8813000000000000 ]
	grep -q '^5\.000000000 [0-9]* 0 rd 0x3b0 0x1388 ok$' "$LOG"
}

# ---- mount: the directory for leases ----

# serve_run MACHINE [OPTION...]: mount it with its own temporary directory, $TMPDIR; $RUN is its lease directory.
serve_run() {
	mkdir -p "$BATS_TEST_TMPDIR/tmp"
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	serve "$@"
	RUN=$MNT/run/uncoremsr
}

# gone_soon DIR: wait until the directory is empty.
gone_soon() {
	local dir=$1
	wait_until eval '[ -z "$(ls -A "$dir")" ]' || { ls -lR "$dir"; return 1; }
}

# in_group GROUP COMMAND...: run it as a user without rights who is also in this group.
in_group() {
	setpriv --reuid=65534 --regid=65534 --groups="${1:-65534}" "${@:2}"
}

@test "files can be made, changed, renamed, listed and removed in the machine's run/uncoremsr" {
	serve_run westmere-2s
	[ "$(stat -c '%A %u' "$RUN")" = "drwxr-xr-x $(id -u)" ]
	[ -z "$(ls -A "$RUN")" ]
	(umask 027 && echo one >"$RUN/a")
	[ "$(stat -c '%a %u %g %s' "$RUN/a")" = "640 $(id -u) $(id -g) 4" ]
	echo two >>"$RUN/a"
	printf X | dd of="$RUN/a" bs=1 seek=4 conv=notrunc status=none
	[ "$(cat "$RUN/a")" = $'one\nXwo' ]
	truncate -s 3 "$RUN/a"
	chmod 604 "$RUN/a"
	echo other >"$RUN/b"
	mv "$RUN/a" "$RUN/b"
	[ "$(ls -A "$RUN")" = b ]
	[ "$(cat "$RUN/b")" = one ]
	[ "$(stat -c %a "$RUN/b")" = 604 ]
	run bash -c "set -C; echo again >'$RUN/b'"
	[[ $output == *"cannot overwrite"* ]]
	ln -s b "$RUN/link"
	[ "$(cat "$RUN/link")" = one ]
	run dd if="$RUN/link" iflag=nofollow status=none
	[[ $output == *"symbolic links"* ]]
	rm "$RUN/b" "$RUN/link"
	[ -z "$(ls -A "$RUN")" ]
	[ ! -s "$LOG" ]
}

@test "files are made in run/uncoremsr only, hard links nowhere, directories below user only" {
	serve_run westmere-2s
	echo text >"$RUN/a"
	(umask 027 && mkdir "$RUN/user" && umask 077 && mkdir "$RUN/user/1" && echo two >"$RUN/user/1/b")
	[ "$(cd "$RUN" && stat -c '%n %a %u' user user/1 user/1/b)" = "user 750 $(id -u)
user/1 700 $(id -u)
user/1/b 600 $(id -u)" ]
	for command in "touch $MNT/run/x" "touch $MNT/dev/x" "mkdir $RUN/x" "rm -f $MNT/dev/cpu/0/msr" \
		"mv $RUN/a $MNT/sys/x" "chmod 666 $MNT/dev/cpu/0/cpuid" \
		"ln $RUN/a $RUN/x" "mkdir $RUN/user/1/2" "mv $RUN/user/1 $RUN/x" "mv $RUN/user $RUN/x"; do
		echo "$command"
		# shellcheck disable=SC2086 # words
		run ! $command
		[[ $output == *denied* || $output == *"not permitted"* ]]
	done
	[ "$(ls -A "$RUN")" = $'a\nuser' ]
	[ "$(cat "$RUN/user/1/b")" = two ]
	run ! rmdir "$RUN/user/1"
	rm "$RUN/user/1/b"
	rmdir "$RUN/user/1" "$RUN/user"
	# Root may give the device nodes to a group, as udev does.
	[ "$(stat -c %a "$MNT/dev/cpu/0/msr")" = 600 ]
	chmod 640 "$MNT/dev/cpu/0/msr"
	[ "$(stat -c %a "$MNT/dev/cpu/1/msr")" = 640 ]
}

@test "locks are visible to other processes, also after a rename; kill -9 frees them; removed files stay usable" {
	serve_run westmere-2s
	lock_beside held "$OFD_LOCK" hold "$RUN/lease" 3
	[ "$("$OFD_LOCK" look "$RUN/lease" 3)" = locked ]
	[ "$("$OFD_LOCK" look "$RUN/lease" 4)" = free ]
	[ "$("$OFD_LOCK" look "$RUN/another" 3)" = free ]
	local first=$holder
	lock_beside busy "$OFD_LOCK" hold "$RUN/lease" 3
	mv "$RUN/lease" "$RUN/moved"
	[ "$("$OFD_LOCK" look "$RUN/moved" 3)" = locked ]
	[ "$("$OFD_LOCK" look "$RUN/lease" 3)" = free ]
	kill "$first" "$holder"
	wait "$first" "$holder" || true
	rm "$RUN/moved"
	lock_beside held "$OFD_LOCK" hold "$RUN/lease" 0
	[ "$("$OFD_LOCK" look "$RUN/lease" 0)" = locked ]
	stop "$holder"
	[ "$("$OFD_LOCK" look "$RUN/lease" 0)" = free ]
	lock_beside held "$OFD_LOCK" hold "$RUN/lease" 0
	stop "$holder" TERM
	rm -f "$RUN"/*
	lock_beside held "$OFD_LOCK" hold-orphan "$RUN/lease" 0
	wait_for "$BATS_TEST_TMPDIR/said" '^links 0 size 4 mode 640$'
	[ -z "$(ls -A "$RUN")" ]
	[ "$("$OFD_LOCK" look "$RUN/lease" 0)" = free ]
	stop "$holder"
	[ "$(ls -A "$RUN")" = lease ]
	# The server does not keep the removed file in its temporary directory.
	rm "$RUN/lease"
	wait_until eval '[ -z "$(find "$TMPDIR" -type f)" ]'
}

@test "files of run/uncoremsr are never accessible to other users, and are removed with the mount" {
	serve_run westmere-2s
	echo text >"$RUN/a"
	ln -s / "$RUN/link"
	[ "$(stat -c %a "$TMPDIR"/*)" = 700 ]
	umount "$MNT" || fusermount3 -u "$MNT"
	gone_soon "$TMPDIR"
	for signal in INT TERM HUP; do
		serve westmere-2s
		echo text >"$RUN/a"
		# The mount ends even if a file in it is still open.
		exec 7<"$RUN/a"
		kill -s "$signal" "$(pgrep -f "uncore-sim mount westmere-2s $MNT --daemon")"
		gone_soon "$TMPDIR"
		exec 7<&-
	done
	serve westmere-2s
	[ -z "$(ls -A "$RUN")" ]
}

@test "a mount that fails leaves no temporary directory, and one that cannot have one says so" {
	need_fuse
	[ "$(id -u)" = 0 ] || skip "not root"
	need setpriv
	mkdir "$BATS_TEST_TMPDIR/tmp"
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	run -4 setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin \
		uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR" --daemon
	[[ $output == *"cannot mount: "* ]]
	[ -z "$(ls -A "$TMPDIR")" ]
	TMPDIR=/nonexistent run uncore-sim mount westmere-2s "$BATS_TEST_TMPDIR" --daemon
	[ "$status" = 4 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == *"temporary directory: No such file or directory; set TMPDIR"* ]]
	run ! mountpoint -q "$BATS_TEST_TMPDIR"
}

@test "other users may do in run/uncoremsr what modes and groups let them" {
	[ "$(id -u)" = 0 ] || skip "not root"
	need setpriv
	serve_run westmere-2s --allow-other
	chmod 755 "$BATS_TEST_TMPDIR"
	cd "$RUN" # because the path to it may be closed to other users
	echo public >public
	(umask 077 && echo secret >secret)
	[ "$(in_group 65534 cat public)" = public ]
	for command in 'cat secret' 'touch new' 'rm -f public' 'chmod 666 public' 'truncate -s 0 public' \
		'mv public private'; do
		echo "$command"
		# shellcheck disable=SC2086 # words
		run ! in_group 65534 $command
		[[ $output == *"Permission denied"* || $output == *"not permitted"* ]]
	done
	chgrp 4711 .
	chmod 2775 .
	in_group 4711 touch new
	[ "$(stat -c '%u %g %a' new)" = "65534 4711 644" ]
	run in_group 65534 touch newer
	[[ $output == *"Permission denied"* ]]
	chmod g-s,a+rwx,+t .
	in_group 65534 touch mine
	[ "$(stat -c '%u %g' mine)" = "65534 65534" ]
	run in_group 65534 rm -f public
	[[ $output == *"not permitted"* ]]
	in_group 65534 rm mine
	cd /
}

@test "run/uncoremsr can be made full or read-only: nothing can be written, or only reading and locking are left" {
	serve_run westmere-2s
	echo text >"$RUN/a"
	[ "$(<"$MNT/sim/run")" = usable ]
	echo full >"$MNT/sim/run"
	[ "$(<"$MNT/sim/run")" = full ]
	run bash -c "echo more >>'$RUN/a'"
	[[ $output == *"No space left on device"* ]]
	run bash -c "echo more >'$RUN/b'"
	[[ $output == *"No space left on device"* ]]
	[ "$(stat -c %s "$RUN/b")" = 0 ]
	[ "$(stat -f -c %a "$RUN")" = 0 ]
	[ "$(<"$RUN/a")" = text ]
	rm "$RUN/b"
	echo usable >"$MNT/sim/run"
	echo more >>"$RUN/a"
	[ "$(<"$RUN/a")" = $'text\nmore' ]
	echo text >"$RUN/a"
	exec 7>>"$RUN/a"
	echo readonly >"$MNT/sim/run"
	for command in "touch $RUN/b" "rm -f $RUN/a" "mv $RUN/a $RUN/b" "chmod 600 $RUN/a" \
		"truncate -s 1 $RUN/a" "ln -s a $RUN/b" "chgrp 0 $RUN/a" "cp /etc/passwd $RUN/a"; do
		echo "$command"
		run $command
		[[ $output == *"Read-only file system"* ]]
	done
	run bash -c 'echo more >&7'
	[[ $output == *"Read-only file system"* ]]
	exec 7>&-
	[ "$(<"$RUN/a")" = text ]
	flock -n "$RUN" true
	run bash -c "echo nonsense >'$MNT/sim/run'"
	[[ $output == *"Invalid argument"* ]]
	[ "$(<"$MNT/sim/run")" = readonly ]
}

@test "a machine with 240 packages and 100 causes of throttling counts as much on its last package as one with 2" {
	local num counts=()
	for num in 2 240; do
		{
			printf '%s\n' 'title = many' 'include = westmere-ep'
			for ((i = 0; i < num; i++)); do echo "package = $i cores=0-3 cpus=$((4 * i))-$((4 * i + 3))"; done
			for ((i = 0; i < 100; i++)); do echo 'throttle = core-thermal every=1000 for=1 phase=1'; done
			echo end
		} >"$num.sim"
		run -0 --separate-stderr uncore-read --machine="sim:$PWD/$num.sim,clock=stepped" -e 0x80:0x1 \
			--packages=$((num - 1)) -n 1 -i 5
		[[ $output =~ \+([0-9]+) ]]
		counts+=("${BASH_REMATCH[1]}")
	done
	[ "${counts[0]}" != 0 ]
	[ "${counts[1]}" = "${counts[0]}" ]
}
