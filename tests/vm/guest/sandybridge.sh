# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# On this processor the same addresses have other meanings. An event without a PMU is refused; with a PMU nothing is
# counted either, because the emulated registers ignore writes.

watch_writes
modprobe msr
run uncore-info --format=json
check "uncore-info says that its uncore is supported" is "$(json supported)" true
run_read
check "an event without a PMU is refused" refused 2 "sandybridge" "cbo"
check "nothing was written" nothing_written
run wrmsr 0x3c0 0
check "control: the kernel's record shows a write by wrmsr" is "$(writes_seen)" "3c0 0"
run uncore-read -e cbo/event=0x34,umask=0x11/ -i 0.1 -n 1
check "boxes that do not keep what was written give no number" refused 3 "keep" "virtual"
