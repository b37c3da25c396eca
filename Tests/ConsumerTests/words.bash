# shellcheck shell=bash
# For the scripts of the consumer that benchmarks: makes the package of somebody who has just run
# `swift package benchmark init`, in .build/consumers/words of this repository, and goes there. Builds are taken up
# again, so that only a first run starts from nothing. Its branches beside `main`: `harmless` costs nothing, `slower`
# does.

here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
package=$root/.build/consumers/words
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
  printf 'ConsumerTests: %s\n' "$1" >&2
  failures=$((failures + 1))
}

# Runs a command: its output goes to $scratch/log, and is shown if the code is not the one that it must end with.
expect() {
  local wanted=$1 code=0
  shift
  "$@" >"$scratch/log" 2>&1 </dev/null || code=$?
  if ((code != wanted)); then
    tail -n 40 "$scratch/log" >&2
    fail "$* ended with $code instead of $wanted"
  fi
}

fresh=no
[[ -e $package/.gauge/build ]] || fresh=yes
mkdir -p "${package%/*}"
"$here/author" "$package" >"$scratch/author.log" 2>&1 || {
  cat "$scratch/author.log" >&2
  fail 'swift package benchmark init failed'
  exit 1
}
cd -- "$package"
# A baseline that an earlier run has kept would be taken for the revision of its name.
rm -rf .gauge/kept
mkdir -p scripts
cp "$root/recipes/benchmarks" scripts/
git add -A
git commit -qm 'Benchmarks guard changes'
git init -q --bare "$scratch/origin"
git remote add origin "$scratch/origin"
git push -q origin main
git checkout -q -b harmless
printf '\n// A change of no consequence.\n' >>Sources/Words/Words.swift
git commit -qam 'A comment'
git checkout -q -b slower
cp "$here/Author/SlowerWords.swift" Sources/Words/Words.swift
git commit -qam 'Looks each word up twice'
