// Where timelines go: tables and listings on the terminal, and files for tools.

/// A form that a timeline is shown in.
enum TimelineFormat: String, CaseIterable, RecordedFormat {
  /// The events on the terminal, with their times.
  case table
  /// The events without times, to be compared.
  case events
  /// For Perfetto, or whatever else reads Chrome's trace events.
  case perfetto
  /// For the Firefox Profiler.
  case firefox
  /// A page to open.
  case html

  var isDocument: Bool { self == .perfetto || self == .firefox || self == .html }

  /// The file of a timeline; `nil` for what is printed.
  func file(_ timeline: Timeline) -> ProfileFormat.File? {
    switch self {
    case .table: nil
    case .events: ("events.tsv", Array(TimelineText(timeline: timeline).listing.utf8))
    case .perfetto: ("perfetto.json", Array(PerfettoTrace.text(timeline).utf8))
    case .firefox: ("firefox.json", Array(FirefoxProfile.text(timeline).utf8))
    case .html: ("timeline.html", Array(timelinePage(timeline).utf8))
    }
  }
}

extension ProfileOutput {
  /// Writes a timeline.
  ///
  /// - Parameters:
  ///   - timeline: The timeline.
  ///   - forms: How to show it.
  /// - Returns: Paths of the files.
  /// - Throws: `CommandFailure` with code `cannotWrite`.
  func write(_ timeline: Timeline, as forms: [TimelineFormat]) throws(CommandFailure) -> [String] {
    var paths: [String] = []
    for form in forms {
      if let file = form.file(timeline) {
        paths += try write(file, title: timeline.title)
      } else {
        console.output.line(marked: console.output.bold(timeline.title))
        let text = TimelineText(timeline: timeline)
        console.output.marked(text.text(width: console.output.columns ?? 80, colour: console.output.colour))
        console.output.line()
      }
    }
    return paths
  }
}
