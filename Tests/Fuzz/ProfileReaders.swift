// The readers of what profiles are made of: stacks, executables, how frames are left, answers of symbolisers, dumps,
// symbols.

import CFuzz
import Gauge
import HostileFiles

@testable import GaugeRunner

private let program = WrittenElf.program.bytes
/// Read by one thread.
nonisolated(unsafe) private let object = LoadedObject(path: "/bin/program", bytes: program)
private let text = WrittenElf.base + 128

/// Everything that is made of profiles.
private func show(_ profiles: [Profile], types: [String: [String: Int]] = [:]) {
  guard let first = profiles.first else { return }
  for format in ProfileFormat.allCases { _ = format.files(profiles, against: profiles, title: "t") }
  for profile in profiles { _ = ProfileTable(profile: profile, types: types).text(width: 80, colour: false) }
  var other = first
  other.add(first)
  _ = ProfileDifference(base: first, new: other).lines
}

extension Reader {
  static let stacks: Reader = {
    var stacks = WrittenStacks()
    stacks.map =
      "400000-402000 r-xp 00000000 08:01 12    /bin/program\n7f0000000000-7f0000001000 r-xp 00000000 08:01 1 /x.so"
    stacks.types = "1f\tModule.(unknown context at $55d79da6c720).Box\n"
    let memory: [UInt64] = [0x1010, text + 0x48, 0x1030, text + 0x10, 0, 0, 0, 0]
    stacks.add([5, 6, 7, 8], code: text + 4, frame: 0x1000, pointer: 0xff0, base: 0x1000, stack: memory, type: 0x1f)
    stacks.add(
      [9], code: text + 0x90, frame: 4, pointer: 0x1000, base: 0x1000, stack: memory, chains: [(0x50, [7, 8])])
    let cpu = stacks.bytes
    stacks.sourceNumber = 4
    stacks.root = (0x1010, 7)
    stacks.cpuTime = 1_000_000
    let calls = stacks.bytes
    stacks.addWaits()
    let waits = stacks.bytes
    stacks.addTimeline()
    let timeline = stacks.bytes
    stacks.addExperiments()
    let experiments = stacks.bytes
    return Reader(name: "stacks", originals: [cpu, calls, waits, timeline, experiments], isText: false) { bytes in
      guard let file = try? SampleFile(bytes) else { return }
      for kind in [LaunchRequest.Profile.Kind.cpu, .allocations, .references, .waits] {
        let profiles = StackProfiles(
          file, kind: kind, operations: 10, title: "t", executable: "/bin/program",
          symboliser: Symboliser(lines: nil, scratch: "", load: { _ in object }))
        show(profiles.profiles, types: profiles.types)
        _ = profiles.waits.map { WaitText(report: $0).text(width: 80, colour: false) }
      }
      let survey = WhatifSurvey(
        file, executable: "/bin/program", symboliser: Symboliser(lines: nil, scratch: "", load: { _ in object }))
      _ = try? survey.function("f")
      if let experiments = file.experiments {
        let predicted = VirtualSpeedUp(function: "f", share: 1, launches: [experiments.experiments])
        let report = WhatifText(report: WhatifReport(title: "t", functions: [predicted]))
        _ = (report.text(width: 80, colour: false), report.csv, WhatifText.document([report.report]))
      }
      let timeline = TimelineStacks.timeline(
        file, title: "t", executable: "/bin/program",
        symboliser: Symboliser(lines: nil, scratch: "", load: { _ in object }))
      guard let timeline else { return }
      _ = TimelineText(timeline: timeline).text(width: 80, colour: false)
      for format in TimelineFormat.allCases { _ = format.file(timeline) }
    }
  }()

  static let recordings = Reader(
    name: "recordings", originals: [WrittenRecording.example.bytes], isText: false
  ) { bytes in
    guard let recording = try? Recording(bytes) else { return }
    let profiles = RecordedProfiles(
      recording, symboliser: Symboliser(lines: nil, scratch: "", load: { _ in object }))
    show(profiles.profiles)
    _ = profiles.report.text(width: 80, colour: false)
  }

  static let elf = Reader(name: "elf", originals: [program, WrittenElf().bytes], isText: false) { bytes in
    _ = UndebuggedExecutable.bytes(from: bytes)
    guard let object = LoadedObject(path: "/bin/program", bytes: bytes) else { return }
    _ = (object.elf.neededLibraries, object.elf.buildIdentifier, object.elf.chosenFunctions())
    let symbols = object.elf.functions().symbols.prefix(100)
    let places = (0..<64).map { text + 8 * $0 } + [0, .max] + symbols.flatMap { [$0.address, $0.address &+ $0.size] }
    for place in places {
      _ = object.symbol(at: place)
      _ = object.row(at: place)
      _ = (object.elf.calledStub(before: place), object.elf.address(ofOffset: place))
    }
  }

