#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# The first three commands that a user types, on every machine: each has a result, or says in one line why not.

# bats sets status, output, stderr and their line arrays.
# shellcheck disable=SC2154,SC2030,SC2031

load common

# is_one_line TEXT TOOL: is it a single message of the tool?
is_one_line() {
	[[ $1 == "$2: "* && $1 != *$'\n'* ]] || { echo "not one line of $2: $1"; return 1; }
}

# bats test_tags=plain
@test "each simulated machine has counts and a verdict, and the search for bandwidth finds something" {
	local machine
	while read -r machine _; do
		echo "$machine"
		run -0 --separate-stderr uncore-read --machine="sim:$machine,clock=stepped"
		[[ ${lines[0]} == *"SIMULATED machine $machine"* && ${#lines[@]} -ge 3 ]]
		# Every machine has some activity, so a value of 0 would mean that the metric cannot be counted here.
		[[ ! $output =~ \ 0\.0+\  ]]
		run --separate-stderr uncore-throttle --machine="sim:$machine,clock=stepped" -n 1
		case $machine in
		generic | power*) [ "$status" = 3 ] && is_one_line "$stderr" uncore-throttle ;;
		westmere-2s*) [ "$status" = 1 ] && [[ ${lines[0]} == *"throttled: "* ]] ;;
		*) [ "$status" = 0 ] && [[ ${lines[0]} == *": ok: "* ]] ;;
		esac
		run --separate-stderr uncore-events search bandwidth --machine="sim:$machine"
		if [ "$machine" = generic ]; then
			[ "$status" = 3 ] && is_one_line "$stderr" uncore-events
		else
			[ "$status" = 0 ] && [[ $output == *andwidth* && -z $stderr ]]
		fi
	done < <(uncore-sim list)
}

# looked_at DIR: check a tree with files of another machine. The tools describe it, cannot count there, and say so in
# one line.
looked_at() {
	echo "$1"
	run -0 --separate-stderr uncore-info --machine="root:$1"
	[[ $output == "processor "*"package "* || $output == "processor "*"online CPUs "* || $output == "processor "*"kernel PMUs "* ]]
	run --separate-stderr uncore-read --machine="root:$1"
	[[ $status = [34] && -z $output ]] && is_one_line "$stderr" uncore-read
	run --separate-stderr uncore-events search bandwidth --machine="root:$1"
	[ "$status" = 0 ] || is_one_line "$stderr" uncore-events
	run --separate-stderr uncore-doctor --machine="root:$1"
	[[ $status = [34] && -z $stderr && $output == *$'\nquestion '*$'\ncommand     no '* ]]
}

# bats test_tags=plain
@test "the kernel's PMUs of five machines are described and searched, and messages say why nothing is counted" {
	local name
	need_corpus perf-sysfs
	for name in adl jkt skx snb spr; do
		looked_at "$(sysfs_tree "$name")"
	done
	# Events of the kernel itself are found.
	run -0 uncore-events search data_write --machine="root:$BATS_TEST_TMPDIR/tree-adl"
	run -0 uncore-events search cas_count_read --machine="root:$BATS_TEST_TMPDIR/tree-jkt"
}

# bats test_tags=plain
@test "real topologies, odd ones too, are described and searched, and messages say why nothing is counted" {
	local name
	need_corpus topology
	for name in 16amd64-8n2c-cpusets 256ppc-8n8s4t 2arm-2c 2ps3-2t \
		32intel64-2p8co2t+8ve 40intel64-4n10c+pci-conflicts 8em64t-2s4c-asymcaches memorysidecaches \
		nvidia-dgx-gb10 offline-cpu0-node0; do
		tar -xz -f "$CORPUS/topology/$name.tar.gz" -C "$BATS_TEST_TMPDIR"
		looked_at "$BATS_TEST_TMPDIR/$name"
	done
}
