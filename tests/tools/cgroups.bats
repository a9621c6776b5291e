#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Events of control groups: several at the same time, and with each way to name a group.

load common

setup() {
	need jq
	[ "$(id -u)" = 0 ] || skip "root is needed to make control groups"
	ROOT=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
	[ -n "$ROOT" ] || skip "no control groups of version 2 here"
	NAME=uncoremsr-test-$$
	mkdir "$ROOT/$NAME-a" "$ROOT/$NAME-b" 2>/dev/null || skip "control groups cannot be made here"
	uncore-read --cgroup="$NAME-a" -e task-clock -i 0.1 -n 1 >/dev/null 2>&1 ||
		skip "the kernel does not count for control groups here"
}

teardown() {
	[ -z "$ROOT" ] || rmdir "$ROOT/$NAME-a" "$ROOT/$NAME-b" 2>/dev/null || true
}

@test "each of several control groups has its own readings, without the work of the others" {
	run -0 uncore-read --cgroup="$NAME-a" --cgroup="$NAME-b" -e task-clock,page-faults --format=json -o - -- \
		sh -c 'echo $$ >"$0/cgroup.procs"; for i in 1 2 3; do ls / >/dev/null; done' "$ROOT/$NAME-b"
	jq -se --arg a "cgroup $NAME-a" --arg b "cgroup $NAME-b" '
		def sum(t; e): [.[] | select(.target == t and .event == e) | .value | tonumber] | add;
		sum($a; "page-faults") == 0 and sum($b; "page-faults") > 100 and sum($b; "task-clock") > 0' \
		<<<"$output"
	run -0 uncore-read --cgroup="$NAME-a" --cgroup="$NAME-b" -e task-clock -i 0.1 -n 1
	[[ $output == *"task-clock (cgroup $NAME-a)"*"task-clock (cgroup $NAME-b)"* ]]
	[[ $output == *"(2 cgroups)"* ]]
}

@test "--oneline has the whole name of a control group, wherever its characters of several bytes are" {
	local long
	long=$(printf 'ä%.0s' {1..40})
	mkdir "$ROOT/$NAME-$long" "$ROOT/$NAME-x$long"
	run uncore-read --cgroup="$NAME-$long" --cgroup="$NAME-x$long" -e task-clock -i 0.1 -n 1 --oneline
	rmdir "$ROOT/$NAME-$long" "$ROOT/$NAME-x$long"
	[ "$status" = 0 ]
	[[ $output == *"$NAME-$long="*"$NAME-x$long="* ]]
}

@test "a control group can be named as in /proc/PID/cgroup, by its whole path, or by a relative one" {
	local name
	for name in "$NAME-a" "/$NAME-a" "0::/$NAME-a" "$ROOT/$NAME-a"; do
		run -0 uncore-read --cgroup="$name" -e task-clock -i 0.1 -n 1 --format=json
		[[ $output == *"\"target\":\"cgroup $name\""* ]]
	done
	fails_with 2 "/no:such:group: No such file" uncore-read --cgroup=no:such:group -e task-clock
	fails_with 2 "/4:group: No such file" uncore-read --cgroup=4:group -e task-clock
	fails_with 2 "no-such-group" uncore-read --cgroup="$NAME-a" --cgroup=no-such-group -e task-clock
}

@test "the root control group is refused, because it contains every process" {
	local name
	[ ! -e "$ROOT/cgroup.events" ] || skip "a container: its root is a group like any other"
	for name in / 0::/ "$ROOT" "$ROOT/"; do
		fails_with 2 "the root of all groups has every process in it" \
			uncore-read --cgroup="$name" -e task-clock -i 0.1 -n 1
		[[ $stderr == *"; without a group everything is counted" ]]
	done
	fails_with 2 "the root of all groups" uncore-read --cgroup="$NAME-a" --cgroup=/ -e task-clock
}
