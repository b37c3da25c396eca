// What a value costs on its way through the stream core, beside hand-written limits in the same run.

import Gauge

@main struct StreamBenchmarks: BenchmarkSuite {
  @BenchmarkBuilder static var benchmarks: [Benchmark] {
    subjectBenchmarks
    groupBenchmarks
    flatMapBenchmarks
    bufferBenchmarks
    sharedBenchmarks
    threadBenchmarks
    shardedBenchmarks
    asyncStreamBenchmarks
    asyncValuesBenchmarks
    isolationBenchmarks
    chainBenchmarks
    mappingBenchmarks
    filteringBenchmarks
    reducingBenchmarks
    selectionBenchmarks
    combiningBenchmarks
    errorBenchmarks
    timingBenchmarks
    sharingBenchmarks
    originBenchmarks
    publishedBenchmarks
    scalingBenchmarks
    sequenceBenchmarks
    limitBenchmarks
    packageLimitBenchmarks
  }
}
