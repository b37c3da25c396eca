// Where a test fails, and how it is told: in Swift Testing and in XCTest.

#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

/// A place in a test's source.
struct TestLocation {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt
}

/// Fails the running test, whichever library runs it.
///
/// On threads that belong to no test of Swift Testing both libraries are told; the one that runs no test ignores it. A
/// program built without one of the two, as one with a static standard library is, has no tests, and stops.
func reportTestFailure(_ message: String, at location: TestLocation) {
  #if canImport(Testing) && canImport(XCTest)
    if Test.current == nil { XCTFail(message, file: location.filePath, line: location.line) }
    // A place that is none, as a helper for XCTest may pass, would stop the program.
    let fileID = "\(location.fileID)"
    Issue.record(
      Comment(rawValue: message),
      sourceLocation: SourceLocation(
        fileID: fileID.dropFirst().dropLast().contains("/") ? fileID : "unknown/\(fileID)",
        filePath: "\(location.filePath)", line: max(1, Int(clamping: location.line)),
        column: max(1, Int(clamping: location.column))))
  #else
    fatalError("\(location.filePath):\(location.line): \(message)")
  #endif
}
