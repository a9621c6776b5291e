# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# A processor on which the same addresses mean other things.

watch_writes
modprobe msr
run uncore-info --format=json
check "uncore-info says that its uncore is not supported" is "$(json supported)" false
run_read
check "it is refused by name" refused 3 "sandy bridge"
check "nothing was written" nothing_written
run wrmsr 0x3c0 0
check "control: the kernel's record shows a write by wrmsr" is "$(writes_seen)" "3c0 0"
