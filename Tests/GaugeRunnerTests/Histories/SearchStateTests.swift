// Searches that were interrupted, by their files.

import Testing

@testable import GaugeRunner

@Suite struct SearchStateTests {
  let terms = SearchState.Terms(
    commits: (0..<64).map { "\($0)" }, toolchain: "Swift", benchmark: "a", metric: "time", threshold: nil,
    resolution: nil, error: 0.01)
  let subject = SearchState.Subject(benchmark: "a", parameters: "", isExact: false)

  @Test func `a search goes on with its answers, wherever it stopped`() throws {
    let folder = try TemporaryFolder()
    var history = MadeHistory.random(step: 1.05, decoy: 1.1, spread: 0.01, seed: 7).history
    var search = CommitSearch(rules: CommitSearchTests.rules, last: 63)
    var state = SearchState(of: terms, subject)
    while case .ask(let question) = search.next {
      // As where a signal came after half of the launches.
      if case .launch(let commits, let rounds) = question, rounds > 1 {
        search.take(history.answer(.launch(commits, rounds: rounds / 2), of: search))
      } else {
        search.take(history.answer(question, of: search))
      }
      state.answers = search.answers
      try state.write(to: folder("state/bisect.json"))
      let kept = try #require(SearchState(folder("state/bisect.json"), of: { _ in terms }))
      let again = kept.search(CommitSearchTests.rules)
      #expect(again.answers == search.answers)
      #expect("\(again.next)" == "\(search.next)")
    }
  }

  @Test func `a file of another search or of something else is none`() throws {
    let folder = try TemporaryFolder()
    let state = SearchState(of: terms, subject)
    try state.write(to: folder("bisect.json"))
    #expect(SearchState(folder("bisect.json"), of: { _ in terms }) != nil)
    var others = terms
    others.metric = "allocations"
    #expect(SearchState(folder("bisect.json"), of: { _ in others }) == nil)
    others = terms
    others.toolchain = "Swift 7"
    #expect(SearchState(folder("bisect.json"), of: { _ in others }) == nil)
    try folder.write("{}", to: "bisect.json")
    #expect(SearchState(folder("bisect.json"), of: { _ in terms }) == nil)
    #expect(SearchState(folder("missing.json"), of: { _ in terms }) == nil)
  }

  @Test func `the terms are those of the benchmark that was found`() throws {
    let folder = try TemporaryFolder()
    let sized = SearchState.Subject(benchmark: "words/split", parameters: "words=10", isExact: false)
    let state = SearchState(of: terms, sized)
    #expect(state.title == "words/split[words=10]")
    try state.write(to: folder("bisect.json"))
    var keys: [ResultRow.Key] = []
    let kept = SearchState(
      folder("bisect.json"),
      of: { subject in
        keys.append(subject.row(of: "time"))
        return terms
      })
    #expect(kept != nil)
    #expect(keys == [ResultRow.Key(benchmark: "words/split", parameters: "words=10", metric: "time")])
  }

  @Test func `answers that fit no question are left out`() {
    var state = SearchState(of: terms, subject)
    state.answers = [
      .built(0, like: nil, isIdentical: false), .launched([0, 63], [[1], [2]]),
      .built(63, like: nil, isIdentical: false),
    ]
    #expect(state.search(CommitSearchTests.rules).answers == [.built(0, like: nil, isIdentical: false)])
  }
}
