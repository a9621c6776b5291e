# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of tests/bench/run: what a look of uncore-throttle costs.
# shellcheck shell=bash disable=SC2154,SC2317 # variables of run; functions called by name

WIDE=$TMP/1024-cpus

# A Nehalem-EX with four packages of 128 cores with two threads each.
describe_wide() {
	local p
	printf '%s\n' 'leaf = 0x0 0 0x0000000b 0x756e6547 0x6c65746e 0x49656e69' \
		'leaf = 0x1 0 0x000206e4 0x00200800 0x00bce3bd 0xbfebfbff' \
		'leaf = 0x6 0 0x00000001 0x00000001 0x00000001 0x00000000' 'tsc_hz = 2266666667'
	for p in {0..3}; do
		printf 'package = %d cores=0-127 cpus=%d-%d,%d-%d\n' "$p" $((128 * p)) $((128 * p + 127)) \
			$((512 + 128 * p)) $((512 + 128 * p + 127))
	done
	printf '%s\n' 'uncore = nehalem-ex' 'uncore_hz = 2266666667' 'throttle = none' end
}

# Print the system calls of a run that shows the state once, without those that read the topology. Status 3 is accepted:
# not every cause can be determined.
look_calls() {
	local status=0
	strace -f -y -o "$TMP/strace" "$BIN/uncore-throttle" --machine="root:$1" "${@:2}" >/dev/null || status=$?
	[ "$status" = 0 ] || [ "$status" = 3 ] || return "$status"
	grep -vc '/topology/' "$TMP/strace"
}

# calls_per_cpu OPTION...: system calls for each CPU beyond 64.
calls_per_cpu() {
	describe_wide >"$TMP/wide.sim"
	on nehalem-ex-4s,throttle=none "$MANY" true && on "$TMP/wide.sim" "$WIDE" true || return
	slope "$(look_calls "$MANY" "$@")" "$(look_calls "$WIDE" "$@")" $((1024 - 64))
}

watching() {
	title "one look of uncore-throttle -i at 2 packages of 6 cores, nothing happens"
	measure "system calls" "no open, no write" "strace mount" calls_per_look
	measure "system calls, --kernel-only" "no open, no write" "strace mount" \
		calls_per_look --kernel-only
	measure "processor time of the watching process, us" "" mount \
		per microseconds 20 220 200 "$BIN/uncore-throttle" --machine="root:$CALM" -i 0.001 -n {}
	title "uncore-throttle once, two looks at 64 and at 1024 CPUs with two threads for each core"
	measure "system calls for each CPU, without topology" "10 at most" "strace mount" calls_per_cpu
	measure "the same, --kernel-only" "10 at most" "strace mount" calls_per_cpu --kernel-only
}
