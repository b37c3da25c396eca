// Shards: every point in exactly one, whatever the order.

import Testing

@testable import GaugeRunner

@Suite struct ShardTests {
  @Test(arguments: ["", "1", "0/2", "3/2", "1/0", "a/2", "1/2/3", "-1/2"])
  func `other texts are no shards`(text: String) {
    #expect(Shard(text) == nil)
  }

  @Test func `every point is in one shard`() throws {
    let points = ["c", "a", "b", "e", "d"].map { BenchmarkPoint.sample($0) }
    let shards = try (1...3).map { try #require(Shard("\($0)/3")).points(points).map(\.benchmark) }
    #expect(shards == [["a", "d"], ["b", "e"], ["c"]])
    #expect(Shard("1/3")?.points(points.reversed()).map(\.benchmark) == ["d", "a"])
    #expect(Shard("1/1")?.points(points).count == 5)
  }

  @Test func `a run measures its shard, and its options say so`() throws {
    let folder = try TemporaryFolder()
    let gauge = CapturedProgram(in: folder.path)
    let executable = try folder.fakeBenchmarks()
    #expect(gauge("run", "--executable", executable, "--launches", "1", "good*", "--shard", "1/2", "--seed", "1") == 0)
    let results = try ResultFile.read(folder("results/latest.csv")).results
    #expect(results.environment("gauge_options") == "--launches 1 --shard 1/2 --filter good* --seed 1")
    #expect(gauge("run", "--executable", executable, "--shard", "3/2") == 64)
  }
}
