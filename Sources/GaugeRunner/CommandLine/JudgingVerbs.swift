// The verbs that judge results, as their users see them: options, examples and exit codes.
// No test mirror: declarations only, whose rules VerbsTests checks for all verbs.

extension Verbs {
  private static let wrong = (code: "64", meaning: "the command line is wrong")
  private static let damaged = (code: "65", meaning: "a file is not of its format, or damaged")
  private static let missing = (code: "66", meaning: "a file is missing")
  private static let unwritten = (code: "73", meaning: "a file can't be written")

  /// `gauge ab`.
  static let ab = VerbSyntax(
    name: "ab", arguments: "[GLOB ...]",
    summary: "Compares two revisions, or a baseline and today, by launches of both in turn.",
    description: """
      Builds both revisions, one after the other in .gauge/ab/tree, so that unchanged code gives identical binaries, which
      need no timing. Pairs of launches, one of each side in random order, go to results/ab/base.csv and new.csv.

      Where --base names a baseline whose executables 'gauge baseline' has kept on this machine, these are measured beside
      today's build, and nothing of the past is built. A name of both a baseline and a revision is taken for the baseline;
      'baseline:NAME' and 'revision:REV' say which. Kept executables are refused where they speak another launch protocol,
      share the runtime of another toolchain, or need another processor (code 6), and where their content has changed (65).
      With --executable they are measured beside that one. Two versions of Gauge's own code in the sides are told of.

      Only executables are built that the filters need, as far as lists of benchmarks from earlier builds of the same
      sources tell. One that doesn't compile is named and left out, and the command ends with 3.

      Both sides of the others are counted first: where instructions, retains, releases and allocations of a benchmark of
      one thread are the same, it is not timed either (counts need valgrind; threads that disturb each other are not seen
      by counts, and always timed). After 20, 30, 45, 68, 100 and 150 pairs each row is looked at: it is decided, or goes
      on. The chance of any false change over all rows and looks is 0.1 %. A change of a time counts from 0.1 % on, one of
      the instructions from 0.5 %; thresholds say otherwise, as for 'gauge compare'.
      """,
    options: [
      OptionSyntax(
        name: "--base", placeholder: "NAME",
        help: "The baseline or revision to compare with: NAME,\nbaseline:NAME or revision:REV."),
      OptionSyntax(
        name: "--new", placeholder: "REV",
        help: "The revision that is judged. Default: the folder as it is,\nwithout files that git doesn't know."),
      OptionSyntax(
        name: "--base-executable", placeholder: "PATH", help: "Compare with this executable; may be repeated."),
      executableOption,
      OptionSyntax(
        name: "--filter", placeholder: "GLOB", help: "Take only benchmarks that fit; may be repeated."),
      OptionSyntax(
        name: "--budget", placeholder: "SECONDS",
        help: "Time after which no pair is begun and open rows stay\nundecided. Default: 300."),
      timeLimitOption,
      OptionSyntax(name: "--time-all", help: "Time also what counts the same on both sides."),
      OptionSyntax(
        name: "--suspects", placeholder: "FILE",
        help: """
          Time only rows whose time grew most since the baseline's run.
          FILE is a run of today. As many as the budget can decide are
          timed, nothing is counted, and the drift of the suite is told.
          """),
      OptionSyntax(name: "--seed", placeholder: "N", help: "What the order is drawn from. Default: random."),
      Program.explainOption,
      OptionSyntax(
        name: "--format", placeholder: "A,B", help: "What to print or write, as for 'gauge compare'. Default: text."),
      OptionSyntax(
        name: "--output", placeholder: "DIR", help: "Write the formats into this folder, and print the text."),
    ] + Program.thresholdOptions + common,
    examples: [
      ("gauge ab --base baseline:main", "What changed since the baseline 'main' was saved here.")
    ],
    exitCodes: [
      ("0", "the same"), ("2", "something got worse"), ("3", "a benchmark broke, or a side can't be built"),
      ("4", "something got better, nothing worse"),
      ("6", "nothing in common that can be compared, or kept executables can't run here"),
      ("7", "not enough data for some verdicts"), ("64", "the command line is wrong, or a filter fits no benchmark"),
      ("65", "a kept executable is damaged, or of another run than the baseline"),
      ("66", "no package, no benchmarks in it, no such executable or baseline"),
      ("73", "a file can't be written, or another comparison is at work in the package"),
      ("130", "interrupted (143: terminated)"),
    ])

