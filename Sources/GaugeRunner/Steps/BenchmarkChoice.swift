// Which benchmarks a command is about: built or given executables, their lists, and the filters.

import Foundation

/// The benchmarks that a command line chooses.
struct BenchmarkChoice: Hashable {
  /// The folder of the package, or the current folder where executables are given.
  var folder: String
  /// Paths of the executables, absolute.
  var executables: [String]
  /// The points that fit the filters, in the order of the lists.
  var points: [BenchmarkPoint]
  /// Names of targets that don't compile, and are left out.
  var uncompiled: [String] = []
}

extension Program {
  /// Options that say which benchmarks are taken.
  static let choosingOptions = [
    OptionSyntax(
      name: "--filter", placeholder: "GLOB",
      help: """
        Take only benchmarks that fit; may be repeated. '*' stands for
        any text, '/' included, '?' for one character. Fits the name, or
        the name with parameters as 'gauge list' prints it.
        """),
    OptionSyntax(
      name: "--tag", placeholder: "WORD",
      help: "Take only benchmarks with one of these tags; may be repeated,\nor joined by commas."),
    executableOption,
  ]

  /// The option that says whose benchmarks are taken.
  static let executableOption = OptionSyntax(
    name: "--executable", placeholder: "PATH",
    help: "Take the benchmarks of this executable as it is instead of\nbuilding the package's; may be repeated.")

  /// The folder that results belong to: the package's, or the current one where executables are given.
  func home(_ arguments: Arguments) throws(CommandFailure) -> String {
    if arguments.has("--executable") { return folder }
    do throws(PackageFailure) {
      return try BenchmarkPackage(around: folder, swift: swift).folder
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Builds or takes the executables, asks them for their benchmarks, and keeps those that fit.
  ///
  /// - Parameters:
  ///   - arguments: The command line.
  ///   - filters: What to keep; as the command line says where not given.
  ///   - tags: Tags of which a benchmark must have one; as the command line says where not given.
  ///   - everything: Whether executables are built, too, that the filters don't need.
  /// - Throws: `CommandFailure` where something can't be built or listed, or a filter fits nothing.
  func choose(_ arguments: Arguments, filters: [String]? = nil, tags: [String]? = nil, everything: Bool = false)
    throws(CommandFailure) -> BenchmarkChoice
  {
    let home = try home(arguments)
    let filters = filters ?? arguments.all("--filter") + arguments.plain
    let tags = tags ?? arguments.list("--tag")
    let executables: [String]
    var uncompiled: [String] = []
    let points: [BenchmarkPoint]
    do throws(PackageFailure) {
      if arguments.has("--executable") {
        executables = arguments.all("--executable").map { URL(fileURLWithPath: $0).standardizedFileURL.path }
      } else {
        let package = try BenchmarkPackage(around: folder, swift: swift)
        let build =
          everything ? try ChosenBuild(package, filters: []) : try ChosenBuild(package, filters: filters, tags: tags)
        (executables, uncompiled) = (build.executables, build.uncompiled)
      }
      points = try BenchmarkList.points(of: executables)
    } catch {
      throw CommandFailure(error)
    }
    warn(uncompiled: uncompiled)
    let tagged = try Self.tagged(tags, points)
    return BenchmarkChoice(
      folder: home, executables: executables, points: try Self.fitting(filters, tagged), uncompiled: uncompiled)
  }

  /// The points that have one of the tags, or all where none is asked for.
  ///
  /// - Throws: `CommandFailure` with code `usage` for a tag that no point has.
  static func tagged(_ tags: [String], _ points: [BenchmarkPoint]) throws(CommandFailure) -> [BenchmarkPoint] {
    let known = Set(points.flatMap(\.tags))
    for tag in tags where !known.contains(tag) {
      throw .usage("no benchmark has the tag '\(tag)'", unknown: tag, known: known.sorted())
    }
    return tags.isEmpty ? points : points.filter { point in tags.contains { point.tags.contains($0) } }
  }

  /// The points that fit one of the filters, or all where there is none.
  ///
  /// - Throws: `CommandFailure` with code `usage` for a filter that fits nothing.
  static func fitting(_ filters: [String], _ points: [BenchmarkPoint]) throws(CommandFailure) -> [BenchmarkPoint] {
    let globs = filters.map(Glob.init)
    for glob in globs where !points.contains(where: glob.matches) {
      let families = points.map { $0.benchmark.prefix { $0 != "/" } + "/*" }
      let names = points.map(\.benchmark) + points.map(\.title) + families.map(String.init)
      var failure = CommandFailure.usage(
        "no benchmark fits '\(glob.text)'", unknown: glob.text, known: Array(Set(names)))
      if failure.advice.isEmpty { failure.advice = "'gauge list' prints what there is." }
      throw failure
    }
    return globs.isEmpty ? points : points.filter { point in globs.contains { $0.matches(point) } }
  }
}
