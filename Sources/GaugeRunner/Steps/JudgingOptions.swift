// What verdicts are held against, as the command line and the package's folder say it: thresholds, and earlier runs.

import Foundation

extension Program {
  /// Options that say which changes matter.
  static let thresholdOptions = [
    OptionSyntax(
      name: "--threshold", placeholder: "METRIC=PERCENT",
      help: """
        Changes of this metric up to this size don't matter; may be
        repeated, '*' stands for any text, PERCENT alone is of the time.
        """),
    OptionSyntax(
      name: "--thresholds", placeholder: "FILE",
      help: """
        Thresholds by benchmark and metric. Default:
        Benchmarks/thresholds.csv in the package, if it is there.
        """),
  ]

  /// The option that names the folder of earlier runs.
  static let earlierOption = OptionSyntax(
    name: "--earlier", placeholder: "DIR",
    help: """
      Folder of earlier runs of this machine, which tell what two runs
      of one build differ by. Default: .gauge/earlier in the package.
      """)

  /// The thresholds of the package's file, then those of the command line, which prevail.
  ///
  /// - Throws: `CommandFailure` for a file that is named and missing, for a damaged one, and for a wrong option.
  func thresholds(_ arguments: Arguments) throws(CommandFailure) -> [Threshold] {
    let path = arguments.last("--thresholds") ?? resultsHome + "/Benchmarks/thresholds.csv"
    var thresholds: [Threshold] = []
    if arguments.has("--thresholds") || Files.kind(of: path) != nil {
      do throws(ResultFile.Failure) {
        thresholds = try Threshold.parse(
          TableFile.contents(of: path, isTyped: arguments.has("--thresholds")), path: path)
      } catch {
        throw CommandFailure(error)
      }
    }
    for text in arguments.all("--threshold") {
      guard let threshold = Threshold(option: text) else {
        throw .usage("option '--threshold' needs METRIC=PERCENT, such as time=5, not '\(text)'")
      }
      thresholds.append(threshold)
    }
    return thresholds
  }

  /// The folder of earlier runs: the one that is named, or the package's.
  func earlierRuns(_ arguments: Arguments) -> EarlierRuns {
    EarlierRuns(folder: arguments.last("--earlier") ?? EarlierRuns.path(in: resultsHome))
  }

  /// Reads the earlier runs.
  ///
  /// - Throws: `CommandFailure` for a folder that is named and missing, and for a damaged file in it.
  func readEarlierRuns(_ arguments: Arguments) throws(CommandFailure) -> [EarlierRun] {
    let runs = earlierRuns(arguments)
    do throws(ResultFile.Failure) {
      if arguments.has("--earlier"), Files.stamp(of: runs.folder) == nil { throw .missing(path: runs.folder) }
      return try runs.read()
    } catch {
      var failure = CommandFailure(error)
      if case .malformed(let path, _, _, _) = error {
        failure.advice = "Remove \(path): it is only what an earlier run is remembered by."
      }
      throw failure
    }
  }

  /// The earlier runs, of a run that can do without them: a damaged one is told of, and there are none.
  func knownRuns(_ arguments: Arguments) -> [EarlierRun] {
    do throws(CommandFailure) {
      return try readEarlierRuns(arguments)
    } catch {
      console.error.line("gauge: warning: no benchmark gets more launches by what runs differed by: \(error.message)")
      if !error.advice.isEmpty { console.error.line(error.advice) }
      return []
    }
  }

  /// Remembers result files among the earlier runs.
  ///
  /// - Returns: Those that are not remembered, each with the reason.
  /// - Throws: `CommandFailure` where one can't be read, and where the folder can't be written.
  @discardableResult
  func remember(
    _ paths: [String], in runs: EarlierRuns
  ) throws(CommandFailure) -> [(path: String, reason: String)] {
    var refused: [(path: String, reason: String)] = []
    for path in paths {
      let (results, bytes) = try readAll(path)
      do throws(SystemError) {
        if let reason = try runs.add(results, hash: EarlierRuns.hash(bytes)) { refused.append((path, reason)) }
      } catch {
        throw CommandFailure(ResultFile.Failure.unwritable(path: runs.folder, reason: error.reason))
      }
    }
    return refused
  }
}
