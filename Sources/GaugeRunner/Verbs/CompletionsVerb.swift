// `gauge completions`: what makes a shell complete command lines of gauge.

extension Verb {
  /// `gauge completions`.
  static let completions = Verb(
    name: "completions", arguments: "bash|zsh",
    summary: "Prints what makes a shell complete command lines of gauge.",
    description: """
      To be sourced, or kept where the shell looks for completions: commands, options, their known values, actions and
      files are offered, and revisions where one is asked for.
      """,
    options: common,
    examples: [
      (
        "gauge completions bash > ~/.local/share/bash-completion/completions/gauge", "For bash, from the next shell on."
      ),
      ("gauge completions zsh > ~/.zfunc/_gauge", "For zsh, with ~/.zfunc in $fpath."),
    ],
    exitCodes: [("0", "printed"), ("64", "no such shell"), ("73", "it can't be written")],
    action: { program, arguments throws(CommandFailure) in try program.completions(arguments) })
}

extension Program {
  /// Runs `gauge completions`.
  func completions(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let shell = try arguments.action(as: Completions.Shell.self)
    try arguments.expect(plain: 1...1, usage: "gauge completions \(shell.rawValue)")
    console.output.write(Completions(verbs: Verbs.all).script(for: shell))
    return ExitCode.same.rawValue
  }
}