  /// The instructions by which one function's frame is left, and a stack that is unwound by them.
  static let frames = Reader(
    name: "frames",
    originals: [
      [0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6], [0x44, 0x0a, 0x0e, 32, 0x48, 0x0b, 0x02, 4, 0x16, 3, 2, 0x77, 8],
      [
        0x0f, 5, 0x77, 8, 0x80, 0, 0x22, 0x10, 12, 2, 0x77, 0, 0x10, 3, 2, 0x76, 0x78, 0x05, 6, 1, 0x09, 5, 4, 0x07, 16,
      ],
      [0x10, 6, 3, 0x77, 0, 0x06, 0x14, 3, 1, 0x15, 12, 0x7f, 0x11, 13, 0x7e, 0x12, 7, 0x7d, 0x13, 0x7c, 0x2e, 8],
    ], isText: false
  ) { bytes in
    var file = WrittenElf()
    file.add(".text", [UInt8](repeating: 0x90, count: 0x100))
    file.addFrames(functions: [(text, 0x100, bytes)])
    guard let object = LoadedObject(path: "/bin/program", bytes: file.bytes) else { giveUp("the file is none") }
    for distance in [0, 1, 0x10, 0x40, 0xff] as [UInt64] { _ = object.row(at: text + distance) }
    var stacks = WrittenStacks()
    stacks.map = "400000-402000 r-xp 00000000 08:01 12    /bin/program"
    let memory = (0..<64).map { $0 % 2 == 0 ? 0x1000 + 8 * $0 : text + $0 }
    stacks.add([1], code: text + 0x20, frame: 0x1010, pointer: 0x1000, base: 0x1000, stack: memory)
    guard let found = try? SampleFile(stacks.bytes) else { giveUp("the stacks are none") }
    _ = StackUnwinder(found, objects: { _ in object }).unwind(found.records[0])
  }

  static let lines = Reader(
    name: "lines",
    originals: [
      Array("main\n/a/b.swift:12:7\n\n$s4User4workyyF\n/a/c.swift:3:0\nouter\n/a/d.swift:9:1\n\n??\n??:0:0\n\n".utf8)
    ], words: ["??:0:0", ":1:1"]
  ) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    _ = SourceLines.parse(text).joined().map { FunctionName(symbol: $0.symbol) }
    if SourceLines.question(text, 1).split(separator: "\n").count != 1 { giveUp("a path makes several questions") }
  }

  static let callgrind: Reader = {
    let head = "# callgrind format\nversion: 1\ndesc: Trigger: Client Request: gauge operation 10\npositions: instr\n"
    let run =
      "ob=(1) /bin/program\nfl=(1) ???\nfn=(1) $s4Main3runyyF\n0x400080 10\n+4 20\ncfn=(2) work'main\ncalls=20 0x2000\n* 80\n"
    let rest =
      "-4 5\ncfn=(2)\ncalls=10 0x2000\n0x400090 40\n\nfn=(2)\n0x2000 60\ncob=(2) /lib/libc.so.6\ncfn=(3) malloc'work\n"
    let end =
      "calls=30 0x9000\n+8 60\ncfn=(4) swift_retain\ncalls=3 0x10\n0 20\n\nob=(2)\nfn=(3)\n0x9000 60\ntotals: 160\n"
    let whole = head + "events: Ir\nsummary: 160\n\n" + run + rest + end
    return Reader(
      name: "callgrind", originals: [Array(whole.utf8)],
      words: [
        "fn=", "cfn=", "calls=", "ob=", "summary: ", "* ", "+", "0xffffffffffffffff", "(1)", "(2)",
        "gauge empty-body 10",
      ]
    ) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      let empty = "desc: Trigger: Client Request: gauge empty-body 10\nsummary: 1\n"
      _ = CallgrindDump.measurements([text, empty])
      guard let graph = CallgrindGraph(text) else { return }
      let profile = InstructionProfile(graph) { _, address in
        switch address % 16 {
        case 0:
          [
            ProfileFrame(function: "run()", object: "program", line: 2),
            ProfileFrame(function: "BenchmarkRun.measure(_:)", object: "program", isInlined: true, isLibrary: true),
          ]
        case 4: [ProfileFrame(function: "run()", object: "program", file: "a", line: 3)]
        case 8: [ProfileFrame(function: "InstructionBatches.end()", object: "program", isLibrary: true)]
        default: []
        }
      }
      show(profile.profiles)
      _ =
        ProfileDifference(
          base: profile.instructions, new: profile.instructions, entries: (profile.entries, profile.entries)
        )
        .lines
    }
  }()

  static let symbols = Reader(
    name: "symbols",
    originals: [
      "$s13ExplainCorpus6SeriesV7summarySiyF", "$sSa5countSivg", "$s4main3FooVyxSgAcA3BarRzlWlTm",
      "$sSTsSeRzrlE6filterySay7ElementQzGSbACKXEKFSaySiG_Tg5", "$s4User4loadyyYaFTY0_",
      "_ZN5swift9RefCountsILb1EE4incEv",
      "$s4main1AV1byySi_SitSgF5digitL_yys5UInt8VF", "$s4User1fyyFyycfU_", "$s1a1dyyAA1PVyADyADyADyS2iGAEGAFGAGGF",
      "$sSay4User1AVGMD",
      "_ZNSt6vectorIiSaIiEE9push_backERKi",
      "protocol witness for Module.P.name(Swift.Int) -> () in conformance Module.Type : Module.P in Module",
      "generic specialization <Swift.Int> of closure #1 (Swift.Int) -> Swift.Int in Module.Type.(name in _0A)(a: Swift.Int)",
    ].map { Array($0.utf8) }, words: ["$s", "AA", "Sit", "_Z", " in ", " of ", "(extension in ", "#1", "closure #1 "]
  ) { bytes in
    let symbol = String(decoding: bytes, as: UTF8.self)
    _ = FunctionName.stable(FunctionName(symbol: symbol).text)
    _ = FunctionName.stable(FunctionName(declaration: symbol).text)
    _ = (Symboliser.whole(symbol), StackProfiles.typeName(symbol))
  }
}
