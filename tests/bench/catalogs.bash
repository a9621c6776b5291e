# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of tests/bench/run: looking up names in the largest catalog of POWER's in-memory counters.
# shellcheck shell=bash disable=SC2154,SC2317 # variables of run; functions called by name

CATALOG=$TOP/../shared/corpus/imc/81E00612.4E0200.dtb

# lookup_instructions NAME: print how many more instructions are executed for each further NAME on the command line.
lookup_instructions() {
	local run=("$BIN/uncore-events" encode --event-list="$CATALOG") more
	for _ in {1..10}; do
		more+=("$1")
	done
	slope "$(instructions "${run[@]}" "$1")" "$(instructions "${run[@]}" "$1" "${more[@]}")" 10
}

catalogs() {
	local name
	title "instructions of a look-up among 621 events, POWER's largest catalog"
	for name in nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/ trace_imc/trace_cycles/; do
		measure "$name" "" "valgrind catalog" lookup_instructions "$name"
	done
	measure "reading it, and a look-up" "" "valgrind catalog" \
		instructions "$BIN/uncore-events" encode --event-list="$CATALOG" trace_imc/trace_cycles/
}
