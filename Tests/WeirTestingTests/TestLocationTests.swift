// Tests of how failures are told.

import Testing

@testable import WeirTesting

@Suite struct TestLocationTests {
  @Test func aFailureIsAnIssueAtItsPlace() {
    let location = TestLocation(fileID: "Module/File.swift", filePath: "File.swift", line: 12, column: 3)
    withKnownIssue {
      reportTestFailure("broken", at: location)
    } matching: { issue in
      issue.sourceLocation?.line == 12 && issue.sourceLocation?.fileID == "Module/File.swift"
        && issue.comments.map(\.rawValue) == ["broken"]
    }
    #expect(location.column == 3)
  }

  /// The program stopped.
  @Test(arguments: ["", "File.swift", "Module/", "/File.swift"])
  func aFailureAtNoPlaceIsAnIssue(_ number: String) {
    let fileID: StaticString =
      switch number {
      case "": ""
      case "File.swift": "File.swift"
      case "Module/": "Module/"
      default: "/File.swift"
      }
    let location = TestLocation(fileID: fileID, filePath: "", line: .max, column: 0)
    withKnownIssue {
      reportTestFailure("broken", at: location)
    } matching: { issue in
      issue.comments.map(\.rawValue) == ["broken"] && issue.sourceLocation?.column == 1
    }
  }
}
