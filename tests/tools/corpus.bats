#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Real machines that we did not make: Linux topology trees and CPUID dumps, with answers worked out by
# other programs (lstopo, Debian's cpuid). Needs ../shared/corpus; skipped without it.

load common

# json_field FILE FILTER: one line per JSON object of FILE.
lines() {
	jq -r "$2" "$1"
}

# The answers of lstopo, but for one tree: a sibling mask was altered there on purpose, lstopo drops
# a package over it, and physical_package_id still tells the right four.
expected_topology() {
	awk -F'\t' 'BEGIN { OFS = "\t" } !/^#/ {
		if ($1 == "40intel64-4n10c+pci-conflicts.tar.gz") { $3 = 4; $8 = "0,1,2,3" }
		if ($8 == "-") $8 = ""
		print $1, $3, $7, $8 }' "$CORPUS/topology/expected.tsv"
}

@test "packages, online CPUs and first CPUs of 31 real topologies are as lstopo says" {
	need_corpus topology/expected.tsv
	need jq
	local tree name
	while IFS= read -r tree; do
		name=$(basename "$tree")
		tar -xzf "$tree" -C "$BATS_TEST_TMPDIR"
		uncore-info --format=json \
			--machine="root:$BATS_TEST_TMPDIR/${name%.tar.gz}" > "$BATS_TEST_TMPDIR/json"
		jq -r --arg name "$name" '[$name, (.packages | length), .online,
			([.packages[].cpu | tostring] | join(","))] | @tsv' "$BATS_TEST_TMPDIR/json"
	done < <(ls "$CORPUS"/topology/*.tar.gz) | sort > "$BATS_TEST_TMPDIR/got"
	expected_topology | sort > "$BATS_TEST_TMPDIR/expected"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/expected")" -eq 31 ]
	diff "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/got"
}

@test "a tree without CPUID or x86 cpuinfo still shows its packages and says so" {
	need_corpus topology/expected.tsv
	need jq
	tar -xzf "$CORPUS/topology/20s390-2g6s4c.tar.gz" -C "$BATS_TEST_TMPDIR"
	run -0 uncore-info --format=json --machine="root:$BATS_TEST_TMPDIR/20s390-2g6s4c"
	[ "$(jq -c '[.vendor, .family, .supported, (.packages | length)]' <<< "$output")" = \
		'[null,null,false,8]' ]
	run -0 uncore-info --machine="root:$BATS_TEST_TMPDIR/20s390-2g6s4c"
	[[ "$output" == *"processor is unknown"* ]]
}

@test "identity comes from proc/cpuinfo where there is no CPUID, and is marked so" {
	need_corpus topology/expected.tsv
	need jq
	tar -xzf "$CORPUS/topology/8em64t-2s2ca2c.tar.gz" -C "$BATS_TEST_TMPDIR"
	run -0 uncore-info --format=json --machine="root:$BATS_TEST_TMPDIR/8em64t-2s2ca2c"
	[ "$(jq -c '[.vendor, .identity_source, .leaf_0xa]' <<< "$output")" = \
		'["GenuineIntel","cpuinfo",null]' ]
}

# decode FOLDER: every dump of FOLDER/expected.tsv against what uncore-info reads from it.
decode() {
	local file
	grep -v '^#' "$CORPUS/$1/expected.tsv" | awk -F'\t' '
		BEGIN { OFS = "\t" }
		seen[$1]++ { next } # further kinds of CPU in one dump: CPU 0 is the first
		{ print $1, $3, $4, $5, $6, $7, $8, $9, $10, $11 }' > "$BATS_TEST_TMPDIR/expected"
	while IFS=$'\t' read -r file _; do
		uncore-info --format=json --machine="sim:generic,cpuid=$CORPUS/$1/$file" |
			sed "s|^|$file\\t|"
	done < "$BATS_TEST_TMPDIR/expected" > "$BATS_TEST_TMPDIR/json"
	jq -rR 'split("\t") as [$file, $json] | ($json | fromjson) as $o | $o.leaf_0xa as $a |
		[$file, $o.vendor, $o.family, $o.model, $o.stepping] +
		(if $a then [$a.version, $a.general_counters, $a.general_width, $a.fixed_counters,
			$a.fixed_width] else ["-", "-", "-", "-", "-"] end) | map(tostring) |
		join("\t")' "$BATS_TEST_TMPDIR/json" > "$BATS_TEST_TMPDIR/got"
	diff "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/got"
}

@test "family, model and leaf 0xA of 337 real CPUID dumps are as Debian's cpuid says" {
	need_corpus cpuid/expected.tsv
	need jq
	decode cpuid
	[ "$(wc -l < "$BATS_TEST_TMPDIR/got")" -gt 300 ]
}

@test "the same for the dumps of machines with many sockets" {
	need_corpus cpuid-hwloc/expected.tsv
	need jq
	decode cpuid-hwloc
}

@test "the Ivy Bridge of the PMU basics article: version 3, 4 and 3 counters of 48 bits" {
	need jq
	uncore-info --format=json \
		--machine="sim:generic,cpuid=$TOP/tests/fixtures/ivybridge.cpuid" | jq -e '
		.uarch == "ivybridge" and (.supported | not) and .leaf_0xa == (.leaf_0xa + {
		version: 3, general_counters: 4, general_width: 48, fixed_counters: 3,
		fixed_width: 48 })'
}

@test "of all real dumps only Nehalem and Westmere are supported" {
	need_corpus cpuid/expected.tsv
	need jq
	local file
	while IFS= read -r file; do
		uncore-info --format=json --machine="sim:generic,cpuid=$file"
	done < <(ls "$CORPUS"/cpuid/*.cpuid) |
		jq -r 'select(.supported) | "\(.family) \(.model)"' | sort -u > "$BATS_TEST_TMPDIR/got"
	[ -s "$BATS_TEST_TMPDIR/got" ]
	! grep -vE '^6 (26|30|31|37|44)$' "$BATS_TEST_TMPDIR/got"
}
