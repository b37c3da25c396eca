// Completion of command lines: the scripts are loaded into the shells, and asked.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct CompletionsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Whether a program is in the usual places.
  static func has(_ program: String) -> Bool {
    ["/bin/", "/usr/bin/"].contains { Files.stamp(of: $0 + program) != nil }
  }

  /// What bash offers for the last of some words.
  func offers(_ words: String..., in place: String = "/") throws -> Set<String> {
    let script = try folder.write(Completions(verbs: Verbs.all).script(for: .bash), to: "gauge.bash")
    let command = """
      set -eu
      cd "$1"
      shift
      source "$0"
      complete -p gauge | grep -q -- '-F _gauge gauge'
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      set +e
      _gauge
      printf '%s\\n' "${COMPREPLY[@]-}"
      """
    let run = try ProcessRun.capturing(
      Command(program: "/bin/bash", arguments: ["--norc", "-c", command, script, place] + words), reportOn: 1)
    #expect(run.succeeded, "\(run.output)")
    #expect(run.output == "")
    return Set(run.report.split(separator: "\n").map(String.init))
  }

  @Test(.enabled(if: has("bash"))) func `bash offers verbs, options, actions and known words`() throws {
    #expect(try offers("gauge", "").isSuperset(of: Verbs.all.map(\.name) + ["help"]))
    #expect(try offers("gauge", "comp") == ["compare", "completions"])
    #expect(try offers("gauge", "run", "--q") == ["--quick"])
    #expect(try offers("gauge", "run", "--quick", "--out") == ["--output"])
    #expect(try offers("gauge", "ab", "--color", "") == ["always", "never", "auto"])
    #expect(try offers("gauge", "compare", "--format", "ju") == ["junit"])
    #expect(try offers("gauge", "report", "--format", "hyper") == ["hyperfine"])
    #expect(try offers("gauge", "baseline", "") == ["save", "accept", "list", "show", "remove"])
    #expect(try offers("gauge", "baseline", "save", "") == [])
    #expect(try offers("gauge", "history", "") == ["add", "backfill", "learn", "show", "changes"])
    #expect(try offers("gauge", "history", "backfill", "--e") == ["--earlier", "--every"])
    #expect(try offers("gauge", "help", "rep") == ["report"])
    #expect(try offers("gauge", "completions", "") == ["bash", "zsh"])
    #expect(try offers("gauge", "run", "--output", "--q") == [], "the value of an option is no option")
    #expect(try offers("gauge", "nonsense", "--") == [])
  }

  /// A tag of such a name was run by pressing the tabulator.
  @Test(.enabled(if: has("bash"))) func `the name of a revision is not run`() throws {
    let fixture = try TwoRevisions()
    for name in ["v1", "v1.2/x-y", "v$(echo>'\(folder("evil"))')", "v`id`", "v{a,b}", "v'x"] {
      try fixture.git("tag", name)
    }
    try fixture.folder.write("{}", to: "package/.gauge/kept/v2.json")
    let offered = try offers("gauge", "ab", "--base", "v", in: fixture.folder("package"))
    #expect(offered == ["v1", "v1.2/x-y", "v2"])
    #expect(Files.kind(of: folder("evil")) == nil)
  }

  @Test(.enabled(if: has("zsh"))) func `zsh takes the script`() throws {
    let script = try folder.write(Completions(verbs: Verbs.all).script(for: .zsh), to: "gauge.zsh")
    let command = """
      set -e
      autoload -Uz compinit
      compinit -D -u
      source "$1"
      [[ $_comps[gauge] == _gauge ]]
      whence -w _gauge _gauge_revisions
      """
    let run = try ProcessRun.capturing(
      Command(program: "zsh", arguments: ["-f", "-c", command, "zsh", script]), reportOn: 1)
    #expect(run.succeeded, "\(run.output)")
    #expect(run.report == "_gauge: function\n_gauge_revisions: function\n")
  }

  @Test func `a quote within a text doesn't end its word in zsh`() {
    let verb = Verb(
      name: "weigh", arguments: "", summary: "Weighs 'it'.", description: "Twice.",
      options: [
        OptionSyntax(name: "--unit", placeholder: "UNIT", help: "The unit's [name]: 'g'. More."),
        OptionSyntax(name: "--again", help: "Once more."),
      ], examples: [], exitCodes: []
    ) { _, _ in 0 }
    let script = Completions(verbs: [verb]).script(for: .zsh)
    #expect(script.contains(#"    'weigh:Weighs '\''it'\''.'"#))
    #expect(
      script.contains(
        #"""
            weigh) _arguments \
              '*--unit[The unit'\''s \[name\]\: '\''g'\''.]:UNIT:' \
              '*--again[Once more.]' \
              '*:file:_files' ;;
        """#), "\(script)")
  }
}
