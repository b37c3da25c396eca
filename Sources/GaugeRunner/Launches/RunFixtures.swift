// What benchmark executables need to stand during a whole run: set up before its first launch,
// torn down after the last.

import Foundation
import Gauge

/// The run fixtures of some executables.
struct RunFixtures {
  /// The executables that have one.
  let executables: [String]
  /// A folder for the files of fixtures and launches; made with the fixtures and removed with them.
  let folder: String
  /// The environment of fixtures and launches.
  let environment: [String: String]
  /// Signals on which a fixture in hand is killed; a fixture is torn down nevertheless.
  var signals: PendingSignals?

  /// Why they can't be set up.
  enum Failure: Error, Hashable {
    /// There is no folder for their files, in the system's words.
    case unwritable(String)
    /// One of them failed, and how.
    case broke(String)
  }

  /// Time that a fixture may take.
  static let limit = Duration.seconds(300)

  /// - Parameters:
  ///   - points: What is to be measured.
  ///   - folder: A folder that can be made.
  ///   - environment: The user's environment.
  init(of points: [BenchmarkPoint], folder: String, environment: [String: String]) {
    executables = Set(points.filter(\.hasRunFixture).map(\.executable)).sorted()
    self.folder = folder
    self.environment =
      executables.isEmpty ? environment : environment.merging([Fixture.folderVariable: folder]) { $1 }
  }

  /// Sets up all of them.
  ///
  /// - Throws: `Failure.broke` where one fails; those before it are torn down.
  func setUp() throws(Failure) {
    guard !executables.isEmpty else { return }
    do throws(SystemError) {
      try Files.makeFolder(folder)
    } catch {
      throw .unwritable("\(error)")
    }
    for (index, executable) in executables.enumerated() {
      guard let complaint = run(.setUp, of: executable, stoppingOn: signals) else { continue }
      _ = tearDown(executables[..<index])
      throw .broke("the run fixture of \(legible(executable)) can't be set up: \(complaint)")
    }
  }

  /// Tears down all of them.
  ///
  /// - Returns: What went wrong, in words.
  func tearDown() -> [String] { tearDown(executables[...]) }

  private func tearDown(_ executables: ArraySlice<String>) -> [String] {
    let complaints = executables.reversed().compactMap { executable in
      run(.tearDown, of: executable, stoppingOn: nil).map {
        "the run fixture of \(legible(executable)) can't be torn down: \($0)"
      }
    }
    // What stays is in the system's folder for temporary files.
    try? FileManager.default.removeItem(atPath: folder)
    return complaints
  }

  /// Runs a part of a fixture.
  ///
  /// - Returns: What went wrong, in words; `nil` where nothing did.
  private func run(_ part: FixturePart, of executable: String, stoppingOn signals: PendingSignals?) -> String? {
    do throws(SystemError) {
      let run = try ProcessRun.capturing(
        Command(program: executable, arguments: part.arguments, environment: environment), limit: Self.limit,
        stoppingOn: signals)
      let output = LaunchOutcome.excerpt(of: run.output)
      let printed = output.isEmpty ? "" : "\n" + output
      switch run.ending {
      case .ended(.exited(0)): return nil
      case .ended(let ending): return "\(ending)" + printed
      case .overdue(let limit): return "it took longer than \(LaunchOutcome.words(for: limit))" + printed
      case .interrupted(let signal): return "stopped by \(SystemError.words(forSignal: signal))"
      }
    } catch {
      return "\(error)"
    }
  }
}
