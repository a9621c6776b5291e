# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# The msr driver is not loaded.

watch_writes
run uncore-info --format=json
check "uncore-info shows the driver is missing" is "$(json_in driver state)" missing
run_read
check "without the msr driver access fails and the advice is modprobe" refused 4 "modprobe msr"
