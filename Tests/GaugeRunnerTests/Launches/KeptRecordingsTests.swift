// Recordings that are kept: by the content of the executable, and no longer than the system's libraries stay the same.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct KeptRecordingsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func kept(_ environment: [String: String] = [:]) -> KeptRecordings {
    KeptRecordings(package: folder.path, environment: environment)
  }

  @Test func `recordings are found by the executable's content and the benchmarks' variables`() throws {
    var recordings = KeptRecordings.Recordings()
    recordings.launches["a"] = RecordedLaunch([], threads: 2, of: try CodeComparisonTests.base.image())
    kept().keep(recordings, of: [1, 2, 3])
    #expect(kept().recordings(of: [1, 2, 3]) == recordings)
    #expect(kept(["HOME": "/root"]).recordings(of: [1, 2, 3]) == recordings)
    #expect(kept().recordings(of: [1, 2]) == KeptRecordings.Recordings())
    #expect(kept(["GAUGE_SIZE": "2"]).recordings(of: [1, 2, 3]) == KeptRecordings.Recordings())
  }

  @Test func `another library makes them worthless`() throws {
    let library = try folder.write("old", to: "library.so")
    var recordings = KeptRecordings.Recordings()
    recordings.libraries[library] = KeptRecordings.stamp(of: library)
    kept().keep(recordings, of: [1])
    #expect(kept().recordings(of: [1]) == recordings)
    _ = try folder.write("newer", to: "library.so")
    #expect(kept().recordings(of: [1]).libraries.isEmpty)
  }

  @Test func `those that were kept last stay`() throws {
    for number in 0..<UInt8(KeptRecordings.most + 3) { kept().keep(KeptRecordings.Recordings(), of: [number]) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder(".gauge/recordings"))
    #expect(names.count == KeptRecordings.most)
  }
}
