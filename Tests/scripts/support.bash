# Support for the tests of the scripts: a fresh folder per test, stubs of commands, and assertions.
# Sourced by the *-tests files, which end with `run_tests "$@"`; each test is a function named test_*.
# shellcheck shell=bash

repository=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
export repository

# Writes an executable stub of a command (a path, or a name in $stubs); its body is read from standard input. Stubs log
# to $calls what was asked.
stub() {
  local path=$1
  [[ $path == */* ]] || path=$stubs/$path
  { printf '#!/usr/bin/env bash\n'; cat; } >"$path"
  chmod +x "$path"
}

# Runs a command with output in `output` (standard error included) and its exit code in `code`.
run() {
  code=0
  output=$("$@" 2>&1 </dev/null) || code=$?
}

# Prints why the test fails, with the output of the last `run`, and ends the test.
fail() {
  printf '    %s\n' "$@"
  local line
  while IFS= read -r line; do printf '    | %s\n' "$line"; done <<<"${output:-}"
  exit 1
}

expect_code() { [[ $code == "$1" ]] || fail "exit code $code instead of $1"; }
expect_output() { [[ $output == *"$1"* ]] || fail "output lacks: $1"; }
expect_no_output() { [[ $output != *"$1"* ]] || fail "output must not hold: $1"; }
expect_line() { grep -Fxq -- "$1" <<<"$output" || fail "output lacks the line: $1"; }
expect_file() { [[ -e $1 ]] || fail "no file $1"; }

# Expects the lines that stubs have logged to be these, in this order.
expect_calls() {
  local want logged=''
  want=$(printf '%s\n' "$@")
  [[ ! -e $calls ]] || logged=$(<"$calls")
  [[ $logged == "$want" ]] || fail "calls were:" "${logged:-none}" "instead of:" "${want:-none}"
}

# Without a name, runs every test of the sourcing file in a process of its own and fails if any fails; with a name, runs
# that test in this process. `before_each`, where the file has it, runs first.
run_tests() {
  if (($#)); then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    export stubs=$folder/stubs calls=$folder/calls
    mkdir "$stubs"
    if [[ $(type -t before_each) == function ]]; then before_each; fi
    "test_${1#test_}"
    return
  fi
  local name failures=0 count=0
  for name in $(compgen -A function test_); do
    count=$((count + 1))
    if "$0" "$name"; then
      printf '  ok     %s\n' "${name#test_}"
    else
      printf '  FAILED %s\n' "${name#test_}"
      failures=$((failures + 1))
    fi
  done
  printf '  %d tests, %d failed\n' "$count" "$failures"
  ((failures == 0 && count > 0))
}
