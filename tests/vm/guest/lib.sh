# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# Functions for all scenarios. Results go to file descriptor 3 (see init).

# run CMD...: run it; its status is in $status, its output in /tmp/out and /tmp/err.
run() {
	ran=$*
	status=0
	timeout 60 "$@" </dev/null >/tmp/out 2>/tmp/err || status=$?
}

# The library's main job: counting one event, as root, as a user, and as root without CAP_SYS_RAWIO. The path of setpriv
# is that of Debian's program; busybox would use its own, which lacks options.
read_event="uncore-read --event 0x82 --umask 0x1 -i 0.2 -n 1"

run_read() {
	# shellcheck disable=SC2086 # words
	run $read_event "$@"
}

unprivileged() {
	run /usr/bin/setpriv --reuid=1000 --regid=1000 --clear-groups "$@"
}

unprivileged_read() {
	# shellcheck disable=SC2086 # words
	unprivileged $read_event
}

no_rawio_read() {
	# shellcheck disable=SC2086 # words
	run /usr/bin/setpriv --bounding-set=-sys_rawio --inh-caps=-sys_rawio $read_event
}

# check TEXT CMD...: print one result. CMD may use run()'s results, which are shown if it fails.
check() {
	text=$1
	shift
	if "$@"; then
		echo "ok $text" >&3
		return
	fi
	{
		echo "not ok $text"
		echo "# failed: $*"
		echo "# command: $ran"
		echo "# status: $status"
		sed 's/^/# stdout: /' /tmp/out
		sed 's/^/# stderr: /' /tmp/err
	} >&3
}

# status_is N: did the last run() end with exit status N?
status_is() {
	[ "$status" -eq "$1" ]
}

# refused STATUS WORD...: did the last run() end with that status and one line on stderr that has every word (ignoring
# case), without any reading on stdout?
refused() {
	status_is "$1" || return 1
	shift
	[ "$(wc -l </tmp/err)" -eq 1 ] || return 1
	for word; do
		grep -qiF -e "$word" /tmp/err || return 1
	done
	! [ -s /tmp/out ]
}

# out_has WORD...: does the last run()'s output have every word?
out_has() {
	for word; do
		grep -qF -e "$word" /tmp/out || return 1
	done
}

# json_lines: write the last output to /tmp/json, one object per line without blanks between its tokens.
json_lines() {
	sed 's/": /":/g; s/, "/,"/g' /tmp/out >/tmp/json
}

# json KEY: print a value of the object in the last output, whatever its layout.
json() {
	tr -d ' \n' </tmp/out | sed -n "s/.*\"$1\":\"\{0,1\}\([^,}\"]*\).*/\1/p"
}

# json_in OBJECT KEY: print a value of an object that is a member of the object in the last output.
json_in() {
	tr -d ' \n' </tmp/out |
		sed -n "s/.*\"$1\":{[^}]*\"$2\":\"\{0,1\}\([^,}\"]*\).*/\1/p"
}

# packages_are PACKAGE:CPUS...: does uncore-info --format=json list exactly these packages, in this order?
packages_are() {
	tr -d ' \n' </tmp/out | sed 's/.*"packages":\[\([^]]*\)\].*/\1/; s/},{/}\n{/g' |
		sed 's/.*"package":\([^,}]*\).*"cpus":"\([^"]*\)".*/\1:\2/' >/tmp/packages
	is "$(tr '\n' ' ' </tmp/packages | sed 's/ $//')" "$*"
}

# is A B: are the two texts equal? check() shows both.
is() {
	[ "$1" = "$2" ]
}

# The kernel's own record of writes to the registers of the Nehalem and Westmere uncore.
watch_writes() {
	echo 'msr >= 0x391 && msr <= 0x3c7' >/sys/kernel/tracing/events/msr/write_msr/filter
	echo 1 >/sys/kernel/tracing/events/msr/write_msr/enable
	: >/sys/kernel/tracing/trace
}

# writes_seen: print the writes since watch_writes, as lines "REGISTER VALUE" in hexadecimal.
writes_seen() {
	sed -n 's/.*write_msr: \([0-9a-f]*\), value \([0-9a-f]*\).*/\1 \2/p' /sys/kernel/tracing/trace
}

no_writes_seen() {
	is "$(writes_seen)" ""
}

# nothing_written: was nothing written, according to the kernel's record and its taint flag for writes through the msr
# driver?
nothing_written() {
	no_writes_seen && [ $(($(cat /proc/sys/kernel/tainted) & 4)) -eq 0 ]
}

# write_filter MODE: the msr driver's parameter: on, off, default.
write_filter() {
	echo "$1" >/sys/module/msr/parameters/allow_writes
}
