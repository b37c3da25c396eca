// The files that verbs read and write: results by path or by name of a baseline, histories, and texts.
// No test file: the tests of all verbs read and write by it.

import Foundation

extension Program {
  /// The package around the current folder; `nil` where that lies in none.
  var package: BenchmarkPackage? { try? BenchmarkPackage(around: folder, swift: swift) }

  /// The folder of results: the package's, or the one in the current folder where that lies in no package.
  var resultsFolder: String { resultsHome + "/results" }

  /// The package's folder, or the current one where that lies in no package.
  var resultsHome: String { package?.folder ?? folder }

  /// Reads a result file, and tells what is odd about it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isTyped: Whether somebody has named it, who may have named a pipe.
  func read(_ path: String, isTyped: Bool = true) throws(CommandFailure) -> Results {
    try readAll(path, isTyped: isTyped).results
  }

  /// Reads a result file and keeps its text, as a pipe can't be read twice.
  func readAll(
    _ path: String, isTyped: Bool = true
  ) throws(CommandFailure) -> (results: Results, bytes: [UInt8]) {
    do throws(ResultFile.Failure) {
      let bytes = try TableFile.contents(of: path, isTyped: isTyped)
      let contents = try ResultFile.parse(bytes, path: path)
      for warning in contents.warnings { console.error.line("gauge: warning: \(warning)") }
      return (contents.results, bytes)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Writes a text file, and says where it is.
  func write(_ text: String, to path: String) throws(CommandFailure) {
    do throws(SystemError) {
      try Files.makeFolder(Files.folder(of: path))
      try Files.replace(path, with: Array(text.utf8))
    } catch {
      throw CommandFailure(code: .cannotWrite, message: "\(path): cannot be written: \(error.reason)")
    }
    console.error.line("gauge: wrote \(path)")
  }

  /// The results to compare with: of a path, or of the name of a baseline. A folder of that name is in nobody's way.
  func compared(_ argument: String) throws(CommandFailure) -> Results {
    let kind = Files.kindBehindLinks(argument)
    guard argument == KeptBuilds.accepted || kind == nil || kind == .folder else { return try read(argument) }
    if let path = Baselines(results: resultsFolder).path(of: argument), Files.kind(of: path) != nil {
      return try read(path, isTyped: false)
    }
    let kept = KeptBuilds(package: resultsHome)
    if let build = try keptBuild(argument, in: kept) { return try results(of: build, in: kept) }
    return try read(argument)
  }

  /// What is kept for a baseline; `nil` where nothing is.
  func keptBuild(_ name: String, in kept: KeptBuilds) throws(CommandFailure) -> KeptBuild? {
    do throws(KeptBuilds.Failure) {
      return try kept.build(named: name)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// The results of a kept build.
  func results(of build: KeptBuild, in kept: KeptBuilds) throws(CommandFailure) -> Results {
    let bytes: [UInt8]
    do throws(KeptBuilds.Failure) {
      bytes = try kept.contents(of: build.results)
    } catch {
      throw CommandFailure(error)
    }
    do throws(ResultFile.Failure) {
      return try ResultFile.parse(bytes, path: "the results of a kept baseline").results
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Reads a history.
  func readHistory(_ path: String, isTyped: Bool, mayBeMissing: Bool) throws(CommandFailure) -> History {
    if mayBeMissing, Files.kind(of: path) == nil { return History() }
    do throws(ResultFile.Failure) {
      let history = try History(TableFile.contents(of: path, isTyped: isTyped), path: path)
      if let line = history.brokenLine {
        console.error.line(
          "gauge: warning: \(path):\(line): the file breaks off within this line, so that the last run may lack "
            + "benchmarks: add its result file again")
      }
      return history
    } catch {
      var failure = CommandFailure(error)
      if case .malformed = error {
        failure.advice = "Mend that line, or take the file as it was, from git. Until then nothing is written into it."
      }
      throw failure
    }
  }

  /// Writes a file in place of what stood there, which stays as it was until the new one is whole.
  func replace(_ path: String, with bytes: [UInt8]) throws(ResultFile.Failure) {
    do throws(SystemError) {
      try Files.makeFolder(Files.folder(of: path))
      try Files.replace(path, with: bytes)
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
  }

  /// Writes files in place of what stood there, which stays as it was until all of the new ones are whole: where there
  /// is no room for one, none is replaced.
  func replace(_ files: [(path: String, bytes: [UInt8])]) throws(ResultFile.Failure) {
    var written: [String] = []
    func attempt(_ path: String, _ body: () throws(SystemError) -> Void) throws(ResultFile.Failure) {
      do throws(SystemError) {
        try body()
      } catch {
        // Those that have their own name by now are not there under this one.
        for new in written { Files.remove(new) }
        throw .unwritable(path: path, reason: error.reason)
      }
    }
    for file in files {
      try attempt(file.path) { () throws(SystemError) in
        try Files.makeFolder(Files.folder(of: file.path))
        let new = Files.unusedName(beside: file.path)
        let descriptor = try Descriptor.creating(new)
        written.append(new)
        try descriptor.append(file.bytes)
      }
    }
    for (file, new) in zip(files, written) {
      try attempt(file.path) { () throws(SystemError) in try Files.rename(new, to: file.path) }
    }
  }
}
