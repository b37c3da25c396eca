// Exit codes of failures.

import Testing

@testable import GaugeRunner

@Suite struct CommandFailureTests {
  @Test(arguments: [
    (ResultFile.Failure.missing(path: "f"), ExitCode.missingFile),
    (.unreadable(path: "f", reason: "r"), .badFile),
    (.malformed(path: "f", line: 1, field: nil, message: "m"), .badFile),
    (.unwritable(path: "f", reason: "r"), .cannotWrite),
  ])
  func `of result files`(failure: ResultFile.Failure, code: ExitCode) {
    #expect(CommandFailure(failure) == CommandFailure(code: code, message: "\(failure)"))
  }

  @Test(arguments: [
    (PackageFailure.noPackage(folder: "f"), ExitCode.missingFile), (.noBenchmarks(package: "p"), .missingFile),
    (.noPackageYet(commit: "c"), .missingFile), (.missingExecutable(path: "p"), .missingFile),
    (.toolFailed(what: "w", output: "o"), .broke),
    (.noCommit(revision: "r", isShallow: true), .broke), (.buildFailed(command: "c"), .broke),
    (.unlistable(path: "p", reason: "r", output: ""), .broke),
    (.ambiguous(benchmark: "b", first: "1", second: "2"), .broke),
  ])
  func `of packages`(failure: PackageFailure, code: ExitCode) {
    #expect(CommandFailure(failure) == CommandFailure(code: code, message: "\(failure)"))
  }

  @Test func `a usage failure suggests the nearest word`() {
    #expect(CommandFailure.usage("m", unknown: "rnu", known: ["run"]).advice == "Did you mean 'run'?")
    #expect(CommandFailure.usage("m", unknown: "q", known: ["run"]).advice == "")
  }
}
