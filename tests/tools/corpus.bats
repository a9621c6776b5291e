#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Data of real machines: Linux topology trees and CPUID dumps, with results of other programs (lstopo, Debian's cpuid).
# Needs ../shared/corpus; skipped without it.

# bats file_tags=plain

load common
load answers

setup() {
	need jq
}

# ROW: one row of the corpus' expected.tsv, as a filter of jq: what uncore-info says about a kind of core in the dump
# $name, or about the machine simulated from it; then the name of the microarchitecture, whether it is supported, and
# whether it is a virtual machine. Of the architectural events only the first eight count, and those without a bit in the
# leaf are absent.
ROW='def digits: .[2:] | explode | map(if . > 57 then . - 87 else . - 48 end);
	def bits: (. // "0x0") | reduce digits[] as $digit (0; . * 16 + $digit) | . as $mask |
		[range(32) | . as $bit | select(($mask / pow(2; $bit) | floor) % 2 == 1)];
	def listed: if . == [] then "-" else map(tostring) | join(",") end;
	[$name, .cpus // "-", .vendor, .family, .model, .stepping] +
	(.leaf_0xa | if . == null then [range(13) | "-"] else
		[.version, .general_counters, .general_width, .fixed_counters, .fixed_width, .event_bits,
		(.event_bits as $listed | (.events_absent | bits) as $absent |
			[range(8) | select(. >= $listed or IN($absent[]))] | listed), (.fixed_bitmap | bits | listed),
		if .anythread_deprecated then 1 else 0 end] + ([.eax, .ebx, .ecx, .edx] | map("0000000" + .[2:] | .[-8:])) end) +
	[.logical_cpus // 0, .uarch // "-", .supported, .hypervisor] | @tsv'

# named_json COMMAND...: print an array of the name of the file or folder in the first option, and of all objects.
named_json() {
	[ "$status" = 0 ] || { printf '%s: status %s: %s\n' "$*" "$status" "$message" >&2; return 1; }
	printf '["%s",%s]\n' "${2##*/}" "${printed//$'\n'/,}"
}

# looked SUBJECT: print the name of a file with a row for each dump of the corpus (SUBJECT "dumps"), or each machine
# simulated from one ("machines"). The file is made once for all tests.
looked() {
	local made=$BATS_FILE_TMPDIR/$1 dump
	if [ ! -e "$made" ]; then
		for dump in "$CORPUS"/cpuid/*.cpuid "$CORPUS"/cpuid-hwloc/*.cpuid; do
			case $1 in
			dumps) later uncore-info --cpuid="$dump" --format=json ;;
			machines) later uncore-info --machine="sim:generic,cpuid=$dump" --format=json ;;
			esac
		done
		each_answer named_json | jq -r ". as [\$name] | .[1:][] | $ROW" >"$made.new" && mv "$made.new" "$made"
	fi
	echo "$made"
}

# The results of lstopo, with one correction: one tree has a wrong sibling mask on purpose, so that lstopo drops a
# package, while physical_package_id still shows all four. Itanium and s390 are left out if only proc/cpuinfo shows
# their packages.
expected_topology() {
	awk -F'\t' 'BEGIN { OFS = "\t" } !/^#/ {
		if ($1 == "40intel64-4n10c+pci-conflicts.tar.gz") { $3 = 4; $8 = "0,1,2,3" }
		if ($8 == "-") $8 = ""
		if ($2 !~ /^(ia64|s390)$/ || $1 ~ /^8ia64-2n2s2c/) print $1, $3, $7, $8 }' "$CORPUS/topology/expected.tsv"
}

@test "packages, online CPUs and first CPUs of 26 real topologies are as lstopo says" {
	need_corpus topology/expected.tsv
	local tree
	mkdir "$BATS_TEST_TMPDIR/trees"
	cat "$CORPUS"/topology/*.tar.gz | tar -xzi -C "$BATS_TEST_TMPDIR/trees"
	for tree in "$BATS_TEST_TMPDIR"/trees/*{ia64,s390}*; do
		[ ! -e "$tree/proc/cpuinfo" ] || rm -r "$tree"
	done
	for tree in "$BATS_TEST_TMPDIR"/trees/*; do later uncore-info --machine="root:$tree" --format=json; done
	each_answer named_json | jq -r '. as [$name] | .[1] | [$name + ".tar.gz", (.packages | length), .online // "-",
		(.packages | map(.cpu | tostring) | join(","))] | @tsv' | sort >"$BATS_TEST_TMPDIR/got"
	expected_topology | sort >"$BATS_TEST_TMPDIR/expected"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/expected")" -eq 26 ]
	diff "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/got"
}

@test "s390 and Itanium are refused by name, and identity comes from proc/cpuinfo where there is no CPUID" {
	need_corpus topology/expected.tsv
	local tree
	cat "$CORPUS"/topology/*{ia64,s390}*.tar.gz | tar -xzi -C "$BATS_TEST_TMPDIR"
	for tree in "$BATS_TEST_TMPDIR"/*{ia64,s390}*/proc/cpuinfo; do
		tree=${tree%/proc/cpuinfo}
		run -3 uncore-info --machine="root:$tree"
		[[ $output == "uncore-info: "*"/proc/cpuinfo: this is an "[sI]*" machine, "*"x86 or POWER" ]]
	done
	tar -xzf "$CORPUS/topology/8em64t-2s2ca2c.tar.gz" -C "$BATS_TEST_TMPDIR"
	run -0 uncore-info --format=json --machine="root:$BATS_TEST_TMPDIR/8em64t-2s2ca2c"
	[ "$(jq -c '[.vendor, .identity_source, .leaf_0xa]' <<< "$output")" = \
		'["GenuineIntel","cpuinfo",null]' ]
}

# join_kinds: join rows "FILE CPUS ..." of a file that differ only in their CPUs. The expected results do the same for
# kinds with the same leaf 0xA.
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

# decoded FOLDER: compare every column of every row of FOLDER/expected.tsv with what is read from the dumps there.
decoded() {
	grep -v '^#' "$CORPUS/$1/expected.tsv" | sort -st $'\t' -k1,1 >"$BATS_TEST_TMPDIR/expected"
	awk -F'\t' 'NR == FNR { wanted[$1] = 1; next } $1 in wanted' "$BATS_TEST_TMPDIR/expected" "$(looked dumps)" |
		cut -f1-20 | sort -st $'\t' -k1,1 | join_kinds >"$BATS_TEST_TMPDIR/got"
	diff "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/got"
}

@test "every column of 356 real CPUID dumps is as Debian's cpuid says, of machines with many sockets too" {
	need_corpus cpuid/expected.tsv
	decoded cpuid
	awk -F'\t' 'NF != 20 { print; exit 1 } END { exit NR != 337 }' "$BATS_TEST_TMPDIR/got"
	need_corpus cpuid-hwloc/expected.tsv
	decoded cpuid-hwloc
	[ "$(wc -l <"$BATS_TEST_TMPDIR/got")" -eq 19 ]
}

@test "a simulated machine made from a dump is the processor that the dump shows" {
	need_corpus cpuid/expected.tsv
	# The columns from the vendor to the end of leaf 0xA, for the first kind of core.
	awk -F'\t' '{ line = $3; for (i = 4; i <= 19; i++) line = line " " $i }
		NR == FNR { machine[$1] = line; n++; next }
		!($1 in seen) && machine[$1] != line { print $1 ": " machine[$1] ", and in the dump " line; wrong = 1 }
		{ seen[$1] = 1 }
		END { exit wrong || n != 357 }' "$(looked machines)" "$(looked dumps)"
}

@test "the kernel's PMUs of five real sysfs trees are listed with type and CPUs" {
	need_corpus perf-sysfs/adl.tsv
	local name names=(adl jkt skx snb spr)
	for name in "${names[@]}"; do sysfs_tree "$name" >/dev/null; done
	(cd "$CORPUS/perf-sysfs" && awk -F'\t' -v OFS='\t' '
		$1 ~ /^bus\/event_source\/devices\/[^\/]*\/type$/ {
			split($1, part, "/")
			print "tree-" substr(FILENAME, 1, length(FILENAME) - 4), part[4], $2
		}' "${names[@]/%/.tsv}") | sort >"$BATS_TEST_TMPDIR/expected"
	[ "$(cut -f1 "$BATS_TEST_TMPDIR/expected" | uniq | paste -sd ' ')" = "${names[*]/#/tree-}" ]
	for name in "${names[@]}"; do later uncore-info --machine="root:$BATS_TEST_TMPDIR/tree-$name" --format=json; done
	each_answer named_json | jq -r '. as [$name] | .[1].kernel_pmus[] | [$name, .name, .type] | @tsv' |
		sort | diff "$BATS_TEST_TMPDIR/expected" -
	run -0 uncore-info --machine="root:$BATS_TEST_TMPDIR/tree-adl" --format=json
	jq -e '.kernel_pmus | map(select(.name == "cpu_atom")) == [{name: "cpu_atom", type: 12,
			cpus: "16-23"}] and ([.[].type] == ([.[].type] | sort))' <<<"$output"
	run -0 uncore-info --machine="root:$BATS_TEST_TMPDIR/tree-spr"
	[ "$(grep -c uncore_cha <<< "$output")" -eq 1 ]
	[[ $output == *"kernel PMUs  "*"uncore_cha ("* ]]
}

# Code names in file names, and our names for the processor. Some names cover several models.
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

@test "every real dump gets its family's name or is refused; bare-metal ones with tables are supported" {
	need_corpus cpuid/expected.tsv
	cut -f1,21 "$(looked dumps)" >"$BATS_TEST_TMPDIR/named"
	uncore-info --registers --uarch=. 2>&1 | sed 's/.*there are tables for //; s/;.*//; s/, /\n/g' >"$BATS_TEST_TMPDIR/tables"
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
	awk -F'\t' '$21 == "nehalem" || $21 == "westmere" {
			n++
			if ($4 " " $5 !~ /^6 (26|30|31|37|44)$/) { print; wrong = 1 }
		}
		END { exit wrong || !n }' "$(looked dumps)"
	awk -F'\t' 'FNR == NR { table[$1] = 1; next }
		{ n++ }
		($22 == "true") != ($21 in table && $23 == "false") { print; wrong = 1 }
		END { exit wrong || n != 357 }' "$BATS_TEST_TMPDIR/tables" "$(looked machines)"
}
