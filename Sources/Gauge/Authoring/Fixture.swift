// What has to stand while benchmarks are measured, around a whole run or around each launch.
// No test file: a declaration; LaunchTests and SuiteCommandTests show where its parts run.

/// Something that is set up before measuring and torn down afterwards.
///
/// ```swift
/// @main struct StoreBenchmarks: BenchmarkSuite {
///   static var runFixture: Fixture? {
///     Fixture(setUp: { try makeTestData(in: Fixture.folder) }, tearDown: {})
///   }
///   @BenchmarkBuilder static var benchmarks: [Benchmark] {
///     Benchmark("store/open") { run in
///       let path = Fixture.folder + "/data"
///       run.measure { path.utf8.count }
///     }
///   }
/// }
/// ```
public struct Fixture {
  let setUp: () throws -> Void
  let tearDown: () throws -> Void

  /// Creates a fixture.
  ///
  /// - Parameters:
  ///   - setUp: Runs before. An error fails what it was meant for; `BenchmarkSkipped` skips a launch.
  ///   - tearDown: Runs afterwards, whatever happened in between.
  public init(setUp: @escaping () throws -> Void, tearDown: @escaping () throws -> Void = {}) {
    self.setUp = setUp
    self.tearDown = tearDown
  }

  /// A folder that `gauge run` makes for the suites of a run that have a run fixture, and removes after it: the fixture
  /// runs in a process of its own, so that files are what it can leave to the launches. Empty in launches by hand.
  public static var folder: String { System.environment(folderVariable) ?? "" }

  /// The environment variable that names the folder.
  public static let folderVariable = "GAUGE_RUN_FOLDER"
}
