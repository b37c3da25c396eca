// From a pass to its batches: calibrates, makes the batches, and reports what they told.

/// Measures what one launch request asks for.
final class LaunchMeasurer: Measurer {
  private let pass: LaunchRequest.Pass
  /// Measuring time in nanoseconds.
  private let budget: Double
  private let threads: Benchmark.Threads
  private let openLoopRate: Int?
  private let profile: LaunchRequest.Profile?
  private let isAsynchronous: Bool
  private let report: ReportWriter
  private let probes: Probes
  private var batches: Batches?
  private var conclude: () -> [Measurement] = { [] }

  /// - Parameters:
  ///   - budget: Measuring time in nanoseconds.
  ///   - openLoopRate: Operations per second in an open loop; needed for that pass.
  ///   - profile: What to record; needed for the pass `profile`.
  ///   - isAsynchronous: Whether the operation may go on in another thread than it began in.
  init(
    pass: LaunchRequest.Pass, budget: Double, threads: Benchmark.Threads, openLoopRate: Int? = nil,
    profile: LaunchRequest.Profile? = nil, isAsynchronous: Bool = false, report: ReportWriter,
    probes: Probes = Probes()
  ) {
    self.probes = probes
    self.pass = pass
    self.budget = budget
    self.threads = threads
    self.openLoopRate = openLoopRate
    self.profile = profile
    self.isAsynchronous = isAsynchronous
    self.report = report
  }

  func start(_ settings: MeasuringSettings) -> Batches {
    // A thread that has just started makes system calls of its own, whenever it first gets a processor.
    if pass == .counts || pass == .systemCalls {
      System.leaveSingleThreadedModeAlone()
    } else {
      System.leaveSingleThreadedMode()
    }
    let batches =
      switch pass {
      case .time: startTiming(settings)
      case .latency: startTimingSingly()
      case .openLatency: startOpenLoop()
      case .allocations, .references, .allocator, .hardware, .systemCalls: startCounting(settings)
      case .counts: startCountingInstructions(settings)
      case .resources: startSpan()
      case .singleShot: startSingleShot()
      case .custom: startForRecords()
      case .profile: startRecordingStacks(settings)
      }
    self.batches = batches
    return batches
  }

  /// What counts in a pass that counts.
  private func counter() -> Counter {
    switch pass {
    case .allocations: probes.heap()
    case .references: probes.references()
    case .allocator: probes.allocator()
    case .hardware: probes.hardware()
    case .systemCalls: probes.systemCalls()
    case .resources: probes.usage()
    case .profile: profile?.kind == .references ? probes.references() : probes.heap()
    case .time, .latency, .openLatency, .counts, .singleShot, .custom: Counter([])
    }
  }

  func finish() {
    check(stepBack: batches?.stepBack ?? 0)
    for measurement in conclude() { report.add(measurement) }
  }

  func abandon(_ message: String) -> Never {
    report.end(.failed(message))
    System.end(ExitStatus.failure)
  }

  /// What others take of the processors from now on, where threads feel it.
  private func foreignLoad() -> ForeignLoad? { threads == .several ? probes.foreignLoad() : nil }

  /// Chooses the processor of a thread that works alone; those of several are the system's to spread.
  private func settleOnProcessor() {
    if threads == .single, !isAsynchronous { probes.settleOnProcessor() }
  }

  /// Whose waits for a processor a measurement of time asks for.
  private var waiters: Probes.Waiters {
    if !isAsynchronous { return .thisThread }
    return threads == .several ? .allThreads : .oneThreadAtATime
  }

