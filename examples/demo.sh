#!/bin/sh
# What `make demo` runs: a 4096x4096 add on the 32 cores of the default machine, from KTIR to cycles.
set -eu
cd "$(dirname "$0")"
PATH="$PWD/../.venv/bin:$PATH"

say() { printf '\n$ %s\n' "$*"; "$@"; }

printf 'z = x + y on 4096x4096 f16: 32 compute tiles of 128 rows, 3 MiB each, on cores with 2 MiB of scratchpad.\n'
say tilesat compile big_add.mlir --emit schedule
say tilesat run big_add.mlir --random 1 --check
