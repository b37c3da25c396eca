// `gauge init`: the first benchmarks of a package.

import Foundation

extension Verb {
  /// `gauge init`.
  static let initialise = Verb(
    name: "init", arguments: "[NAME]",
    summary: "Makes a first benchmark executable, in Benchmarks/NAME.",
    description: """
      Writes Benchmarks/NAME/NAME.swift, with an example that can be measured at once, and prints the target to add to
      Package.swift. NAME is made of the package's folder where none is given. Nothing that exists is replaced.
      """,
    options: [
      OptionSyntax(
        name: "--import", placeholder: "MODULE",
        help: "Depend on this target of the package, and import it; may be\nrepeated."),
      OptionSyntax(
        name: "--edit",
        help: """
          Add the target to Package.swift, and say so. Needs a line that
          says just 'targets: ['; what the package manager refuses is
          taken back, and so is the folder.
          """),
    ] + common,
    examples: [
      ("gauge init", "Benchmarks/ with the package's name, and what to add to Package.swift."),
      ("gauge init ParserBenchmarks --import Parser --edit", "Benchmarks of the target Parser, ready to run."),
    ],
    exitCodes: [
      ("0", "made"), ("64", "the command line is wrong"), ("65", "--edit: Package.swift can't be edited"),
      ("66", "there is no package here"), ("73", "Benchmarks/NAME exists, or can't be written"),
    ],
    action: { program, arguments throws(CommandFailure) in try program.makeBenchmarks(arguments) })
}

extension Program {
  /// Runs `gauge init`.
  func makeBenchmarks(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    try arguments.expect(plain: 0...1, usage: "gauge init [NAME]")
    let package: BenchmarkPackage
    do throws(PackageFailure) {
      package = try BenchmarkPackage(around: folder, swift: swift)
    } catch {
      throw CommandFailure(error)
    }
    let name = arguments.plain.first ?? NewBenchmarks.name(for: (package.folder as NSString).lastPathComponent)
    let new = NewBenchmarks(name: name, modules: arguments.list("--import"))
    for word in [name] + new.modules where !NewBenchmarks.isModule(word) {
      throw .usage("'\(word)' can't be the name of a module: letters, digits and '_' are, and no digit first")
    }
    guard Files.stamp(of: "\(package.folder)/\(new.folder)") == nil else {
      throw CommandFailure(
        code: .cannotWrite, message: "\(new.folder) exists", advice: "Give another name: gauge init NAME")
    }
    do throws(CommandFailure) {
      try write(new.source, to: "\(package.folder)/\(new.folder)/\(name).swift")
    } catch {
      // The folder alone would be taken for benchmarks that are there.
      Files.removeFolder("\(package.folder)/\(new.folder)")
      throw error
    }
    if arguments.has("--edit") {
      do throws(CommandFailure) {
        try add(new, to: package)
      } catch {
        // A target that stayed in the manifest needs its folder. Else the next try is to find none.
        if Files.text(of: package.folder + "/Package.swift")?.contains(new.target) != true {
          Files.remove("\(package.folder)/\(new.folder)/\(name).swift")
          Files.removeFolder("\(package.folder)/\(new.folder)")
        }
        throw error
      }
    } else {
      console.output.write("\nAdd to the targets of Package.swift:\n\n\(new.target)\n")
    }
    console.output.write(
      """

      Then:

        gauge run --quick        measures, into results/latest.csv    (or: swift package benchmark run --quick)
        gauge ab --base main     says what your changes do            (or: swift package benchmark ab --base main)

      .gauge/ and results/latest.csv are made anew by each run: they belong into .gitignore.

      """)
    return ExitCode.same.rawValue
  }

  /// Adds the target to the manifest, unless the package manager refuses what comes out.
  private func add(_ new: NewBenchmarks, to package: BenchmarkPackage) throws(CommandFailure) {
    let path = package.folder + "/Package.swift"
    guard let manifest = Files.text(of: path), let edited = new.added(to: manifest) else {
      throw CommandFailure(
        code: .badFile, message: "\(path) has not just one line 'targets: [', so that nothing was added to it",
        advice: "\(new.folder) was taken back. Without --edit it stays; then add to its targets:\n\n\(new.target)")
    }
    do throws(ResultFile.Failure) {
      try replace(path, with: Array(edited.utf8))
    } catch {
      throw CommandFailure(error)
    }
    console.error.line(
      "gauge: asking the package manager about the new target; at first it fetches what the package needs")
    var complaint = "it doesn't have the new target then"
    do throws(PackageFailure) {
      if try package.targets().benchmarks.contains(new.name) {
        console.output.lines("\nEdited Package.swift, added to its targets:\n\n\(new.target)")
        return
      }
    } catch {
      complaint = "\(error)"
    }
    do throws(ResultFile.Failure) {
      try replace(path, with: Array(manifest.utf8))
    } catch {
      throw CommandFailure(error)
    }
    throw CommandFailure(
      code: .badFile, message: "\(path) is as it was, as the package manager refuses the new target: \(complaint)",
      advice: "Does the package depend on weir? \(new.folder) was taken back. Without --edit it stays; then add to its "
        + "targets:\n\n\(new.target)")
  }
}

/// A benchmark executable that is about to be made.
struct NewBenchmarks: Hashable {
  /// Name of the target, of its file and of the suite in it.
  var name: String
  /// Targets of the package that it imports.
  var modules: [String]

  /// Its folder in the package.
  var folder: String { "Benchmarks/" + name }

  /// Its source.
  var source: String {
    """
    // Benchmarks: `swift package benchmark run` measures them, `swift package benchmark ab --base main` judges changes.

    import Gauge
    \(modules.map { "import \($0)\n" }.joined())
    @main struct \(name): BenchmarkSuite {
      @BenchmarkBuilder static var benchmarks: [Benchmark] {
        // Measured at each point of the grid: example/sort[count=10] and example/sort[count=1000].
        Benchmark("example/sort", over: .values("count", [10, 1000])) { run in
          // What stands before `measure` is setup, and what stands behind it is teardown: neither is measured.
          let shuffled = (0..<run["count"]).map { ($0 &* 7919) % run["count"] }
          // One operation sorts so many elements, so that time per element and throughput come out right.
          run.elements = run["count"]
          // The result is taken care of: it can't be optimised away.
          run.measure { shuffled.sorted() }
        }
      }
    }

    """
  }

  /// Its target, as it stands among the targets of a manifest.
  var target: String {
    let dependencies = modules.map { "\"\($0)\", " }.joined() + ".product(name: \"Gauge\", package: \"weir\")"
    return """
          .executableTarget(
            name: "\(name)",
            dependencies: [\(dependencies)],
            path: "\(folder)"),
      """
  }

  /// A manifest with the target as the first of its targets; `nil` where it isn't clear where these begin.
  func added(to manifest: String) -> String? {
    var lines = manifest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let places = lines.indices.filter { lines[$0].trimmingCharacters(in: .whitespaces) == "targets: [" }
    guard places.count == 1 else { return nil }
    lines.insert(target, at: places[0] + 1)
    return lines.joined(separator: "\n")
  }

  /// A name for the benchmarks of a package in a folder of some name.
  static func name(for folder: String) -> String {
    let words = folder.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return (isModule(joined) ? joined : "") + "Benchmarks"
  }

  /// Whether a module can have this name.
  static func isModule(_ word: String) -> Bool {
    guard let first = word.first, first.isLetter || first == "_" else { return false }
    return word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