  private func startTiming(_ settings: MeasuringSettings) -> Batches {
    let load = foreignLoad()
    settleOnProcessor()
    var (stores, loops) = (ReferenceLoop.stores, ReferenceLoop.around)
    // Where it runs between the batches, too, the ends of a short launch don't outweigh these.
    let ends = threads == .single ? 1 : ReferenceLoop.repetitions
    stores.measure(repetitions: ends)
    for index in loops.indices { loops[index].measure() }
    let overhead = TimingOverhead.calibrate()
    let used = probes.processTime()
    let start = MonotonicClock.nanoseconds()
    // Between the batches of several threads some of them may go on.
    let batches = TimedBatches(
      TimeSampler(budget: budget, waits: probes.readyWait(waiters)), clock: .monotonic,
      loop: threads == .single ? stores : nil)
    conclude = { [unowned self] in
      for index in loops.indices { loops[index].measure() }
      stores = batches.loop ?? stores
      stores.measure(repetitions: ends)
      loops.insert(stores, at: 1)
      var references = loops.map(\.measurement)
      if threads == .single, ranOtherThreads(since: used, start) {
        references[1] = Measurement(.referenceStores, .unavailable("other threads of the benchmark ran meanwhile"))
      }
      let sampler = batches.sampler(as: TimeSampler.self)
      return sampler.measurements(elements: settings.elements, bytes: settings.bytes, less: overhead)
        + references + (load.map { [$0.measurement()] } ?? [])
    }
    return batches
  }

  /// How much more processor time than one thread can have shows that others ran.
  private static let mostOfOneThread = 1.25

  /// Whether other threads of the process kept a processor busy: what slows the loop of stores may be these, and not a
  /// neighbour.
  private func ranOtherThreads(since used: (nanoseconds: UInt64, error: Int32), _ start: UInt64) -> Bool {
    let now = probes.processTime()
    guard used.error == 0, now.error == 0 else { return false }
    let elapsed = Double(MonotonicClock.nanoseconds() &- start)
    return Double(now.nanoseconds &- used.nanoseconds) > elapsed * Self.mostOfOneThread
  }

  /// Ends the launch where its clock can't be trusted: a time from it would be a number without meaning.
  private func check(stepBack: UInt64) {
    guard stepBack > 0 else { return }
    abandon("the clock stepped back by \(stepBack) ticks during the measurement: its times mean nothing")
  }

  private func startTimingSingly() -> Batches {
    settleOnProcessor()
    let clock = TickClock.calibrate()
    let overhead = OverheadSampler.ticksOfEmptyOperation(clock)
    let sampler = LatencySampler(
      budget: budget, nanosecondsPerTick: clock.nanosecondsPerTick, overhead: overhead)
    let batches = TimedBatches(sampler, clock: clock)
    conclude = { batches.sampler(as: LatencySampler.self).measurements() }
    return batches
  }

  private func startOpenLoop() -> Batches {
    guard let openLoopRate else { abandon("there is no rate for an open loop") }
    let clock = TickClock.calibrate()
    let batches = OpenLoopBatches(
      OpenLatencySampler(
        budget: budget, rate: Double(openLoopRate), nanosecondsPerTick: clock.nanosecondsPerTick,
        overhead: OpenLoopBatches.nanosecondsOfEmptyOperation(clock)), clock: clock)
    conclude = { batches.schedule(as: OpenLatencySampler.self).measurements() }
    return batches
  }

  private func startCounting(_ settings: MeasuringSettings) -> Batches {
    let varies = threads == .several
    let counter = counter()
    guard counter.isPresent else {
      conclude = { CountSampler.unavailable(counter.quantities, varies: varies) }
      return Batches()
    }
    let empty = CountedBatches.empty(settings.countedOperations, counter)
    let batches = CountedBatches(CountSampler(operations: settings.countedOperations), counter)
    conclude = {
      let sampler = batches.sampler
      // Of what takes long fewer are counted.
      let empty =
        sampler.operations == settings.countedOperations ? empty : CountedBatches.empty(sampler.operations, counter)
      return sampler.measurements(counter.concluded(), varies: varies, less: empty)
    }
    return batches
  }

  private func startSpan() -> Batches {
    let varies = threads == .several
    let counter = counter()
    guard counter.isPresent else {
      conclude = { CountSampler.unavailable(counter.quantities, varies: varies) }
      return Batches()
    }
    let batches = SpanBatches(budget: budget, counter, varies: varies)
    conclude = { batches.measurements }
    return batches
  }

  private func startSingleShot() -> Batches {
    let clock = TickClock.calibrate()
    let batches = SingleShotBatches(clock: clock, overhead: OverheadSampler.ticksOfEmptyOperation(clock))
    conclude = { [batches.measurement] }
    return batches
  }

