// The part of an interrupted run's file that a later run can go on from.

/// The launches of a result file that certainly are whole.
struct WholeLaunches {
  /// What they measured.
  let results: Results
  /// Bytes of the file that hold the head and these launches.
  let length: Int

  /// Reads a file.
  ///
  /// - Throws: `ResultFile.Failure`, also for a file without a whole head.
  init(_ path: String) throws(ResultFile.Failure) {
    try self.init(TableFile.contents(of: path, isTyped: false), path: path)
  }

  /// Finds the whole launches in the text of a file.
  ///
  /// The rows of a launch are written by one call. A kill cuts that call short only where a page of the file ends, so
  /// the last launch is in doubt if its last line breaks off or the file ends with a page; it is left out then, to be
  /// measured again. A line that breaks off may be of the launch before or of one more,
  /// so that the launch before goes with it.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - path: Name of the file in complaints.
  init(_ bytes: [UInt8], path: String) throws(ResultFile.Failure) {
    let contents = try ResultFile.parse(bytes, path: path)
    guard contents.brokenLine != nil || bytes.count % Self.page == 0 else {
      (results, length) = (contents.results, bytes.count)
      return
    }
    var results = contents.results
    if let last = contents.lastLaunch {
      results.rows.removeAll { $0.sequence == last.sequence }
      results.faults.removeAll { $0.sequence == last.sequence }
      results.hasEnd = false
    }
    self.results = results
    length = (contents.lastLaunch?.line ?? contents.brokenLine).map { Self.start(ofLine: $0, in: bytes) } ?? bytes.count
  }

  /// The least size of a page on the systems that this runs on; larger ones are multiples of it.
  private static let page = 4096

  /// Bytes before a line.
  ///
  /// - Parameter line: 1-based number of the line.
  private static func start(ofLine line: Int, in bytes: [UInt8]) -> Int {
    var remaining = line - 1
    return bytes.firstIndex { byte in
      if remaining == 0 { return true }
      if byte == UInt8(ascii: "\n") { remaining -= 1 }
      return false
    } ?? bytes.count
  }
}
