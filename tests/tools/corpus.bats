#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Real machines that we did not make: Linux topology trees and CPUID dumps, with answers worked out by
# other programs (lstopo, Debian's cpuid). Needs ../shared/corpus; skipped without it.

# bats file_tags=plain

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

# The columns of expected.tsv, from the objects that uncore-info prints for one dump: a row per kind of
# core. The oracle makes one row of kinds that have the same leaf 0xA, so that rows which differ in their
# CPUs only are joined by join_kinds.
# jq's variables, not the shell's.
# shellcheck disable=SC2016
ROW='def hex8: ltrimstr("0x") | ("00000000" + .)[-8:];
	def digit: if . <= "9" then explode[0] - 48 else explode[0] - 87 end;
	def number: ltrimstr("0x") | explode | map([.] | implode | digit) | reduce .[] as $d (0; . * 16 + $d);
	def set: . as $m | [range(32) | select(($m / pow(2; .) | floor) % 2 == 1)] | join(",") |
		if . == "" then "-" else . end;
	def or_none: if . == "" then "-" else . end;
	.leaf_0xa as $a | [.cpus, .vendor, .family, .model, .stepping] +
	(if $a then [$a.version, $a.general_counters, $a.general_width, $a.fixed_counters,
		$a.fixed_width, $a.event_bits,
		([$a.events_not_available[] | .bit | select(. < 8)] | join(",") | or_none),
		(($a.fixed_bitmap // "0x0") | number | set), (if $a.anythread_deprecated then 1 else 0 end),
		($a.eax | hex8), ($a.ebx | hex8), ($a.ecx | hex8), ($a.edx | hex8)]
	 else [range(13) | "-"] end) + [.logical_cpus] | map(tostring) | join("\t")'

# join_kinds: rows "FILE CPUS ..." of one file that differ in their CPUs only become one.
join_kinds() {
	awk -F'\t' 'BEGIN { OFS = "\t" }
		function expand(list, into,    n, i, j, part, ends) {
			n = split(list, part, ",")
			for (i = 1; i <= n; i++) {
				if (split(part[i], ends, "-") == 1) ends[2] = ends[1]
				for (j = ends[1] + 0; j <= ends[2] + 0; j++) into[j] = 1
			}
		}
		function flush(    i, text, from) {
			if (key == "") return
			for (i = 0; i < 4096; i++) {
				if (!(i in cpu)) continue
				for (from = i; (i + 1) in cpu;) i++
				text = text (text == "" ? "" : ",") from (i > from ? "-" i : "")
			}
			print file, text, rest
			split("", cpu)
		}
		{ line = $0; sub(/^[^\t]*\t[^\t]*\t/, "", line) }
		$1 SUBSEP line != key { flush(); key = $1 SUBSEP line; file = $1; rest = line }
		{ expand($2, cpu) }
		END { flush() }'
}

# decode FOLDER: every column of every row of FOLDER/expected.tsv against what uncore-info reads.
decode() {
	local file
	grep -v '^#' "$CORPUS/$1/expected.tsv" > "$BATS_TEST_TMPDIR/expected"
	while IFS=$'\t' read -r file _; do
		uncore-info --format=json --cpuid="$CORPUS/$1/$file" | sed "s|^|$file\\t|"
	done < "$BATS_TEST_TMPDIR/expected" > "$BATS_TEST_TMPDIR/json"
	jq -rR 'split("\t") as [$file, $json] | $json | fromjson | '"($ROW)"' | "\($file)\t\(.)"' \
		"$BATS_TEST_TMPDIR/json" | join_kinds > "$BATS_TEST_TMPDIR/got"
	diff "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/got"
}

@test "every column of 337 real CPUID dumps is as Debian's cpuid says" {
	need_corpus cpuid/expected.tsv
	need jq
	decode cpuid
	[ "$(wc -l < "$BATS_TEST_TMPDIR/got")" -eq 337 ]
	[ "$(awk -F'\t' '{ print NF }' "$BATS_TEST_TMPDIR/got" | sort -u)" -eq 20 ]
}

@test "the same for the dumps of machines with many sockets" {
	need_corpus cpuid-hwloc/expected.tsv
	need jq
	decode cpuid-hwloc
	[ "$(wc -l < "$BATS_TEST_TMPDIR/got")" -eq 19 ]
}

@test "a simulated machine made from a dump is the processor that the dump shows" {
	need_corpus cpuid/expected.tsv
	need jq
	local file filter='[.vendor, .family, .model, .stepping, .leaf_0xa]' n=0
	for file in "$CORPUS"/cpuid/*.cpuid "$CORPUS"/cpuid-hwloc/*.cpuid; do
		[ "$(uncore-info --format=json --machine="sim:generic,cpuid=$file" | jq -c "$filter")" = \
		  "$(uncore-info --format=json --cpuid="$file" | head -n 1 | jq -c "$filter")" ] ||
			{ echo "$file"; return 1; }
		n=$((n + 1))
	done
	[ "$n" -eq 357 ]
}

@test "hybrid dumps show each kind of core with its own CPUs, type and counters" {
	need_corpus cpuid/expected.tsv
	need jq
	local dump=$CORPUS/cpuid/GenuineIntel00A06A4_MeteorLake_09_CPUID.cpuid
	run -0 uncore-info --format=json --cpuid="$dump"
	[ "${#lines[@]}" -eq 2 ]
	[ "$(jq -r '[.core_type, .cpus, .core_counters.general_mask, .core_counters.fixed_mask,
		.leaf_0x23.events] | join(" ")' <<< "$output")" = "P 0-1,10-11 0xff 0xf 0xdff
E 2-9,12-13 0xff 0x7 0x7f" ]
	dump=$CORPUS/cpuid/GenuineIntel0090672_AlderLake_03_CPUID.cpuid
	run -0 uncore-info --format=json --cpuid="$dump"
	[ "$(jq -r '[.core_type, .core_counters.general, .core_counters.fixed] | join(" ")' <<< "$output")" = "P 8 4
E 6 3" ]
	dump=$CORPUS/cpuid/GenuineIntel00C0662_ArrowLake_08_CPUID.cpuid
	run -0 uncore-info --format=json --cpuid="$dump"
	[ "$(jq -r '[.core_type, .core_counters.general, .core_counters.fixed_mask] | join(" ")' \
		<<< "$output")" = "P 10 0xf
E 8 0x77" ]
}

@test "not one of 338 real dumps is refused, the one that the oracle has no row for included" {
	need_corpus cpuid/expected.tsv
	need jq
	local file
	for file in "$CORPUS"/cpuid/*.cpuid; do
		uncore-info --format=json --cpuid="$file" || { echo "$file"; return 1; }
	done > "$BATS_TEST_TMPDIR/json"
	[ "$(jq -r .file "$BATS_TEST_TMPDIR/json" | sort -u | wc -l)" -eq 338 ]
}

# sysfs_tree NAME: a root folder with one of the recorded sysfs trees in it.
sysfs_tree() {
	local path text cpu=$BATS_TEST_TMPDIR/$1/sys/devices/system/cpu
	mkdir -p "$cpu/cpu0/topology"
	echo 0 > "$cpu/online"
	echo 0 > "$cpu/cpu0/topology/physical_package_id"
	while IFS=$'\t' read -r path text; do
		mkdir -p "$BATS_TEST_TMPDIR/$1/sys/$(dirname "$path")"
		printf '%s\n' "$text" > "$BATS_TEST_TMPDIR/$1/sys/$path"
	done < <(grep -E '/(type|cpumask|cpus)	' "$CORPUS/perf-sysfs/$1.tsv")
}

@test "the kernel's PMUs of five real sysfs trees are listed with type and CPUs" {
	need_corpus perf-sysfs/adl.tsv
	need jq
	local name
	for name in adl jkt skx snb spr; do
		sysfs_tree "$name"
		sed -n 's|^bus/event_source/devices/\([^/]*\)/type\t|\1 |p' "$CORPUS/perf-sysfs/$name.tsv" |
			sort > "$BATS_TEST_TMPDIR/expected"
		[ -s "$BATS_TEST_TMPDIR/expected" ]
		uncore-info --machine="root:$BATS_TEST_TMPDIR/$name" --format=json |
			jq -r '.kernel_pmus[] | "\(.name) \(.type)"' | sort |
			diff "$BATS_TEST_TMPDIR/expected" -
	done
	uncore-info --machine="root:$BATS_TEST_TMPDIR/adl" --format=json |
		jq -e '.kernel_pmus | map(select(.name == "cpu_atom")) == [{name: "cpu_atom", type: 12,
			cpus: "16-23"}] and ([.[].type] == ([.[].type] | sort))'
	run -0 uncore-info --machine="root:$BATS_TEST_TMPDIR/spr"
	[ "$(grep -c . <<< "$output")" -lt 20 ]
	[[ $output == *"kernel PMUs  "*"uncore_cha ("* ]]
}

@test "the Ivy Bridge of the PMU basics article: version 3, 4 and 3 counters of 48 bits" {
	need jq
	uncore-info --format=json \
		--machine="sim:generic,cpuid=$TOP/tests/fixtures/ivybridge.cpuid" | jq -e '
		.uarch == "ivybridge" and .supported and .leaf_0xa == (.leaf_0xa + {
		version: 3, general_counters: 4, general_width: 48, fixed_counters: 3,
		fixed_width: 48 })'
}

# The code name in a file's name, and what we may call the processor. Some names cover several models.
CODENAMES='AlderLake|TwinLake=alderlake
ArrowLake=arrowlake
MeteorLake=meteorlake
LunarLake=lunarlake
PantherLake=pantherlake
WildcatLake=wildcatlake
RaptorLake=raptorlake
BartlettLake=bartlettlake raptorlake
RocketLake=rocketlake
TigerLake=tigerlake
IceLakeY=icelake
ICX=icelake-sp icelake-d
EmeraldRapids=emeraldrapids
SapphireRapids=sapphirerapids
GraniteRapids=graniterapids
SierraForest=sierraforest
CascadeLake|SkylakeX|SkylakeD=skylake-sp
Kabylake|Coffee[Ll]ake|AmberLake|WhiskeyLake=kabylake
CometLake=cometlake kabylake
Skylake_|Skylake[0-9]=skylake
BroadwellDE=broadwell-de
BroadwellE|Broadwell-2xXeon=broadwell-ep
Broadwell=broadwell
HaswellE|HaswellXeon|Haswell-2xXeon=haswell-ep haswell
Haswell|CrystalWell=haswell
IvyBridgeE|IvyBridge-12xXeon=ivybridge-ep
IvyBridge=ivybridge
SandyBridgeE|SandyBridge-2xXeon=sandybridge-ep
SandyBridge=sandybridge sandybridge-ep
KnightsLanding=knightslanding
Beckton=nehalem-ex
Eagleton|WestmereEX=westmere-ex
Lynnfield|Clarksfield|Auburndale|Nehalem|Bloomfield=nehalem
Gulftown|Westmere|Arrandale|Clarkdale=westmere
CPUID\.1A-=kabylake
K15_|15h-=bulldozer
K16_=jaguar
K17_|Zen_=zen zen2
K19_|Zen4=zen3 zen4
K20_|Zen5=zen5
Hygon=dhyana'

# name_dumps: "FILE UARCH" of every dump, one line per kind of core.
name_dumps() {
	local file
	for file in "$CORPUS"/cpuid/*.cpuid "$CORPUS"/cpuid-hwloc/*.cpuid; do
		uncore-info --format=json --cpuid="$file" | jq -r '"\(.file | sub(".*/"; "")) \(.uarch)"'
	done
}

@test "every real dump is called by the name of its family, or is refused" {
	need_corpus cpuid/expected.tsv
	need jq
	name_dumps > "$BATS_TEST_TMPDIR/named"
	uncore-info --registers --uarch=. 2>&1 | sed 's/.*there are tables for //; s/;.*//; s/, /\n/g' \
		> "$BATS_TEST_TMPDIR/tables"
	awk -v codenames="$CODENAMES" '
		BEGIN {
			n = split(codenames, row, "\n")
			for (i = 1; i <= n; i++) { split(row[i], part, "="); re[i] = part[1]; ok[i] = part[2] }
		}
		FNR == NR { table[$1] = 1; next }
		{
			for (i = 1; i <= n && $1 !~ re[i]; i++) ;
			if (i > n) { if ($2 in table) print $1, "is taken for", $2 }
			else if (index(" " ok[i] " ", " " $2 " ") == 0) print $1, "is", ok[i], "not", $2
			else hit[i]++
		}
		END { for (i = 1; i <= n; i++) hits += hit[i]; print "checked", hits }
	' "$BATS_TEST_TMPDIR/tables" "$BATS_TEST_TMPDIR/named" > "$BATS_TEST_TMPDIR/got"
	cat "$BATS_TEST_TMPDIR/got"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/got")" -eq 1 ]
	[ "$(sed 's/checked //' "$BATS_TEST_TMPDIR/got")" -gt 200 ]
}

@test "no dump but those of Nehalem and Westmere is taken for one of them" {
	need_corpus cpuid/expected.tsv
	need jq
	local file
	for file in "$CORPUS"/cpuid/*.cpuid; do
		uncore-info --format=json --cpuid="$file"
	done | jq -r 'select(.uarch == "nehalem" or .uarch == "westmere") | "\(.family) \(.model)"' |
		sort -u > "$BATS_TEST_TMPDIR/got"
	[ -s "$BATS_TEST_TMPDIR/got" ]
	! grep -vE '^6 (26|30|31|37|44)$' "$BATS_TEST_TMPDIR/got"
}

@test "of all real dumps those are supported whose processor has tables and that are no guests" {
	need_corpus cpuid/expected.tsv
	need jq
	local file
	uncore-info --registers --uarch=. 2>&1 | sed 's/.*there are tables for //; s/;.*//; s/, /\n/g' \
		> "$BATS_TEST_TMPDIR/tables"
	while IFS= read -r file; do
		uncore-info --format=json --machine="sim:generic,cpuid=$file"
	done < <(ls "$CORPUS"/cpuid/*.cpuid) |
		jq -r '"\(.supported) \(.hypervisor) \(.uarch)"' > "$BATS_TEST_TMPDIR/got"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/got")" -eq 338 ]
	awk 'FNR == NR { table[$1] = 1; next }
		($1 == "true") != ($3 in table && $2 != "true") { print; wrong = 1 }
		END { exit wrong }' "$BATS_TEST_TMPDIR/tables" "$BATS_TEST_TMPDIR/got"
}