  /// Runs the operation as for time, and leaves it to the body to say something about it.
  private func startForRecords() -> Batches {
    TimedBatches(TimeSampler(budget: budget), clock: .monotonic)
  }

  // MARK: Stacks

  /// What records the stacks of a launch; the launch ends where the request doesn't say what to record.
  private func stackRecorder() -> (recorder: StackRecorder, profile: LaunchRequest.Profile) {
    guard let profile else { abandon("there is nothing to record in a profile") }
    return (probes.stacks(profile), profile)
  }

  private func startRecordingStacks(_ settings: MeasuringSettings) -> Batches {
    let (recorder, profile) = stackRecorder()
    recorder.isRooted = !isAsynchronous
    let varies = threads == .several
    switch profile.kind {
    case .cpu, .waits:
      let batches = SampledBatches(budget: budget, recorder)
      conclude = { [recorder.conclude(operations: batches.operations, file: profile.file)] }
      return batches
    case .allocations, .references:
      let counter = counter()
      guard counter.isPresent, recorder.absence == nil, let recorder = recorder as? CallStacks else {
        recorder.give(up: counter.quantities.lazy.compactMap(\.absence).first)
        conclude = { [recorder.conclude(operations: 0, file: profile.file)] }
        return Batches()
      }
      let empty = CountedBatches.empty(settings.countedOperations, counter)
      let batches = TracedBatches(CountSampler(operations: settings.countedOperations), counter, recorder)
      conclude = {
        batches.sampler.measurements(counter.concluded(), varies: varies, less: empty)
          + [recorder.conclude(operations: settings.countedOperations, file: profile.file)]
      }
      return batches
    case .timeline:
      let absences = switchOnTimeline(profile, recorder)
      guard let timeline = profile.timeline, recorder.absence == nil, let recorder = recorder as? CallStacks else {
        conclude = { [recorder.conclude(operations: 0, file: profile.file)] }
        return Batches()
      }
      let runUp = TimelineRunUp(warmUp: CountSampler.warmUp(for: settings.countedOperations), timeline)
      let batches = TimelineBatches(runUp, operations: timeline.operations, recorder)
      conclude = { absences + [recorder.conclude(operations: batches.operations, file: profile.file)] }
      return batches
    case .experiments:
      guard recorder.absence == nil, let recorder = recorder as? CallStacks else {
        conclude = { [recorder.conclude(operations: 0, file: profile.file)] }
        return Batches()
      }
      let batches = ExperimentBatches(ExperimentSchedule(budget: budget), recorder)
      conclude = { [recorder.conclude(operations: batches.operations, file: profile.file)] }
      return batches
    }
  }

  /// Has the runtime tell of reference counting, by which objects have types, too.
  ///
  /// - Returns: What there is none of in the timeline, with the reason.
  private func switchOnTimeline(_ profile: LaunchRequest.Profile, _ recorder: StackRecorder) -> [Measurement] {
    let events = profile.timeline?.events ?? []
    let absences = probes.references().quantities.filter { $0.absence != nil }
    guard events.contains(.references), let reason = absences.lazy.compactMap(\.absence).first else { return [] }
    if events == [.references] { recorder.give(up: reason) }
    return CountSampler.unavailable(absences, varies: false)
  }

  /// Records operations that each thread of several does once, and what they do to each other meanwhile.
  ///
  /// - Returns: The operations of all threads.
  private func recordTimeline(
    _ groups: [ThreadGroup], _ settings: MeasuringSettings, _ timeline: LaunchRequest.Profile.Timeline,
    _ recorder: CallStacks
  ) throws(GroupFailure) -> Int {
    let threads = groups.reduce(0) { $0 + $1.threads }
    let warmUp = CountSampler.warmUp(for: settings.countedOperations / max(1, threads))
    var runUp = TimelineRunUp(warmUp: warmUp, timeline)
    var windows = 0
    try run(GroupCrew(groups), of: groups) { _ in
      if windows > 0 { CallStacks.pause() }
      let count = windows > 0 ? 0 : runUp.next()
      if count > 0 { return .counted(operations: count) }
      if let failure = runUp.failure {
        recorder.give(up: failure)
        return nil
      }
      windows += 1
      if windows == 1 { recorder.start() }
      guard recorder.isReady, windows <= timeline.operations else {
        recorder.stop()
        return nil
      }
      CallStacks.record()
      return .counted(operations: 1)
    }
    return max(0, windows - 1) * threads
  }

