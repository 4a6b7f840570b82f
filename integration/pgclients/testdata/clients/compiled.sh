#!/bin/sh
# Compiles a program over libpqxx and runs it.
set -eu
program=$(mktemp)
trap 'rm -f "$program"' EXIT
g++ -std=c++17 -o "$program" "$1" -lpqxx -lpq
"$program"
