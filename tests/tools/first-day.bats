#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# The first commands that a user types, on the files of other machines: each has a result, or says in one line why not.
# (metrics.bats has simulated machines.)

load common

# is_one_line TEXT TOOL: is it a single message of the tool?
is_one_line() {
	[[ $1 == "$2: "* && $1 != *$'\n'* ]] || { echo "not one line of $2: $1"; return 1; }
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
