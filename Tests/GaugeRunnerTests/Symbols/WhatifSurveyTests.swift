// Which functions are tried, and what is said of those that can't be.

import Testing

@testable import GaugeRunner

@Suite struct WhatifSurveyTests {
  private let survey = WhatifSurvey(
    functions: [
      .init(name: "closure #1 in b", code: [0..<9], used: 900),
      .init(name: "Cache.refresh()", code: [10..<20], used: 500),
      .init(name: "swift_retain", code: [20..<30], used: 300, isProgram: false),
      .init(name: "Cache.value()", used: 200, callers: ["Cache.refresh()"]),
      .init(name: "rare()", code: [30..<40], used: 5),
    ], total: 1000)

  @Test func `those of the program that take time and have code are tried`() {
    #expect(survey.candidates(5).map(\.name) == ["closure #1 in b", "Cache.refresh()"])
    #expect(survey.candidates(1).count == 1)
    #expect(survey.share(of: survey.functions[1]) == 0.5)
  }

  @Test(arguments: [("rare()", "rare()"), ("Cache.refresh()", "Cache.refresh()"), ("swift_r", "swift_retain")])
  func `a function is named, or the beginning of its name`(name: String, found: String) throws {
    #expect(try survey.function(name).name == found)
  }

  @Test(arguments: [
    ("Cache", "beginning of several names"), ("Cache.refersh()", "did you mean 'Cache.refresh()'?"),
    ("nothingLikeIt", "but in 'closure #1 in b'"), ("Cache.value()", "part of 'Cache.refresh()'"),
  ])
  func `what can't be tried says what to do`(name: String, words: String) {
    let error = #expect(throws: WhatifSurvey.Unknown.self) { try survey.function(name) }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }

  #if os(Linux)
    @Test func `the functions of a launch are found with their code`() throws {
      let folder = try TemporaryFolder()
      let symboliser = Symboliser(lines: nil, scratch: folder("addresses"))
      let launch = ProfiledProgram.launch("known/work", "turns=100000", .experiments, in: folder)
      let outcome = launch.record { file, _ in
        WhatifSurvey(file, executable: ProfiledProgram.path, symboliser: symboliser)
      }
      guard case .recorded(let survey, _) = outcome else { throw ProfiledProgram.Unrecorded(outcome: "\(outcome)") }
      #expect(survey.total > 0 && !survey.functions.isEmpty)
      let object = try #require(ProfiledProgram.object)
      for function in survey.candidates(3) {
        let code = try #require(function.code.first)
        #expect(object.symbol(at: code.lowerBound).map { FunctionName(symbol: $0).text } == function.name)
      }
    }
  #endif
}
