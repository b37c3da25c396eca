// Git as gauge runs it: about the repository that a folder lies in, whoever has called gauge.

import Foundation

extension Command {
  /// A command of git.
  ///
  /// Who calls hooks tells them by variables of the environment which repository, index and folder git works on, and
  /// would so have every command of another repository, or of another folder of it, work on those. The repository's
  /// own hooks are not called: what gauge checks out is nobody's work.
  ///
  /// - Parameters:
  ///   - arguments: Its arguments.
  ///   - inherited: The environment that it gets as far as that says nothing of a repository.
  static func git(
    _ arguments: [String], inheriting inherited: [String: String] = ProcessInfo.processInfo.environment
  ) -> Command {
    var environment = inherited
    for name in ofRepository { environment[name] = nil }
    let count = environment["GIT_CONFIG_COUNT"].flatMap { Int($0) } ?? 0
    environment["GIT_CONFIG_COUNT"] = "\(count + 1)"
    environment["GIT_CONFIG_KEY_\(count)"] = "core.hooksPath"
    environment["GIT_CONFIG_VALUE_\(count)"] = "/dev/null"
    return Command(program: "git", arguments: arguments, environment: environment)
  }

  /// What `git rev-parse --local-env-vars` names, without settings.
  private static let ofRepository = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
  ]
}
