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
    Issue.record(
      Comment(rawValue: message),
      sourceLocation: SourceLocation(
        fileID: "\(location.fileID)", filePath: "\(location.filePath)", line: Int(location.line),
        column: Int(location.column)))
  #else
    fatalError("\(location.filePath):\(location.line): \(message)")
  #endif
}