  private func recordStacks(_ groups: [ThreadGroup], _ settings: MeasuringSettings) throws(GroupFailure)
    -> [Measurement]
  {
    let (recorder, profile) = stackRecorder()
    recorder.isRooted = false
    var operations = 0
    var measurements: [Measurement] = []
    switch profile.kind {
    case .cpu, .waits:
      var sampler = GroupSampler(budget: budget, groups: groups.map { ($0.name, $0.threads) })
      var isRecording = false
      try run(GroupCrew(groups), of: groups) { shares in
        if let shares {
          if isRecording { operations += shares.reduce(0) { $0 + $1.operations } }
          sampler.record(shares)
        }
        guard let window = sampler.nextWindow() else {
          recorder.stop()
          return nil
        }
        if sampler.isWarm {
          isRecording = true
          recorder.start()
        }
        return .lasting(nanoseconds: window)
      }
    case .allocations, .references:
      let counter = counter()
      guard counter.isPresent, recorder.absence == nil else {
        recorder.give(up: counter.quantities.lazy.compactMap(\.absence).first)
        break
      }
      measurements = try count(groups, settings, counter, recorder as? CallStacks)
      operations = measurements.map(\.iterations).max() ?? 0
    case .timeline:
      measurements = switchOnTimeline(profile, recorder)
      guard let timeline = profile.timeline, recorder.absence == nil, let recorder = recorder as? CallStacks else {
        break
      }
      operations = try recordTimeline(groups, settings, timeline, recorder)
    case .experiments:
      guard recorder.absence == nil, let recorder = recorder as? CallStacks else { break }
      var windows = ExperimentWindows(ExperimentSchedule(budget: budget), recorder)
      try run(GroupCrew(groups), of: groups) { windows.next(behind: $0) }
      operations = windows.operations
    }
    return measurements + [recorder.conclude(operations: operations, file: profile.file)]
  }

  /// Leaves two counts in callgrind's files, from which the runner makes the measurement.
  private func startCountingInstructions(_ settings: MeasuringSettings) -> Batches {
    if let absence = InstructionCounter.absence {
      conclude = { Metric.counted.map { Measurement($0, .unavailable(absence)) } }
      return Batches()
    }
    InstructionBatches(operations: settings.countedOperations, of: .emptyBody).runEmpty()
    return InstructionBatches(operations: settings.countedOperations, of: .operation)
  }

  // MARK: Groups of threads

  func run(_ groups: [ThreadGroup], _ settings: MeasuringSettings) throws(GroupFailure) {
    let measurements: [Measurement]
    switch pass {
    case .time: measurements = try time(groups, settings)
    case .latency: measurements = try latencies(groups)
    case .openLatency:
      measurements = Self.unavailable([.openLatency(percentile: "50")], "threads of a group keep no schedule")
    case .allocations, .references, .allocator: measurements = try count(groups, settings, counter())
    case .resources: measurements = try span(groups, counter())
    case .hardware, .systemCalls:
      measurements = Self.unavailable(
        pass == .hardware ? Metric.hardware : [.systemCalls], "the threads' own meetings would be counted too")
    case .singleShot: measurements = Self.unavailable([.singleShot], "threads of a group repeat their operation")
    case .counts: measurements = Self.unavailable(Metric.counted, "threads")
    case .custom:
      _ = try time(groups, settings)
      measurements = []
    case .profile: measurements = try recordStacks(groups, settings)
    }
    for measurement in measurements { report.add(measurement) }
  }

  private static func unavailable(_ metrics: [Metric], _ reason: String) -> [Measurement] {
    metrics.map { metric in
      var metric = metric
      metric.kind = .sampled
      return Measurement(metric, .unavailable(reason))
    }
  }

  private func run(_ crew: GroupCrew, of groups: [ThreadGroup], _ next: ([GroupShare]?) -> GroupWindow?)
    throws(GroupFailure)
  {
    let error = crew.run(next)
    check(stepBack: crew.stepBack)
    guard error != 0 else { return }
    throw GroupFailure(
      threads: groups.reduce(0) { $0 + $1.threads }, reason: System.describe(errorNumber: error))
  }

