// `gauge merge`: the shards of a suite as one result file.

extension Verb {
  /// `gauge merge`.
  static let merge = Verb(
    name: "merge", arguments: "A.csv B.csv ...",
    summary: "Makes one result file of the shards of a suite.",
    description: """
      Takes what 'gauge run --shard I/N' has written on several machines. All files must be of one commit and one build,
      and no two may have the same launch. Where the machines are unlike, the merged times are compared with nothing, and
      counts as always.
      """,
    options: [
      OptionSyntax(name: "--output", placeholder: "FILE", help: "The result file that is made.")
    ] + common,
    examples: [("gauge merge one.csv two.csv --output results/latest.csv", "Two shards as one run.")],
    exitCodes: [
      ("0", "merged"), ("3", "merged, and a benchmark broke"), ("64", "the command line is wrong"),
      ("65", "a file is damaged, or the files don't belong together"),
      ("66", "a file is missing"),
      ("73", "a file can't be written, or another gauge is writing into its folder"),
    ],
    action: { program, arguments throws(CommandFailure) in try program.merge(arguments) })
}

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
    let lock = try lock(folderOf: output)
    defer { lock?.hold() }
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
