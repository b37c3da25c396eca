// Searches in histories whose launches were recorded on a shared machine: how often the commit is found, and that none
// is where nothing changed. scripts/checks/check-bisect searches more of them, as many as $GAUGE_SEARCHES says.

import Foundation
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct RecordedSearchTests {
  /// What several hundred launches of benchmarks took, one behind the other, by the benchmark.
  static let recordings: [[Double]] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let path = folder.appendingPathComponent("../../../results/recorded-launches.csv").standardizedFileURL.path
    let lines = Files.text(of: path)?.split(separator: "\n") ?? []
    return lines.filter { !$0.hasPrefix("#") }.map { $0.split(separator: ",").dropFirst().compactMap { Double($0) } }
  }()

  /// Searches for each change.
  static let searches = Int(ProcessInfo.processInfo.environment["GAUGE_SEARCHES"] ?? "") ?? 4

  @Test(arguments: [1.02, 1.05, 1.2, 1])
  func `the commit is found in recorded launches`(step: Double) {
    #expect(Self.recordings.count == 8 && Self.recordings.allSatisfy { $0.count >= 400 })
    var (right, wrong, most) = (0, 0, 0)
    for seed in 1...Self.searches {
      let made = MadeHistory.random(step: step, decoy: 1.1, spread: 0, seed: UInt64(seed))
      var history = made.history
      history.recording = Self.recordings[seed % Self.recordings.count]
      let suspects = history.search(CommitSearchTests.rules).suspects
      if let suspects, step != 1 {
        let isRight = suspects.contains(made.culprit) && suspects.dropLast().allSatisfy(history.broken.contains)
        if isRight { right += 1 } else { wrong += 1 }
      } else if step == 1 {
        if suspects == nil { right += 1 } else { wrong += 1 }
      }
      most = max(most, history.builds - history.broken.count { history.questions.contains(.build($0)) })
    }
    print("step \(step): \(right) of \(Self.searches) right, \(wrong) wrong, at most \(most) builds")
    // Two per cent of launches that deviate by twenty may take more than anybody launches.
    #expect(right * 100 >= Self.searches * (step == 1.02 ? 75 : 98))
    #expect(wrong * 50 <= Self.searches)
  }
}
