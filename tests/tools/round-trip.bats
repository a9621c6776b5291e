#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every name of every real event list must be encoded as the list says, and each spelling that encode prints must be
# understood. Needs ../shared/corpus; skipped without it.

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

# Messages for events that registers cannot count.
REASONS='the event counts on PMU .[a-z0-9_]*., whose registers cannot be reached here as MSRs$
the event needs (offcore_rsp|ldlat|frontend), a second register of the core, which only the kernel.s route \(perf\) sets$
UNC_U_[A-Z0-9_.]*.: event select 0x14[567] is out of range 0..0xff$'

setup() {
	need jq
	need_corpus perfmon/mapfile.csv
	export UNCOREMSR_EVENTS=$BATS_TEST_TMPDIR/installed
	cd "$BATS_TEST_TMPDIR" || return
	need_json
}

# encode_list UARCH LIST: write the encodings of all events to "encoded"; if an event has none, the reason to "reasons".
encode_list() {
	how=(--route=msr --uarch="$1" --event-list="$CORPUS/perfmon/$2" --format=json)
	uncore-events encode --all "${how[@]}" >encoded 2>reasons || [ -s reasons ]
}

# The selector according to the list, computed from the manuals' layout without our code: "NAME HIGH LOW" in decimal.
# Events of fixed counters are left out, because they have no selector. The variables are jq's.
# shellcheck disable=SC2016
SELECTOR='def digit: explode[0] | if . >= 97 then . - 87 else . - 48 end;
	def number: (. // "0" | split(",")[0] | ascii_downcase) as $t |
		if $t | startswith("0x") then $t[2:] | explode | map([.] | implode | digit)
			| reduce .[] as $d (0; . * 16 + $d)
		else ($t | tonumber? // 0) end;
	(if type == "array" then . else .Events end)
	| map(select(.EventName) | select((.Counter // "") | test("^(3[2-9]|.*[Ff]ixed.*|FIXED)$") | not)
		| select((.CounterType // "") != "FREERUN"))
	| map(select(.Unit != "NCU"))
	| group_by(.EventName | ascii_upcase) | map(min_by(.at)) | .[]
	| (.Unit == null or .Unit == "") as $core
	| [.EventName,
	   (if .Unit == "IIO" then
		# A mask of 0 stands for all, because with 0 in the register nothing would be counted.
		(.PortMask | number | if . > 0 then . elif $skx then 255 else 4095 end) * 16
		+ (.FCMask | number | if . == 0 then 7 else . end) * (if $skx then 4096 else 65536 end)
	    elif $core then 0 else .UMaskExt | number end),
	   ((.EventCode | number) % 256) + (.UMask | number) * 256 + (.EdgeDetect | number) * 262144
		+ (.ExtSel | number) * 2097152 + (.Invert | number) * 8388608
		+ (.CounterMask | number) * 16777216
		# Boxes of a discovery table have no enable bit in the selector.
		+ (if $core or ($spr | not) then 4194304 else 0 end)
		+ (if $core then 196608 + (.AnyThread | number) * 2097152 else 0 end)]
	| join(" ")'

# expected UARCH LIST: the expected selectors of the encoded events.
expected() {
	jq --arg uarch "$1" -r "(\$uarch == \"skylake-sp\") as \$skx | (\$uarch == \"sapphirerapids\") as \$spr |
		(if type == \"array\" then . else .Events end) |= (to_entries | map(.value + {at: .key})) |
		$SELECTOR" "$CORPUS/perfmon/$2"
}

@test "each name of each list is encoded as the list says, or one of the known reasons is given" {
	local uarch list all=0
	while read -r uarch list; do
		drawn 4 || continue
		encode_list "$uarch" "$list"
		# Each name was encoded or has a reason.
		[ "$(jq -r '(if type == "array" then . else .Events end) | map(.EventName // empty |
			ascii_upcase) | unique | length' "$CORPUS/perfmon/$list")" -eq $(($(wc -l <encoded) + $(wc -l <reasons))) ]
		! grep -vE "$(paste -sd '|' <<<"$REASONS")" reasons
		# Names in our tables are printed with their PMU.
		jq -r '[(.name | sub("^[a-z0-9_]*/"; "") | sub("/.*"; "")), .encoding] | @tsv' encoded | while IFS=$'\t' read -r name word; do
			echo "$name $((word >> 32)) $((word & 0xffffffff))"
		done | sort >got
		expected "$uarch" "$list" | sort >said
		# join drops names that are only in one of the files: events of fixed counters have no selector to
		# compare.
		join -j 1 said got | awk -v uarch="$uarch" -v list="$list" '
			$2 != $4 || $3 != $5 { print list, $0; bad = 1 }
			END { print uarch, list, NR; exit bad }'
		all=$((all + $(join -j 1 said got | wc -l)))
	done <<<"$LISTS"
	echo "$all compared"
	[ "$all" -gt "$((${WHOLE:+4500} + 0))" ]
}

# read_back FORM: the texts in this column of "encoded" must give the same words again, in one call.
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
