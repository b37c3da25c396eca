// Git about one repository, with the environment of a hook of another one.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct CommandGitTests {
  @Test func `what says which repository is left out, and settings stay`() throws {
    let inherited = [
      "GIT_DIR": "/other/.git", "GIT_INDEX_FILE": "/other/.git/index", "GIT_WORK_TREE": "/other", "GIT_PREFIX": "x",
      "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "t", "HOME": "/home",
    ]
    let command = Command.git(["status"], inheriting: inherited)
    #expect(command.line == "git status")
    #expect(
      command.environment == [
        "HOME": "/home", "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "t",
        "GIT_CONFIG_KEY_1": "core.hooksPath", "GIT_CONFIG_VALUE_1": "/dev/null",
      ])
    #expect(Command.git([], inheriting: [:]).environment?["GIT_CONFIG_KEY_0"] == "core.hooksPath")
  }

  /// The defect: within a hook, files of the developer's folder were overwritten.
  @Test func `all that are about a repository are known`() throws {
    let known = Set(
      try ProcessRun.capturing(Command.git(["rev-parse", "--local-env-vars"]), reportOn: 1).report
        .split(separator: "\n").map(String.init)
    ).filter { !$0.contains("CONFIG") }
    #expect(known.count > 8)
    let command = Command.git([], inheriting: Dictionary(uniqueKeysWithValues: known.map { ($0, "x") }))
    #expect(known.allSatisfy { command.environment?[$0] == nil }, "\(known)")
  }
}