  private func time(_ groups: [ThreadGroup], _ settings: MeasuringSettings) throws(GroupFailure) -> [Measurement] {
    let load = foreignLoad()
    let overhead = TimingOverhead.calibrate()
    var sampler = GroupSampler(budget: budget, groups: groups.map { ($0.name, $0.threads) })
    var waits = probes.readyWait(.allThreads)
    try run(GroupCrew(groups), of: groups) { shares in
      if let shares { sampler.record(shares) }
      if sampler.isWarm { waits.begin() }
      let window = sampler.nextWindow()
      if window == nil {
        waits.noticeAll()
        _ = waits.look()
      }
      return window.map { .lasting(nanoseconds: $0) }
    }
    return sampler.measurements(elements: settings.elements, overhead: overhead.perOperation, waits: waits)
      + (load.map { [$0.measurement()] } ?? [])
  }

  private func latencies(_ groups: [ThreadGroup]) throws(GroupFailure) -> [Measurement] {
    let clock = TickClock.calibrate()
    let crew = GroupCrew(groups, clock: clock, overhead: OverheadSampler.ticksOfEmptyOperation(clock))
    var sampler = GroupSampler(budget: budget, groups: groups.map { ($0.name, $0.threads) })
    try run(crew, of: groups) { shares in
      if let shares { sampler.record(shares) }
      if sampler.isWarm { crew.forgetLatencies() }
      return sampler.nextWindow().map { .singly(nanoseconds: $0) }
    }
    var measurements = crew.latencies().measurements(
      percentile: Metric.latency(percentile:), maximum: .latencyMaximum)
    for (index, group) in groups.enumerated() where !group.name.isEmpty {
      measurements += crew.latencies(ofGroup: index).measurements(
        percentile: { Metric.latency(percentile: $0).of(group: group.name) },
        maximum: Metric.latencyMaximum.of(group: group.name))
    }
    return measurements
  }

  /// Counts what all threads do in a fixed number of operations of each.
  private func count(
    _ groups: [ThreadGroup], _ settings: MeasuringSettings, _ counter: Counter, _ recorder: CallStacks? = nil
  ) throws(GroupFailure) -> [Measurement] {
    guard counter.isPresent else { return CountSampler.unavailable(counter.quantities, varies: true) }
    let threads = groups.reduce(0) { $0 + $1.threads }
    let each = max(1, settings.countedOperations / threads)
    var sampler = CountSampler(operations: each * threads)
    var start: Counts?
    try run(GroupCrew(groups), of: groups) { shares in
      if recorder?.isReady ?? false { CallStacks.pause() }
      let now = counter.read()
      if let start { sampler.record(from: start, to: now) }
      guard let count = sampler.nextCount() else {
        recorder?.stop()
        return nil
      }
      if sampler.isWarm { recorder?.start() }
      start = counter.read()
      if recorder?.isReady ?? false { CallStacks.record() }
      return .counted(operations: max(1, count / threads))
    }
    return sampler.measurements(counter.concluded(), varies: true)
  }

  /// Counts what all threads do in a window of time, while this one sleeps.
  private func span(_ groups: [ThreadGroup], _ counter: Counter) throws(GroupFailure) -> [Measurement] {
    guard counter.isPresent else { return CountSampler.unavailable(counter.quantities, varies: true) }
    var sampler = GroupSampler(budget: budget, groups: groups.map { ($0.name, $0.threads) })
    var first: Counts?
    var last = Counts.zero
    var operations = 0
    try run(GroupCrew(groups), of: groups) { shares in
      if let shares {
        if first != nil { operations += shares.reduce(0) { $0 + $1.operations } }
        sampler.record(shares)
      }
      if sampler.isWarm { counter.markPeak() }
      last = counter.read()
      if sampler.isWarm { first = last }
      return sampler.nextWindow().map { .lasting(nanoseconds: $0) }
    }
    guard let first, operations > 0 else {
      return CountSampler.unavailable(counter.quantities, varies: true)
    }
    return counter.concluded().map {
      $0.measurement(from: first, to: last, operations: operations, varies: true)
    }
  }
}
