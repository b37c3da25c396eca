// A benchmark executable that is a script: each benchmark does what its name says.

@testable import GaugeRunner

extension TemporaryFolder {
  /// Writes the executable.
  ///
  /// Its benchmarks: `good` and `good/grid` are measured; `traps`, `hangs`, `throws`, `breaks-off`, `babbles` and
  /// `dies-late` break; `skips` is skipped. Every launch appends its benchmark, pass and preload to the file
  /// `launches`.
  func fakeBenchmarks(named name: String = "FakeBenchmarks") throws -> String {
    try script(
      #"""
      all=time,latency,allocations,counts
      if [ "$1" = list ]; then
        printf 'benchmark\tgood\t\t%s\nbenchmark\tgood/grid\tn=1\ttime\nbenchmark\tgood/grid\tn=2\ttime\n' $all
        for bad in traps hangs throws breaks-off babbles dies-late skips; do
          printf 'benchmark\t%s\t\t%s\n' $bad $all
        done
        exit 0
      fi
      benchmark=$3 parameters=$5 pass=$7
      echo "$benchmark $parameters $pass ${LD_PRELOAD:-nothing}" >> '\#(self("launches"))'
      metric() { printf "metric\t$1\t$2\t${5:-lower}\t$3\t1000\t10\t$4\n" >&3; }
      printf 'gauge-launch\t1\n' >&3
      case "$benchmark" in
        good*)
          case "$pass" in
            time) metric time ns/op sampled 2.5; metric reference_loop ns/turn sampled 1 neither ;;
            latency) metric latency_p50 ns sampled 40 ;;
            allocations) metric allocations 1/op exact 0 ;;
          esac
          printf 'done\n' >&3 ;;
        traps) echo 'Fatal error: index out of range' >&2; kill -ILL $$ ;;
        hangs) echo 'still here'; while :; do :; done ;;
        throws) printf 'failed\tthe benchmark threw: oops\n' >&3; exit 1 ;;
        breaks-off) metric time ns/op sampled 2.5; printf 'metr' >&3 ;;
        babbles) echo hello >&3 ;;
        dies-late) metric time ns/op sampled 2.5; printf 'done\n' >&3; exit 9 ;;
        skips) printf 'skipped\tnot today\n' >&3 ;;
      esac
      """#, named: name)
  }

  /// Lines that the executable's launches wrote.
  func launches() -> [String] {
    (Files.text(of: self("launches")) ?? "").split(separator: "\n").map(String.init)
  }
}
