// No test file: a declaration of errors only; the tests of the other files of this folder expect them.

/// Why a package's benchmarks can't be had.
enum PackageFailure: Error, Hashable, CustomStringConvertible {
  /// There is no `Package.swift` here or in a folder above.
  case noPackage(folder: String)
  /// No commit has this name, in a clone that may have only the last ones.
  case noCommit(revision: String, isShallow: Bool)
  /// The package has no executable target under `Benchmarks/`.
  case noBenchmarks(package: String)
  /// A commit has no package where the developer's is, or above.
  case noPackageYet(commit: String)
  /// A tool of the package manager could not do its work.
  case toolFailed(what: String, output: String)
  /// The benchmarks don't compile or link; the compiler has said why.
  case buildFailed(command: String)
  /// A benchmark executable isn't where it should be.
  case missingExecutable(path: String)
  /// A benchmark executable doesn't tell its benchmarks.
  case unlistable(path: String, reason: String, output: String)
  /// Something in the folder of gauge's own files may be a stranger's.
  case foreign(path: String, reason: String)
  /// The package does not depend on another one of this name.
  case noDependency(name: String, known: [String])
  /// Two executables have a benchmark of the same name.
  case ambiguous(benchmark: String, first: String, second: String)

  /// Why a commit may be missing, and what to do about it.
  static let shallow = "this clone has only its last commits, and 'git fetch --unshallow' brings the others"

  var description: String {
    switch self {
    case .noPackage(let folder):
      """
      there is no Package.swift in \(folder) or a folder above; go into a package, or name its built benchmarks with \
      --executable PATH
      """
    case .noCommit(let revision, let isShallow):
      "there is no commit '\(revision)'" + (isShallow ? ": \(Self.shallow)" : "")
    case .noBenchmarks(let package):
      "\(package)/Package.swift has no executable target whose sources lie under Benchmarks/"
    case .noPackageYet(let commit):
      "commit \(commit.prefix(12)) has no Package.swift where this package has it, or in a folder above"
    case .toolFailed(let what, let output): "\(what) failed:\n\(output)"
    case .buildFailed(let command): "the build of the benchmarks failed: \(command)"
    case .missingExecutable(let path): "\(path): no such benchmark executable"
    case .unlistable(let path, let reason, let output):
      "\(path) doesn't list its benchmarks: \(reason)" + (output.isEmpty ? "" : "\n" + output)
    case .foreign(let path, let reason):
      """
      \(path): \(reason); gauge runs and believes what is in .gauge, so that nothing of it may come with a change: \
      git rm -r --cached .gauge, and put .gauge/ into .gitignore
      """
    case .noDependency(let name, let known):
      "the package does not depend on '\(name)', but on "
        + (known.isEmpty ? "nothing" : known.joined(separator: ", "))
    case .ambiguous(let benchmark, let first, let second):
      "the benchmark \(benchmark) exists twice: in \(first) and in \(second)"
    }
  }
}
