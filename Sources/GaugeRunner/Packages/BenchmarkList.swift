// What there is to measure: the benchmarks of an executable, by its own list.

import Gauge

/// The lists of benchmark executables.
enum BenchmarkList {
  /// Asks executables for their benchmarks.
  ///
  /// - Parameters:
  ///   - executables: Their paths.
  ///   - limit: Time that each may take.
  /// - Returns: All points, in the order of the executables and of their lists.
  /// - Throws: `PackageFailure.missingExecutable`, `.unlistable`, `.ambiguous`.
  static func points(
    of executables: [String], limit: Duration = .seconds(30)
  ) throws(PackageFailure) -> [BenchmarkPoint] {
    var points: [BenchmarkPoint] = []
    var owners: [String: String] = [:]
    for executable in executables {
      guard Files.stamp(of: executable) != nil else { throw .missingExecutable(path: executable) }
      for point in try list(executable, limit: limit) {
        if let owner = owners.updateValue(executable, forKey: point.title) {
          throw .ambiguous(benchmark: point.title, first: owner, second: executable)
        }
        points.append(point)
      }
    }
    return points
  }

  private static func list(_ executable: String, limit: Duration) throws(PackageFailure) -> [BenchmarkPoint] {
    let run: ProcessRun
    do throws(SystemError) {
      run = try ProcessRun.capturing(
        Command(program: executable, arguments: ["list", "--machine"]), reportOn: 1, limit: limit)
    } catch {
      throw .unlistable(path: executable, reason: error.description, output: "")
    }
    switch run.ending {
    case .ended(.exited(0)): break
    case .ended(let ending): throw .unlistable(path: executable, reason: "\(ending)", output: run.output)
    case .overdue(let limit): throw .unlistable(path: executable, reason: "no list within \(limit)", output: run.output)
    case .interrupted(let signal):
      throw .unlistable(path: executable, reason: SystemError.words(forSignal: signal), output: run.output)
    }
    return try parse(run.report, of: executable)
  }

  /// Reads a list: lines about the suite, and for each point `benchmark`, name, parameters, passes joined by commas,
  /// the limit, the tags joined by commas and the word for several threads, separated by tabs. Of the last three any
  /// may be empty where another one follows.
  ///
  /// - Throws: `PackageFailure.unlistable` with the first line that is something else.
  static func parse(_ text: String, of executable: String) throws(PackageFailure) -> [BenchmarkPoint] {
    let lines = text.split(separator: "\n")
    let hasRunFixture = lines.contains(SuiteList.runFixture[...])
    let flaw = lines.first { $0.hasPrefix(SuiteList.flawed) }.map { String($0.dropFirst(SuiteList.flawed.count)) }
    return try lines.filter { $0 != SuiteList.runFixture && !$0.hasPrefix(SuiteList.flawed) }.map {
      line throws(PackageFailure) in
      guard var point = point(line, of: executable) else {
        throw .unlistable(
          path: executable,
          reason: "expected benchmark<TAB>NAME<TAB>PARAMETERS<TAB>PASSES[<TAB>LIMIT[<TAB>TAGS[<TAB>threads]]], "
            + "found '\(excerpt(of: String(line)))'",
          output: "")
      }
      point.hasRunFixture = hasRunFixture
      point.flaw = flaw
      return point
    }
  }

  private static func point(_ line: Substring, of executable: String) -> BenchmarkPoint? {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard 4...7 ~= fields.count, fields[0] == "benchmark", !fields[1].isEmpty, !line.contains("\\"),
      fields.allSatisfy({ $0.utf8.count <= ResultFormat.mostNameBytes }), fields.count == 4 || fields.last != "",
      fields.count < 7 || fields[6] == SuiteList.severalThreads
    else { return nil }
    let passes = fields[3].split(separator: ",").map { LaunchRequest.Pass(rawValue: String($0)) }
    guard !passes.contains(nil) else { return nil }
    return BenchmarkPoint(
      executable: executable, benchmark: String(fields[1]), parameters: String(fields[2]),
      passes: passes.compactMap(\.self), limit: fields.count > 4 && fields[4] != "" ? String(fields[4]) : nil,
      tags: fields.count > 5 ? fields[5].split(separator: ",").map(String.init) : [], hasThreads: fields.count > 6)
  }
}
