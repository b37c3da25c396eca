// `gauge profile --read FILE`: what a running program has recorded of itself.

import Foundation

extension Program {
  /// Shows a recording.
  ///
  /// - Returns: The exit code.
  func showRecording(
    _ path: String, _ arguments: Arguments, _ options: ProfileOptions
  ) throws(CommandFailure) -> Int32 {
    for option in ["--kind", "--against", "--rate", "--seconds"] where arguments.has(option) {
      throw .usage("option '\(option)' is for what is measured now, and '--read' shows what was recorded")
    }
    if let glob = arguments.plain.first { throw .usage("'\(glob)': a recording is of no benchmark") }
    var recording = try read(path) { (bytes) throws(SampleFile.FormatError) in try Recording(bytes) }
    let symbols: RecordedSymbols
    do throws(RecordedSymbols.Failure) {
      symbols = try RecordedSymbols(arguments.all("--symbols"), of: recording)
    } catch {
      throw CommandFailure(
        code: error.isMissing ? .missingFile : .badFile, message: error.message, advice: error.advice)
    }
    recording.read(symbols.others)
    let symboliser = Symboliser(
      lines: SourceLines(besides: swift, path: environment["PATH"] ?? ""), scratch: Self.scratchPath() + "-addresses",
      load: symbols.load)
    var recorded = RecordedProfiles(recording, symboliser: symboliser)
    if Files.stamp(of: path + ".heap") != nil {
      let heap = try read(path + ".heap") { (bytes) throws(SampleFile.FormatError) in try SampleFile(bytes) }
      recorded.add(heap, of: recording, symboliser: symboliser)
    }
    let title = LoadedObject.name(ofPath: path)
    let name = title.hasSuffix(".gauge") ? String(title.dropLast(6)) : title
    let output = ProfileOutput(
      formats: options.formats, folder: options.output, console: console, names: [title: name])
    let isTable = options.formats.contains(.table)
    let width = isTable && options.formats.count == 1 ? console.output.columns ?? 120 : 120
    let text = recorded.report.text(width: width, colour: isTable && console.output.colour)
    for file in try output.write(recorded.profiles, text: text, title: title) {
      console.error.line("gauge: wrote \(file)")
    }
    return ExitCode.same.rawValue
  }

  private func read<Content>(
    _ path: String, as content: ([UInt8]) throws(SampleFile.FormatError) -> Content
  ) throws(CommandFailure) -> Content {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.contents(of: path, mayBePipe: true)
    } catch {
      throw CommandFailure(code: .missingFile, message: "\(error)")
    }
    do throws(SampleFile.FormatError) {
      return try content(bytes)
    } catch {
      throw CommandFailure(
        code: .badFile, message: "\(path): \(error)",
        advice: "Name a file that Recorder.start, Recorder.dump or the signal of Recorder.recordOnSignal has written.")
    }
  }
}
