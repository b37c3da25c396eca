// Completion of `gauge`'s command lines in bash and zsh, made from its verbs.

/// What makes a shell complete command lines of `gauge`.
struct Completions {
  /// A shell that can be told.
  enum Shell: String, CaseIterable {
    case bash, zsh
  }

  /// The verbs that are completed.
  var verbs: [Verb]

  /// A script to be sourced, or to be kept where the shell looks for completions.
  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    }
  }

  /// What may stand as the value of an option.
  private enum Value {
    case words([String])
    case revisions
    case files
    /// Nothing that a shell could know.
    case anything
  }

  private static func value(of option: OptionSyntax) -> Value? {
    guard let placeholder = option.placeholder else { return nil }
    guard option.words.isEmpty else { return .words(option.words) }
    switch (option.name, placeholder) {
    case ("--base", _), (_, "REV"): return .revisions
    case (_, "FILE"), (_, "DIR"), (_, "PATH"): return .files
    default: return .anything
    }
  }

  /// What prints revisions, and baselines whose executables are kept here.
  private static let revisions =
    "{ git for-each-ref --format='%(refname:short)'; ls .gauge/kept | sed -n 's/\\.json$//p'; } 2>/dev/null"

  // MARK: - bash

  private var bash: String {
    """
    # Completion of gauge for bash: source <(gauge completions bash)
    # Where nothing is offered, files are.
    _gauge() {
      local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options='' actions=''
      COMPREPLY=()
      if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W '\((verbs.map(\.name) + ["help"]).joined(separator: " "))' -- "$word"))
        return
      fi
      case ${COMP_WORDS[1]} in
    \(verbs.map(bashCase).joined(separator: "\n"))
        help) options='--long --man' actions='\(verbs.map(\.name).joined(separator: " "))' ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
        *) if ((COMP_CWORD == 2)); then COMPREPLY=($(compgen -W "$actions" -- "$word")); fi ;;
      esac
    }
    # A stranger may have named a revision: one that holds what a shell expands is not offered, and none is
    # expanded here.
    _gauge_revisions() {
      local revision
      while IFS= read -r revision; do
        if [[ $revision == "$1"* && $revision != *[!A-Za-z0-9._/@+-]* ]]; then COMPREPLY+=("$revision"); fi
      done < <(\(Self.revisions))
    }
    complete -o default -F _gauge gauge

    """
  }

  private func bashCase(_ verb: Verb) -> String {
    var lines = ["    \(verb.name))", "      case $before in"]
    for option in verb.options {
      switch Self.value(of: option) {
      case .words(let words):
        lines.append(
          "        \(option.name)) COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\")); return ;;")
      case .revisions:
        lines.append("        \(option.name)) _gauge_revisions \"$word\"; return ;;")
      case .files, .anything: lines.append("        \(option.name)) return ;;")
      case nil: break
      }
    }
    lines += [
      "      esac",
      "      options='\(verb.options.map(\.name).joined(separator: " "))'"
        + (verb.actions.isEmpty ? "" : " actions='\(verb.actions.joined(separator: " "))'") + " ;;",
    ]
    return lines.joined(separator: "\n")
  }

  // MARK: - zsh

  private var zsh: String {
    """
    #compdef gauge
    # Completion of gauge for zsh: source <(gauge completions zsh), behind compinit; or a file _gauge in a folder of $fpath.
    _gauge() {
      local -a commands
      commands=(
    \(verbs.map { "    \(Self.quoted("\($0.name):\($0.summary)"))" }.joined(separator: "\n"))
        'help:Explains a command.'
      )
      if ((CURRENT == 2)); then
        _describe -t commands command commands
        return
      fi
      local verb=$words[2]
      shift words
      ((CURRENT--))
      case $verb in
    \(verbs.map(zshCase).joined(separator: "\n"))
        help) _arguments '--long[everything about a command]' '--man[the manual page]' '1:command:(\
    \(verbs.map(\.name).joined(separator: " ")))' ;;
      esac
    }
    _gauge_revisions() { compadd -- ${(f)"$(\(Self.revisions))"} }
    if [[ ${funcstack[1]-} == _gauge ]]; then _gauge "$@"; else compdef _gauge gauge; fi

    """
  }

  private func zshCase(_ verb: Verb) -> String {
    let actions = verb.actions.joined(separator: " ")
    let plain = actions.isEmpty ? ["'*:file:_files'"] : ["'1:action:(\(actions))'", "'*:file:_files'"]
    let words =
      ["    \(verb.name)) _arguments"] + verb.options.map { "      " + Self.quoted(Self.specification($0)) }
    return (words + plain.map { "      " + $0 }).joined(separator: " \\\n") + " ;;"
  }

  /// An option as `_arguments` wants it; it may be repeated.
  private static func specification(_ option: OptionSyntax) -> String {
    let text = option.firstSentence.map { "[]:\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    let head = "*\(option.name)[\(text)]"
    guard let value = value(of: option), let placeholder = option.placeholder else { return head }
    switch value {
    case .words(let words): return "\(head):\(placeholder):(\(words.joined(separator: " ")))"
    case .revisions: return "\(head):\(placeholder):_gauge_revisions"
    case .files: return "\(head):\(placeholder):_files"
    case .anything: return "\(head):\(placeholder):"
    }
  }

  /// A word of a shell that holds a text.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
