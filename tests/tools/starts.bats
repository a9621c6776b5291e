# SPDX-License-Identifier: LGPL-2.1-or-later
# The cost of starting a tool on a machine with many CPUs, in system calls, which do not depend on the speed of this
# machine.

load common
load many_cpus

# calls TREE COMMAND...: print the number of system calls of the command on a tree. These tools exit with 1 or 4 if a
# device cannot be read.
calls() {
	# A leak check cannot run under strace.
	ASAN_OPTIONS=detect_leaks=0 strace -f -o "$BATS_TEST_TMPDIR/calls" "${@:2}" --machine="root:$BATS_TEST_TMPDIR/$1" \
		>/dev/null 2>&1 || [[ $? = [14] ]] || return
	grep -c '(' "$BATS_TEST_TMPDIR/calls"
}

# calls_per_cpu COMMAND...: print how many more system calls the command makes per additional CPU, in hundredths.
calls_per_cpu() {
	echo $((($(calls 80 "$@") - $(calls 16 "$@")) * 100 / 64))
}

@test "a tool makes few system calls for each additional CPU of a machine" {
	need strace
	local row most command
	many_cpus 16 "$BATS_TEST_TMPDIR/16"
	many_cpus 80 "$BATS_TEST_TMPDIR/80"
	for row in "300 uncore-info" "1000 uncore-throttle -n 1 -i 0.01" "1000 uncore-doctor"; do
		read -r most command <<<"$row"
		# shellcheck disable=SC2086 # a list of words
		run -0 calls_per_cpu $command
		echo "$command: $output"
		[ "$output" -gt 0 ]
		[ "$output" -le "$most" ]
	done
}

@test "folders of CPUs that are not present cost no system call" {
	need strace
	local before
	many_cpus 16 "$BATS_TEST_TMPDIR/16"
	before=$(calls 16 uncore-info)
	[ "$before" -gt 16 ]
	mkdir -p "$BATS_TEST_TMPDIR"/16/dev/cpu/{16..499} "$BATS_TEST_TMPDIR"/16/sys/devices/system/cpu/cpu{16..499}
	[ "$(calls 16 uncore-info)" = "$before" ]
	echo 1 | tee "$BATS_TEST_TMPDIR"/16/sys/devices/system/cpu/cpu{16..499}/online >/dev/null
	[ "$(calls 16 uncore-info)" = "$before" ]
}

@test "finding an event of the kernel by its name alone costs no system call for events of other PMUs" {
	need strace
	local dev=$BATS_TEST_TMPDIR/16/sys/bus/event_source/devices before pmu
	many_cpus 16 "$BATS_TEST_TMPDIR/16"
	for pmu in first other wanted; do
		mkdir -p "$dev/$pmu/events"
		echo 9 >"$dev/$pmu/type"
		echo config=1 >"$dev/$pmu/events/of-$pmu"
	done
	before=$(calls 16 uncore-events encode of-wanted --route=perf)
	echo config=2 | tee "$dev"/{first,other}/events/{a..z} >/dev/null
	[ "$(calls 16 uncore-events encode of-wanted --route=perf)" = "$before" ]
}
