// The verbs of `gauge` as their users see them: options, examples and exit codes, from which the help pages are made.

/// All verbs.
enum Verbs {
  /// In the order of the help page.
  static let all = [
    Program.initSyntax, list, run, compare, ab, baseline, check, history, merge, report, Program.scalingSyntax,
    Program.profileSyntax, Program.completionsSyntax,
  ]

  /// Options of every verb.
  static let common = [
    OptionSyntax(
      name: "--color", placeholder: "WHEN",
      help: "Use colours: always, never, or auto (on a terminal, unless\nNO_COLOR is set). Default: auto."),
    OptionSyntax(name: "--help", help: "Print this page."),
  ]

  /// Which benchmarks are taken.
  static let choosing = [
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

  /// Whose benchmarks are taken.
  static let executableOption = OptionSyntax(
    name: "--executable", placeholder: "PATH",
    help: "Take the benchmarks of this executable as it is instead of\nbuilding the package's; may be repeated.")

  /// How long a launch may take.
  static let timeLimitOption = OptionSyntax(
    name: "--time-limit", placeholder: "SECONDS",
    help: """
      Time after which a launch counts as hanging and is killed.
      Default: 60 s for a benchmark's first launch, then ten times as
      long as its longest, 10 s at least.
      """)

  private static let usageCode = (code: "64", meaning: "the command line is wrong, or a filter fits no benchmark")

  /// `gauge list`.
  static let list = VerbSyntax(
    name: "list", arguments: "[GLOB ...]",
    summary: "Lists benchmarks, one a line, with their parameters and passes.",
    description: """
      Builds the benchmarks of the package around the current folder first (every executable target under Benchmarks/),
      in release mode, into .gauge/build. Each line is NAME or NAME[PARAMETERS], then the passes that it takes part in and
      its tags.

      With a filter only executables are built that it needs, as far as lists from earlier builds of the same sources
      tell. One that doesn't compile is named and left out.
      """,
    options: choosing + common,
    examples: [
      ("gauge list", "Everything that can be measured."),
      ("gauge list 'subject/*'", "One family."),
    ],
    exitCodes: [
      ("0", "listed"), ("3", "the benchmarks can't be built or don't list themselves"), usageCode,
      ("66", "no package, no benchmarks in it, or no such executable"),
    ])

  /// `gauge run`.
  static let run = VerbSyntax(
    name: "run", arguments: "[GLOB ...]",
    summary: "Measures benchmarks and writes a result file.",
    description: """
      Every benchmark runs in fresh processes, many short ones, in random order over the whole run. Time, latency and
      allocations are measured in launches of their own. A table of the results is printed at the end.

      Rows are written as each launch ends: a kill at any moment loses at most the launch in flight, or the sixteen of
      them that share a process of valgrind. A benchmark that crashes, hangs or throws is reported with what it printed,
      and the others go on. An existing result file is replaced, unless --resume goes on with it. One run at a time
      measures into a folder: a second one is refused. One in another folder of the machine, by whomever, is warned of. An
      executable that doesn't compile is left out, and counts as a broken benchmark.

      Before measuring time it warns of load and of a frequency that varies, and afterwards of time that the hypervisor
      took and of a machine that became slower or faster, each with what to do. What this machine can't measure reads
      'unavailable' with the reason, and is never a number.

      With --counts, every benchmark of a single thread is run under valgrind, and the instructions of its operation are
      counted, less those of an empty one. The hash seed, the environment, the stack and the C library's choice among its
      functions are pinned: the same build counts the same in every run, whatever else the machine does. Of the
      environment, only variables whose names begin with GAUGE_ are handed on. The operations are counted over
      'countedOperations' runs (1000 unless the author says otherwise); a benchmark whose row takes more than 2 seconds
      should lower it.
      """,
    options: choosing + [
      OptionSyntax(name: "--quick", help: "A look: fewer and shorter launches, within 90 seconds for\n25 benchmarks."),
      OptionSyntax(name: "--full", help: "More and longer launches, for the finest differences."),
      OptionSyntax(
        name: "--metrics", placeholder: "A,B",
        help: """
          Take only these passes or metrics (such as throughput,
          latency_p99, frees, instructions). The passes: time, latency,
          open_latency, allocations and custom, which are the default;
          resources (CPU time, page faults, context switches, memory),
          system_calls, references (retains, releases, objects),
          allocator (jemalloc's state), hardware (the core's counters),
          single_shot (the first operation of a process), counts
          (instructions under valgrind). 'all' is all but counts.
          """),
      OptionSyntax(
        name: "--counts",
        help: """
          Take what repeats exactly: instructions, and allocations; alone,
          or beside what --metrics asks for. Needs valgrind.
          """),
      OptionSyntax(
        name: "--allow-debug",
        help: """
          Measure benchmarks that were built for debugging or with a
          sanitizer: refused otherwise, as their times are worthless.
          """),
      OptionSyntax(
        name: "--resume",
        help: """
          Go on with the result file of an interrupted run: its options
          are taken from the file, launches that are there are left out.
          Refused where the machine or the executables have changed.
          """),
      Program.earlierOption,
      OptionSyntax(
        name: "--output", placeholder: "FILE", help: "The result file. Default: results/latest.csv in the package."),
      OptionSyntax(
        name: "--launches", placeholder: "N", help: "Launches of each benchmark for time and for latency."),
      timeLimitOption,
      OptionSyntax(
        name: "--shard", placeholder: "I/N", help: "Measure only the I-th of N parts; 'gauge merge' puts them together."
      ),
      OptionSyntax(
        name: "--seed", placeholder: "N", help: "What the order of the launches is drawn from. Default: random."),
    ] + common,
    examples: [
      ("gauge run", "Everything, into results/latest.csv."),
      ("gauge run --quick 'subject/*' 'flatmap/*'", "A look at two families."),
      ("gauge run --counts --output counts.csv", "What repeats exactly: instructions, allocations, frees, bytes."),
      ("gauge run --resume", "The rest of a run that was interrupted."),
    ],
    exitCodes: [
      ("0", "everything was measured"),
      ("3", "a benchmark or a fixture broke, or the benchmarks don't build, or are a build for debugging"), usageCode,
      ("65", "--resume: the file is damaged, or from another machine or build"),
      ("66", "no package, no benchmarks in it, no such executable, or no file to resume"),
      ("73", "the result file can't be written, or another run is writing into its folder"),
      ("130", "interrupted (143: terminated); the result file holds every finished launch"),
    ])

  /// `gauge compare`.
  static let compare = VerbSyntax(
    name: "compare", arguments: "BASE.csv NEW.csv",
    summary: "Compares two result files and says what got worse or better.",
    description: """
      Exact metrics (allocations, frees, bytes) are compared exactly. Times are compared where both files come from the
      same machine: worse or better is what exceeds the threshold, and what two runs of one build have differed by on this
      machine; same is what clearly stays within, anything else is not enough data.

      What runs of one build differ by is learnt from earlier ones: each 'gauge run' is remembered in .gauge/earlier of the
      package, two numbers a row, the newest 60 runs. With fewer than 20 runs of one build only changes of more than two
      fifths are told, of several threads a half. 'gauge history learn' adds runs that were measured elsewhere.

      A file of thresholds has a line per threshold: changes of 'metric' of 'benchmark' (patterns both) by up to 'percent',
      or by up to 'absolute' in the metric's unit, don't matter. An empty field leaves that one as it is, the last line that
      fits holds, lines that begin with # are comments.
      """,
    options: [
      OptionSyntax(
        name: "--format", placeholder: "A,B",
        help: """
          What to print: text (the default), markdown, html, junit, csv,
          json. Or the new run in a format of 'gauge report'.
          """),
      OptionSyntax(
        name: "--output", placeholder: "DIR",
        help: "Write the formats into this folder (default: markdown), and\nprint the text."),
      Program.earlierOption,
    ] + Program.thresholdOptions + [Program.explainOption] + Program.explainedExecutables + common,
    examples: [
      ("gauge compare results/baseline.csv results/latest.csv", "What changed since the baseline."),
      ("gauge compare main results/latest.csv", "What changed since the baseline that 'gauge baseline' has saved."),
      ("gauge compare --format markdown a.csv b.csv > comment.md", "A table for a pull request."),
    ],
    exitCodes: [
      ("0", "the same"), ("2", "something got worse"), ("3", "a benchmark of NEW broke"),
      ("4", "something got better, nothing worse"), ("6", "nothing in common that can be compared"),
      ("7", "not enough data for some verdicts"), ("64", "the command line is wrong"),
      ("65", "a file is not a result file, or damaged"), ("66", "a file is missing"),
      ("73", "a report can't be written"),
    ])

  /// `gauge report`.
  static let report = VerbSyntax(
    name: "report", arguments: "FILE.csv ...",
    summary: "Writes result files as pages to read.",
    description: """
      A table per family of benchmarks, for each file in turn: on a terminal the columns that fit, else a page with all.
      HTML also has plots of the launches, of how benchmarks scale, and of their history.

      The other formats are those of tools that keep, chart or compare results:
      github (github-action-benchmark), google (google-benchmark), jmh, bencher, hgrm (HdrHistogram), influx,
      openmetrics, go (benchstat), hyperfine, otava.
      """,
    options: [
      OptionSyntax(
        name: "--format", placeholder: "A,B",
        help: """
          The formats: text (the default on a terminal), markdown (the
          default elsewhere), html, csv, json, or one of the tools named
          above.
          """),
      OptionSyntax(name: "--filter", placeholder: "GLOB", help: "Report only benchmarks that fit; may be repeated."),
      OptionSyntax(
        name: "--history", placeholder: "FILE", help: "Show the courses that 'gauge history add' has kept there."),
      OptionSyntax(
        name: "--output", placeholder: "DIR", help: "Write the pages into this folder instead of printing them."),
    ] + common,
    examples: [
      ("gauge report results/latest.csv", "Print the tables."),
      ("gauge report results/latest.csv --output results/report", "Write results/report/report.md."),
    ],
    exitCodes: [
      ("0", "reported"), ("64", "the command line is wrong"), ("65", "a file is not a result file, or damaged"),
      ("66", "a file is missing"), ("73", "the report can't be written"),
    ])
}
