// Writing a result file as a run goes: whole launches only, whatever moment it is killed at.

import Foundation
import Gauge

/// A result file that grows by whole launches.
struct ResultFileWriter: ~Copyable {
  private let file: Descriptor
  private let path: String

  /// Goes on with an open file that has its head.
  init(file: consuming Descriptor, path: String) {
    self.file = file
    self.path = path
  }

  /// Begins a file, in place of what stood there, which stays as it was until the new head is written: a full disk
  /// costs nothing of it.
  ///
  /// - Parameters:
  ///   - path: The file; missing folders above it are made.
  ///   - environment: The machine and the build, in the order of the file.
  /// - Throws: `ResultFile.Failure.unwritable`.
  static func replacing(
    _ path: String, environment: [(name: String, value: String)]
  ) throws(ResultFile.Failure) -> ResultFileWriter {
    do throws(SystemError) {
      try Files.makeFolder(Files.folder(of: path))
      let head = Array(ResultFormat.head(environment: environment).utf8)
      // A device, or a file in a folder that takes no second one, is written in place.
      if Files.kindBehindLinks(path) != .other {
        do throws(SystemError) {
          return ResultFileWriter(file: try Files.replace(path, with: head), path: path)
        } catch {
          guard Files.kind(of: path) == .file, error.isRefusal else { throw error }
        }
      }
      let file = try Descriptor.appending(to: path, emptied: true)
      try file.append(head)
      return ResultFileWriter(file: file, path: path)
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
  }

  /// Goes on with a file of an earlier run.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - length: Bytes of it to keep: its head and whole launches.
  /// - Throws: `ResultFile.Failure.unwritable`.
  static func continuing(_ path: String, from length: Int) throws(ResultFile.Failure) -> ResultFileWriter {
    do throws(SystemError) {
      try Files.makeFolder(Files.folder(of: path))
      let file = try Descriptor.appending(to: path, emptied: false)
      try file.cut(to: length)
      return ResultFileWriter(file: file, path: path)
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
  }

  /// Appends all rows of one launch at once.
  ///
  /// - Throws: `ResultFile.Failure.unwritable`, with the file as it was.
  borrowing func append(_ rows: [ResultRow]) throws(ResultFile.Failure) {
    try write(rows.map(ResultFormat.line).joined())
  }

  /// Appends a fault.
  ///
  /// - Throws: `ResultFile.Failure.unwritable`, with the file as it was.
  borrowing func append(_ fault: BenchmarkFault) throws(ResultFile.Failure) {
    try write(ResultFormat.line(fault))
  }

  /// Appends the row that says that the run has come to its end.
  ///
  /// - Parameter launches: How many were planned.
  /// - Throws: `ResultFile.Failure.unwritable`, with the file as it was.
  borrowing func end(after launches: Int) throws(ResultFile.Failure) {
    try write(ResultFormat.end(after: launches))
  }

  private borrowing func write(_ text: String) throws(ResultFile.Failure) {
    do throws(SystemError) {
      try file.append(Array(text.utf8))
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
  }

  /// Tells, without touching anything, whether a file could be begun: to be asked before work whose results go there.
  ///
  /// - Throws: `ResultFile.Failure.unwritable`.
  static func check(_ path: String) throws(ResultFile.Failure) {
    let files = FileManager.default
    if files.fileExists(atPath: path) {
      if isFolder(path) { throw .unwritable(path: path, reason: SystemError.words(for: EISDIR)) }
      if let obstacle = SystemError.obstacle(toWriting: path) { throw .unwritable(path: path, reason: obstacle) }
      return
    }
    var folder = Files.folder(of: path)
    while !folder.isEmpty, !files.fileExists(atPath: folder) {
      folder = Files.folder(of: folder)
    }
    if folder.isEmpty { folder = "." }
    if !isFolder(folder) { throw .unwritable(path: path, reason: "\(folder) is not a folder") }
    if let obstacle = SystemError.obstacle(toWriting: folder) {
      throw .unwritable(path: path, reason: "\(obstacle): \(folder)")
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    (try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
  }
}
