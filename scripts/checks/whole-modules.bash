# Options of `swift build` and `swift test` for builds without optimisation that mostly begin from nothing: the files of
# a module in one go rather than in batches, of which each reads and checks most of the others; the module's interface
# comes of that, too, rather than of a second compiler beside it, as nothing goes on before both have ended; modules of
# the system aren't indexed, and of debug information there are the lines, which crashes and reports of races tell.
#
# Sourced; whoever takes up a build of another script names the same options, and its folder.
# shellcheck shell=bash disable=SC2034
readonly whole_modules=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -disable-batch-mode
  -Xswiftc -no-emit-module-separately-wmo -Xswiftc -index-ignore-system-modules -Xswiftc -gline-tables-only)
# Of the tests without a sanitizer, apart from what is built by hand.
readonly build_of_tests=(--scratch-path .build/tests "${whole_modules[@]}")
# What computes most in those; the rest compiles in half the time without.
export WEIR_OPTIMIZED=GaugeStatistics,WeirVerify
