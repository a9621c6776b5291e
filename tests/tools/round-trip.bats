#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Each spelling that encode prints for the names of real event lists must be understood. Needs ../shared/corpus; skipped
# without it.

# bats file_tags=plain

load common

# Processors and their lists. Lists of two kinds of cores share names, so each list is used alone.
LISTS='sandybridge SNB/events/sandybridge_core.json
sandybridge SNB/events/sandybridge_uncore.json
sandybridge old-array/sandybridge_uncore.json
ivybridge IVB/events/ivybridge_uncore.json
alderlake ADL/events/alderlake_goldencove_core.json
alderlake ADL/events/alderlake_gracemont_core.json
alderlake ADL/events/alderlake_uncore.json
alderlake ADL/events/alderlake_uncore_experimental.json
sandybridge-ep JKT/events/Jaketown_uncore.json
skylake-sp SKX/events/skylakex_core.json
skylake-sp SKX/events/skylakex_uncore.json
skylake-sp SKX/events/skylakex_uncore_experimental.json
skylake-sp old-array/skylakex_uncore.json
sapphirerapids SPR/events/sapphirerapids_core.json
sapphirerapids SPR/events/sapphirerapids_uncore.json
sapphirerapids SPR/events/sapphirerapids_uncore_experimental.json
westmere WSM-EP-DP/events/WestmereEP-DP_core.json'

setup() {
	need jq
	need_corpus perfmon/mapfile.csv
	export UNCOREMSR_EVENTS=$BATS_TEST_TMPDIR/installed
	cd "$BATS_TEST_TMPDIR" || return
	need_json
}

# encode_list UARCH LIST: write the encodings of all events to "encoded".
encode_list() {
	how=(--route=msr --uarch="$1" --event-list="$CORPUS/perfmon/$2" --format=json)
	uncore-events encode --all "${how[@]}" >encoded 2>reasons || [ -s reasons ] # registers cannot count some events
}

# read_back FORM: encode the texts in this column of "encoded" again, by one command; the words must be the same.
read_back() {
	local words
	jq -r "select(.$1 != null) | .$1" encoded >words
	mapfile -t words <words
	[ "${#words[@]}" -gt 0 ] || return 0
	jq -c "select(.$1 != null) | [.$1, .encoding, .extra_register, .extra_value]" encoded >first
	uncore-events encode "${how[@]}" -- "${words[@]}" >again
	jq -c '[.encoding, .extra_register, .extra_value]' again | paste words - >second
	jq -r "\"\(.[0])\\t\(.[1:] | tojson)\"" first | diff - second
	printed=$((printed + ${#words[@]}))
}

@test "whatever encode prints for a name of a list is read back to the same words" {
	local uarch list form printed=0
	while read -r uarch list; do
		drawn 4 || continue
		encode_list "$uarch" "$list"
		for form in name perf libpfm4 likwid; do
			echo "$uarch $list $form"
			read_back "$form"
		done
	done <<<"$LISTS"
	echo "$printed read back"
	[ "$printed" -gt "$((${WHOLE:+9000} + 0))" ]
}
