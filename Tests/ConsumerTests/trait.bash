# shellcheck shell=bash
# For the scripts of consumers that enable a trait of the package.

# Tests the package of a folder beside this file, in .build/consumers; further arguments are those of the script that
# calls this, whose head has the usage.
test_package() {
  local package=$1 folder root built
  shift
  case ${1:-} in
    -h | --help) awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"; exit 0 ;;
    '') ;;
    *) awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0" >&2; exit 64 ;;
  esac
  folder=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
  root=$(CDPATH='' cd -- "$folder/../.." && pwd)
  # shellcheck source=../../scripts/checks/whole-modules.bash
  source "$root/scripts/checks/whole-modules.bash"
  built=$root/.build/consumers/${package,,}
  mkdir -p "$built"
  # A run without tests is a success to `swift test`.
  if ! swift test --package-path "$folder/$package" --scratch-path "$built" "${whole_modules[@]}" \
    >"$built/tests.log" 2>&1 ||
    ! grep -o 'Test run with [1-9][0-9]* tests.* passed' "$built/tests.log"; then
    cat "$built/tests.log" >&2
    exit 1
  fi
}
