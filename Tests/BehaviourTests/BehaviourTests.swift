// Tests that every line of Tests/behaviours.csv holds, and that the table and the programs are the same.

import Foundation
import Testing

@Suite struct BehaviourTests {
  @Test(arguments: Behaviour.all)
  func behavesAsStated(_ row: Behaviour) async throws {
    let program = try #require(Behaviours.all[row.name], "no program is named so")
    let transcript = Transcript()
    try await program(transcript)
    let stated = row.here.isEmpty ? row.expected : row.here
    #expect(transcript.line == stated, "\(row.source)")
  }

  @Test func everyProgramIsInTheTable() {
    let names = Behaviour.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Set(Behaviours.all.keys).subtracting(names) == [])
  }

  @Test func everyDifferenceIsDocumented() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Weir/Weir.docc/DeliberateDifferences.md").standardizedFileURL
    let text = try String(contentsOf: page, encoding: .utf8)
    for row in Behaviour.all where !row.here.isEmpty {
      #expect(text.contains("`\(row.name)`"), "\(row.name)")
    }
  }
}
