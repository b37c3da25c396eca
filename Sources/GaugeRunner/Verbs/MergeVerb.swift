// `gauge merge`: the shards of a suite as one result file.

extension Program {
  /// Runs `gauge merge`.
  func merge(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    guard arguments.plain.count >= 2 else {
      throw .usage("which result files? gauge merge A.csv B.csv ... --output FILE.csv")
    }
    guard let output = arguments.last("--output") else { throw .usage("where to? --output FILE.csv") }
    var files: [(path: String, results: Results)] = []
    for path in arguments.plain { files.append((path, try read(path))) }
    let merged: Results
    do throws(MergedResults.Conflict) {
      merged = try MergedResults(files).results
    } catch {
      throw CommandFailure(code: .badFile, message: "\(error.path): \(error.message)")
    }
    let text =
      ResultFormat.head(environment: merged.environment) + merged.rows.map(ResultFormat.line).joined()
      + merged.faults.map(ResultFormat.line).joined() + (merged.hasEnd ? ResultFormat.end(after: merged.planned) : "")
    do throws(ResultFile.Failure) {
      try replace(output, with: Array(text.utf8))
    } catch {
      throw CommandFailure(error)
    }
    let benchmarks = Set(merged.rows.map(\.key.title)).count
    console.output.line("\(files.count) files, \(benchmarks) benchmarks, \(merged.faults.count) broke: \(output)")
    return merged.faults.isEmpty ? ExitCode.same.rawValue : ExitCode.broke.rawValue
  }
}