  /// `gauge baseline`.
  static let baseline = VerbSyntax(
    name: "baseline", arguments: "save|accept|list|show|remove [NAME] [FILE.csv]",
    summary: "Keeps named result files to compare with, and their executables.",
    description: """
      A baseline is a result file in results/baselines/ of the package: text, to be reviewed and committed like sources.
      'gauge compare' takes its name in place of a path. 'save' takes results/latest.csv where no file is given, and
      refuses one with broken benchmarks.

      'save' also keeps what the run was measured with, in .gauge/kept: executables (debug information apart), hooks,
      resources and libraries of the package, each content once, so that 'gauge ab --base NAME' can measure the baseline
      beside today's build. What a result file names is kept only from .gauge and .build, and where it is what was measured;
      others are named by --executable. Files that benchmarks read by other paths are not kept: make them resources. Where the
      executables are gone or built anew since the run, the results alone are saved, and that is said. The folder can be
      cached as it is; it is not for git. Within the limit of space, files that no baseline refers to stay, and go oldest
      first; what a baseline refers to goes only with 'remove'. Content is held against its hash before it runs, and no
      link is followed.

      'accept' makes a run this machine's own baseline, 'accepted', which is in .gauge/kept alone; 'scripts/bench' and the
      like judge against it, and nothing but 'accept' moves it.
      """,
    options: [
      OptionSyntax(name: "--force", help: "Replace a baseline of the same name."),
      OptionSyntax(
        name: "--executable", placeholder: "PATH",
        help: """
          Keep this executable, where the run was measured with others
          than those in .gauge and .build; may be repeated.
          """),
      OptionSyntax(
        name: "--space", placeholder: "MEGABYTES",
        help: "What all kept executables may take, beyond which a new one is\nrefused. Default: 2048."),
    ] + common,
    examples: [
      ("gauge baseline save main", "Keep results/latest.csv and its executables as 'main'."),
      ("gauge baseline accept", "Judge this machine's next runs against this one."),
      ("gauge baseline list", "What there is, with date, commit, processor and size."),
    ],
    exitCodes: [
      ("0", "done"), ("3", "a benchmark of the file broke"), wrong, damaged,
      ("66", "there is no such file or baseline, or accept: its executables are gone"),
      ("73", "it can't be written, has no room, or is there and --force isn't given"),
    ])

  /// `gauge check`.
  static let check = VerbSyntax(
    name: "check", arguments: "[RESULTS.csv]",
    summary: "Holds a run against static limits that are kept in git.",
    description: """
      A file of limits has a line per limit: 'metric' of 'benchmark' at 'parameters', less that of 'less' at
      'less_parameters' where one is named, divided by 'divisor', may be at most 'limit'; lines that begin with # are
      comments. Without RESULTS.csv the benchmarks and metrics that the limits name are measured first.
      """,
    options: [
      OptionSyntax(
        name: "--limits", placeholder: "FILE", help: "The limits. Default: Benchmarks/limits.csv in the package."),
      executableOption,
    ] + common,
    examples: [
      ("gauge check", "Count what the limits name, and check it."),
      ("gauge check --limits limits.csv counts.csv", "Check a run that was measured before."),
    ],
    exitCodes: [
      ("0", "everything is within its limit"), ("2", "something is above"),
      ("3", "a benchmark broke, the run is incomplete, or the benchmarks can't be built"), ("7", "a value is missing"),
      wrong, damaged,
      missing,
      unwritten,
    ])

  /// `gauge history`.
  static let history = VerbSyntax(
    name: "history", arguments: "add|learn|show|changes [RESULTS.csv | GLOB ...]",
    summary: "Keeps results over many commits, and finds where they changed.",
    description: """
      'add' appends the medians of a run, of results/latest.csv where no file is given; the same file is added once.
      'show' draws each metric's course. 'changes' finds changes that last: of counts every one, of times those that
      E-divisive means (Matteson and James) find at a level of 0.5 % and that exceed 1 %, each machine by itself. 'learn'
      remembers result files of this machine for 'gauge compare', as 'gauge run' does of its own.
      """,
    options: [
      Program.earlierOption,
      OptionSyntax(
        name: "--history", placeholder: "FILE", help: "The history. Default: results/history.csv in the package."),
      OptionSyntax(
        name: "--filter", placeholder: "GLOB", help: "Show only benchmarks that fit; may be repeated."),
    ] + common,
    examples: [
      ("gauge history add", "Append results/latest.csv."),
      ("gauge history show 'subject/*'", "The course of one family."),
      ("gauge history changes", "What changed, in which commit."),
    ],
    exitCodes: [
      ("0", "done"), ("7", "changes: every series is too short"),
      ("64", "the command line is wrong, or a filter fits nothing"),
      damaged, missing, unwritten,
    ])

  /// `gauge merge`.
  static let merge = VerbSyntax(
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
      ("0", "merged"), ("3", "merged, and a benchmark broke"), wrong,
      ("65", "a file is damaged, or the files don't belong together"), missing, unwritten,
    ])
}
