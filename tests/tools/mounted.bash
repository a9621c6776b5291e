# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# A simulated machine that is mounted for one test, and a private mount namespace in which it replaces the real machine.

need_fuse() {
	{ [ -r /dev/fuse ] && [ -w /dev/fuse ]; } || skip "no /dev/fuse here"
	once built_with_fuse || skip "built without FUSE"
	command -v fusermount3 >/dev/null || [ "$EUID" = 0 ] || skip "no fusermount3 here"
}

# A build without FUSE reports that before it looks at the directory.
built_with_fuse() {
	local status=0
	"$BIN/uncore-sim" mount westmere-2s /nonexistent || status=$?
	[ "$status" != 3 ]
}

need_witness() {
	need_fuse
	need unshare
	once "$TOP/tests/tools/private-mounts" true ||
		skip "no private mount namespace here (root is needed)"
}

# serve MACHINE [OPTION...]: mount it on $MNT, with its log in $LOG; skip if that is not possible here.
serve() {
	need_fuse
	MNT=$BATS_TEST_TMPDIR/machine
	LOG=$BATS_TEST_TMPDIR/log
	[ -d "$MNT" ] || mkdir "$MNT"
	"$BIN/uncore-sim" mount "$1" "$MNT" --daemon --log="$LOG" "${@:2}"
}

unserve() {
	# Unmount lazily, because a failed test may still have a file open there.
	if [ -n "${MNT:-}" ] && [[ $(</proc/self/mountinfo) == *" $MNT "* ]]; then
		umount -l "$MNT" 2>/dev/null || fusermount3 -u -z "$MNT"
	fi
}

teardown() {
	kill_started
	unserve
}

# in_trouble "WHAT N" COMMAND...: run the command on the mounted machine. The command's register access N fails with the
# error WHAT; if WHAT is "kill", the command is killed at that access.
in_trouble() {
	(echo "$1 $BASHPID" >"$MNT/sim/trouble"; exec "${@:2}")
}

PROBE=${BIN%/*}/tests/guard_probe
OFD_LOCK=${BIN%/*}/tests/ofd_lock

# lock_beside SAYS COMMAND...: start COMMAND, which runs $OFD_LOCK, in the background, and wait until it prints SAYS.
# $pid and $holder are its process id.
lock_beside() {
	[ -x "$OFD_LOCK" ] || skip "make tests was not run"
	rm -f "$BATS_TEST_TMPDIR/said"
	background "${@:2}" >"$BATS_TEST_TMPDIR/said"
	# shellcheck disable=SC2034 # the tests use it
	holder=$pid
	wait_for "$BATS_TEST_TMPDIR/said" "$1"
}

# remember: save the contents of the mounted machine's registers that counting may change, or of those that the file
# $GUARD_REGISTERS lists.
remember() {
	[ -x "$PROBE" ] || skip "make tests was not run"
	"$PROBE" snapshot "$MNT" "$BATS_TEST_TMPDIR/before"
}

# same: do these registers have the contents that "remember" has saved?
same() {
	"$PROBE" same "$MNT" "$BATS_TEST_TMPDIR/before"
}

# programmed: wait until a session has changed one of the registers that "remember" has saved.
programmed() {
	wait_while same >/dev/null
}

# snapshot NAME: save the values of all registers that counting may change in $TMP/NAME, read through CPUs 0 and 1 (one
# of each package).
snapshot() {
	perl -e 'for my $cpu (0, 1) {
		open my $device, "<:raw", "/dev/cpu/$cpu/msr" or die "CPU $cpu: $!";
		for my $register (0x391, 0x394, 0x395, 0x3b0 .. 0x3b7, 0x3c0 .. 0x3c7) {
			sysseek $device, $register, 0;
			sysread($device, my $value, 8) == 8 or die "$cpu $register: $!";
			printf "%d 0x%x 0x%x\n", $cpu, $register, unpack "Q", $value;
		}
	}' >"$TMP/$1"
}

# Script that runs in the namespace before the commands of the test. Registers of the real machine must not be
# accessible there: if a mount fails, the test ends here.
ENTER="$(declare -f wait_until wait_while not snapshot)"'
pause() { sleep "$1"; }
if [ ! -d /dev/cpu ]; then
	mkdir "$TMP/dev"
	cp -a /dev/null /dev/zero /dev/urandom "$TMP/dev"
	mount -t tmpfs tmpfs /dev
	cp -a "$TMP"/dev/* /dev
	mkdir /dev/cpu
fi
mount --bind "$MNT/dev/cpu" /dev/cpu
mount --bind "$MNT/sys/devices/system/cpu" /sys/devices/system/cpu
mount --bind "$MNT/proc/cpuinfo" /proc/cpuinfo
# Use a separate lease directory, because leases of other tests, for other machines, would reserve the counters.
mkdir -p "$TMP/leases"
mount --bind "$TMP/leases" /run
for node in /dev/cpu/*/msr; do
	[ -f "$node" ] || { echo "not the simulated machine" >&2; exit 99; }
done
set +eu
# counting: wait until a session has enabled a counter of the second package.
counting() {
	wait_while is_off
}
is_off() {
	[ "$(rdmsr -p 1 0x391)" = 0 ]
}
same() {
	snapshot after
	diff "$TMP/before" "$TMP/after" && echo same
}
'

# witness COMMANDS: run them in the namespace, where /dev/cpu, /proc/cpuinfo and the CPUs in /sys are the simulated
# ones.
witness() {
	"$TOP/tests/tools/private-mounts" env MNT="$MNT" TMP="$BATS_TEST_TMPDIR" LOG="$LOG" BIN="$BIN" \
		TOP="$TOP" bash -eu -c "$ENTER$1"
}

# Check that every write in the log is to a register of counters 0-7 or of the fixed counter, or to 0x391.
only_claimed_writes() {
	local others
	others=$(grep ' wr ' "$LOG" |
		grep -Ev ' wr (0x391|0x394|0x395|0x3b[0-7]|0x3c[0-7]) ') || true
	echo "other writes: ${others:-none}"
	[ -z "$others" ]
}
