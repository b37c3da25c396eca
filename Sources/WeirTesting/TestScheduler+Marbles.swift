// Publishers and expectations as marble text.

public import Weir

extension TestScheduler {
  /// A publisher that sends what a text says from now on, whoever has subscribed.
  ///
  ///     let keys = try scheduler.hot("--a-b-|", values: ["a": 1, "b": 2])
  ///
  /// Each sign takes one frame: `-` nothing, `|` the end, any other sign a value; but `#` is a failure, which this form
  /// does not have, and `!` a subscriber's cancellation, which no publisher has. What stands in parentheses happens at
  /// once, at the frame of the opening one. Spaces take no frame. `^` marks now: what has an earlier frame is past,
  /// which the end must not be. A time between spaces or ends of the text, and outside parentheses, takes as many
  /// frames as it lasts: `a 10ms b`, with the units `ns`, `us`, `ms`, `s` and `m` for minutes.
  ///
  /// - Parameters:
  ///   - marbles: The text.
  ///   - values: What the signs stand for.
  ///   - frame: How long a frame is; traps unless it is more than no time and makes the clock's moment later by as
  ///     much, and so do the following ones, to a 16th of it. Where it is longer than all time that is left, any will
  ///     do.
  /// - Throws: A ``MarbleError`` that points at the mistake in the text.
  public func hot<Output>(
    _ marbles: String, values: [Character: Output], frame: SchedulerTimeType.Stride = .milliseconds(1)
  ) throws -> MockPublisher<Output, Never> {
    try hot(marbles, values: values, end: { nil }, frame: frame)
  }

  /// A publisher that sends what a text says from now on, and fails at `#`.
  ///
  /// - Parameters:
  ///   - marbles: The text.
  ///   - values: What the signs stand for.
  ///   - failure: What `#` stands for.
  ///   - frame: How long a frame is; traps unless it is more than no time and makes the clock's moment later by as
  ///     much, and so do the following ones, to a 16th of it. Where it is longer than all time that is left, any will
  ///     do.
  /// - Throws: A ``MarbleError`` that points at the mistake in the text.
  public func hot<Output, Failure: Error>(
    _ marbles: String, values: [Character: Output], failure: Failure,
    frame: SchedulerTimeType.Stride = .milliseconds(1)
  ) throws -> MockPublisher<Output, Failure> {
    try hot(marbles, values: values, end: { failure }, frame: frame)
  }

  /// A publisher that sends to each subscriber what a text says, from its subscription on.
  ///
  /// Values are dropped for a subscriber that has not asked for one; nothing stays scheduled for one that has
  /// cancelled. See ``hot(_:values:frame:)`` for the signs; nothing may be sent in a frame before that of `^`.
  ///
  /// - Parameters:
  ///   - marbles: The text.
  ///   - values: What the signs stand for.
  ///   - frame: How long a frame is; traps, here or at a subscription, unless it is more than no time and makes the
  ///     clock's moment later by as much, and so do the following ones, to a 16th of it. Where it is longer than all
  ///     time that is left, any will do.
  /// - Throws: A ``MarbleError`` that points at the mistake in the text.
  public func cold<Output>(
    _ marbles: String, values: [Character: Output], frame: SchedulerTimeType.Stride = .milliseconds(1)
  ) throws -> AnyPublisher<Output, Never> {
    try cold(marbles, values, { nil as Never? }, frame: frame)
  }

  /// A publisher that sends to each subscriber what a text says, from its subscription on, and fails at `#`.
  ///
  /// - Parameters:
  ///   - marbles: The text.
  ///   - values: What the signs stand for.
  ///   - failure: What `#` stands for.
  ///   - frame: How long a frame is; traps, here or at a subscription, unless it is more than no time and makes the
  ///     clock's moment later by as much, and so do the following ones, to a 16th of it. Where it is longer than all
  ///     time that is left, any will do.
  /// - Throws: A ``MarbleError`` that points at the mistake in the text.
  public func cold<Output, Failure: Error>(
    _ marbles: String, values: [Character: Output], failure: Failure,
    frame: SchedulerTimeType.Stride = .milliseconds(1)
  ) throws -> AnyPublisher<Output, Failure> {
    try cold(marbles, values, { failure as Failure? }, frame: frame)
  }

  /// Subscribes a recorder that notes the frame of each event, to be compared with marble text.
  ///
  ///     let keys = try scheduler.hot("-ab---c-|", values: ["a": 1, "b": 2, "c": 3])
  ///     let recorder = scheduler.record(keys.debounce(for: .milliseconds(2), scheduler: scheduler))
  ///     scheduler.run()
  ///     try recorder.expect("----b---|", values: ["b": 2])
  ///
  /// - Parameters:
  ///   - publisher: The publisher.
  ///   - demand: What the recorder asks for at the beginning.
  ///   - frame: How long a frame is; traps unless it is more than no time and makes the clock's moment later by as
  ///     much, and so do the following ones, to a 16th of it. Where it is longer than all time that is left, any will
  ///     do.
  /// - Returns: The recorder.
  public func record<Source: Publisher>(
    _ publisher: Source, demand: Subscribers.Demand = .unlimited,
    frame: SchedulerTimeType.Stride = .milliseconds(1)
  ) -> PublisherRecorder<Source.Output, Source.Failure> {
    let timeLine = TimeLine(beginning: now, frame: frame)
    let clock = FrameClock(
      now: { timeLine.frame(at: self.now) }, frames: timeLine.frames, reaches: timeLine.reaches)
    return publisher.record(demand: demand, clock: clock)
  }

  /// Subscribes a recorder that notes the frame of each event, and cancels where a text says so.
  ///
  ///     let keys = try scheduler.hot("--a-b-------c-|", values: ["a": 1, "b": 2, "c": 3])
  ///     let recorder = try scheduler.record(keys, until: "10ms !")
  ///     scheduler.run()
  ///     try recorder.expect("--a-b-----!", values: ["a": 1, "b": 2])
  ///
  /// What was scheduled for that moment before happens before.
  ///
  /// - Parameters:
  ///   - publisher: The publisher.
  ///   - marbles: The text, in which one `!` is all that happens.
  ///   - demand: What the recorder asks for at the beginning.
  ///   - frame: How long a frame is; traps unless it is more than no time and makes the clock's moment later by as
  ///     much, and so do the following ones, to a 16th of it. Where it is longer than all time that is left, any will
  ///     do.
  /// - Returns: The recorder.
  /// - Throws: A ``MarbleError`` that points at the mistake in the text.
  public func record<Source: Publisher>(
    _ publisher: Source, until marbles: String, demand: Subscribers.Demand = .unlimited,
    frame: SchedulerTimeType.Stride = .milliseconds(1)
  ) throws -> PublisherRecorder<Source.Output, Source.Failure> {
    let timeLine = TimeLine(beginning: now, frame: frame)
    let first = try timeLine.events(of: marbles).first
    guard let end = first, end.sign == .cancellation else {
      let place = first?.offset ?? marbles.count
      throw MarbleError("there has to be a cancellation and nothing else", in: marbles, at: place)
    }
    let recorder = record(publisher, demand: demand, frame: frame)
    schedule(after: timeLine.date(of: end.frame.number)) { [weak recorder] in recorder?.cancel() }
    return recorder
  }

  /// The frames from a moment on.
  private struct TimeLine {
    let beginning: SchedulerTimeType
    let frame: SchedulerTimeType.Stride
    private let moments: EqualIntervals<SchedulerTimeType>
    private let isFloating: Bool

    init(beginning: SchedulerTimeType, frame: SchedulerTimeType.Stride) {
      precondition(frame > .zero, "a frame takes time")
      self.beginning = beginning
      self.frame = frame
      moments = EqualIntervals(from: beginning, every: frame)
      isFloating = SchedulerTimeType.Stride.Magnitude.self is any BinaryFloatingPoint.Type
      precondition(
        areFramesToldApart,
        "a frame takes more time than the scheduler's clock can tell apart at such a date")
    }

    /// Whether the moments of the first thousand frames are where they should be, to a 16th of a frame; one frame
    /// alone may be so by chance.
    private var areFramesToldApart: Bool {
      var (number, length) = (1, frame)
      while number <= 1_024 {
        let date = date(of: number)
        // Frames may be longer than all time that is left.
        if !moments.goOn(after: date) { return true }
        let moved = beginning.distance(to: date)
        guard moved == length || isShort(moved < length ? length - moved : moved - length, times: 16) else {
          return false
        }
        guard let doubled = SchedulerTimeType.doubled(length) else { return true }
        (number, length) = (2 * number, doubled)
      }
      return true
    }

    /// The moment of a frame.
    func date(of number: Int) -> SchedulerTimeType { moments.moment(number) }

    /// Reads a text, whose events must not be later than the clock goes: there, frames have one moment.
    func events(of text: String) throws(MarbleError) -> [Marbles.Event] {
      let events = try Marbles(text, frames: frames).events
      for event in events where event.frame.number > 0 {
        let date = date(of: event.frame.number)
        guard date.advanced(by: frame) > date else {
          throw MarbleError("there is no frame as late as this", in: text, at: event.offset)
        }
      }
      return events
    }

    /// How many frames a time takes.
    func frames(in time: MarbleTime) -> MarbleFrames {
      let end = beginning.advanced(by: time.stride())
      // The clock goes no further there, so that the time may have been longer.
      guard time.count < .max, end.advanced(by: frame) > end else { return .tooMany }
      if let (number, error) = ratio(of: time.stride(), to: frame) {
        let nearest = number.rounded()
        guard abs(number - nearest) <= error else { return .broken }
        return Int(exactly: nearest).map(MarbleFrames.whole) ?? .tooMany
      }
      let frame = frame(at: end)
      return frame.isExact ? .whole(frame.number) : .broken
    }

    /// Whether a time is as long as a number of frames, or longer.
    func reaches(_ time: MarbleTime, _ number: Int) -> Bool {
      beginning.advanced(by: time.stride()) >= date(of: number)
    }

    /// The frame of a moment that is not before the beginning.
    func frame(at present: SchedulerTimeType) -> MarbleFrame {
      // The frame is at least `low`, and less than `high`, but for the last ones; a date that no longer grows is later
      // than any.
      var (low, high) = (0, 1)
      while high < .max, date(of: high) <= present, date(of: high) > date(of: low) {
        (low, high) = (high, high > .max / 2 ? .max : 2 * high)
      }
      while high - low > 1 {
        let middle = low + (high - low) / 2
        if date(of: middle) <= present { low = middle } else { high = middle }
      }
      if low < .max - 1, isFloating, !isNear(date(of: low), present), isNear(date(of: low + 1), present) { low += 1 }
      return MarbleFrame(number: low, isExact: isNear(date(of: low), present))
    }

    /// Whether a moment is that of another; where they are in floating point, within a 64th of a frame, as sums are not
    /// exact.
    private func isNear(_ date: SchedulerTimeType, _ other: SchedulerTimeType) -> Bool {
      // Also where both are infinitely far away: the distance is no number then.
      if date <= other, date >= other { return true }
      guard isFloating else { return false }
      return isShort(date < other ? date.distance(to: other) : other.distance(to: date), times: 64)
    }

    /// Whether a length of time is less than a frame, also if it is a number of times as long: a power of two.
    private func isShort(_ length: SchedulerTimeType.Stride, times number: Int) -> Bool {
      var length = length
      for _ in 0..<number.trailingZeroBitCount {
        guard let doubled = SchedulerTimeType.doubled(length) else { return false }
        length = doubled
      }
      return length < frame
    }

    /// How often a length of time fits into another one, where lengths are in floating point: they are more exact than
    /// moments, which may be far from zero.
    ///
    /// - Returns: The ratio, and how far it may be from the right one.
    private func ratio(of time: SchedulerTimeType.Stride, to frame: SchedulerTimeType.Stride) -> (Double, Double)? {
      func ulp<Number: BinaryFloatingPoint>(_: Number) -> Double { Double(Number.ulpOfOne) }
      guard let time = time.magnitude as? any BinaryFloatingPoint,
        let frame = frame.magnitude as? any BinaryFloatingPoint
      else { return nil }
      let ratio = Double(time) / Double(frame)
      return (ratio, min(ratio * 8 * ulp(frame), 1 / 64))
    }
  }

  private typealias Script<Output, Failure: Error> = [(frame: Int, event: RecordedEvent<Output, Failure>)]

  private func script<Output, Failure: Error>(
    _ text: String, _ values: [Character: Output], _ failure: () -> Failure?, _ frame: SchedulerTimeType.Stride
  ) throws(MarbleError) -> Script<Output, Failure> {
    var script: Script<Output, Failure> = []
    for event in try TimeLine(beginning: now, frame: frame).events(of: text) {
      switch event.sign {
      case .finish: script.append((event.frame.number, .completion(.finished)))
      case .failure:
        guard let failure = failure() else {
          throw MarbleError("this stream can't fail: pass a failure for it", in: text, at: event.offset)
        }
        script.append((event.frame.number, .completion(.failure(failure))))
      case .value(let sign):
        guard let value = values[sign] else { throw MarbleError("no value for this sign", in: text, at: event.offset) }
        script.append((event.frame.number, .value(value)))
      case .cancellation: throw MarbleError("a stream doesn't cancel itself", in: text, at: event.offset)
      case .unknown: preconditionFailure("text has no unknown signs")
      }
    }
    return script
  }

  private func hot<Output, Failure: Error>(
    _ marbles: String, values: [Character: Output], end: () -> Failure?, frame: SchedulerTimeType.Stride
  ) throws -> MockPublisher<Output, Failure> {
    let publisher = MockPublisher<Output, Failure>()
    for step in play(try script(marbles, values, end, frame), frame: frame, publisher.send, publisher.send(completion:))
    {
      schedule(after: step.date, step.action)
    }
    return publisher
  }

  private func cold<Output, Failure: Error>(
    _ marbles: String, _ values: [Character: Output], _ failure: () -> Failure?, frame: SchedulerTimeType.Stride
  ) throws(MarbleError) -> AnyPublisher<Output, Failure> {
    let script = try script(marbles, values, failure, frame)
    if script.contains(where: { $0.frame < 0 }) {
      let offset = marbles.firstIndex(of: "^").map { marbles.distance(from: marbles.startIndex, to: $0) } ?? 0
      throw MarbleError("a cold stream sends nothing before its subscription", in: marbles, at: offset)
    }
    return Deferred {
      let subject = PassthroughSubject<Output, Failure>()
      let waiting = self.play(script, frame: frame, subject.send, subject.send(completion:))
        .map { self.scheduleOnce(after: $0.date, $0.action) }
      return subject.handleEvents(receiveCancel: { for action in waiting { action.cancel() } })
    }
    .eraseToAnyPublisher()
  }

  /// What a script has done from now on, and when.
  private func play<Output, Failure: Error>(
    _ script: Script<Output, Failure>, frame: SchedulerTimeType.Stride, _ send: @escaping (Output) -> Void,
    _ complete: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> [(date: SchedulerTimeType, action: () -> Void)] {
    let timeLine = TimeLine(beginning: now, frame: frame)
    return script.filter { $0.frame >= 0 }.map { number, event in
      let action = {
        switch event {
        case .value(let value): send(value)
        case .completion(let completion): complete(completion)
        }
      }
      return (timeLine.date(of: number), action)
    }
  }
}

extension PublisherRecorder where Output: Equatable {
  /// Fails the test unless the stream is what a text says, counted from the subscription. Any failure fits `#`. Where
  /// nothing comes for more than a hundred frames, a failure shows a time, or lists the events where none is found that
  /// says it. What has no sign is a `?` there. Where strides have a magnitude in floating point, as those of operation
  /// queues and run loops, what comes less than a 64th of a frame before or after a frame's moment is at the frame;
  /// but sums are rounded there, so that of two things at one frame the one may come first or the other, as the dates
  /// happen to be. With ``VirtualTime`` and the time of dispatch queues it is as it was scheduled.
  ///
  /// The recorder must come from ``TestScheduler/record(_:demand:frame:)``. Where the text ends with `!`, the recorder
  /// must have cancelled then. A failure shows both lines:
  ///
  ///     the stream differs from its marbles at frame 4
  ///     expected: --a-b-|
  ///     actual:   --a--b|
  ///                   ^
  ///
  /// - Parameters:
  ///   - marbles: The text.
  ///   - values: What the signs stand for.
  ///   - fileID: Where a failure is told.
  ///   - filePath: Where a failure is told.
  ///   - line: Where a failure is told.
  ///   - column: Where a failure is told.
  /// - Throws: A ``MarbleError`` that points at a mistake in the text.
  public func expect(
    _ marbles: String, values: [Character: Output], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    guard let message = try difference(from: marbles, values: values) else { return }
    reportTestFailure(
      message, at: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  func difference(from marbles: String, values: [Character: Output]) throws(MarbleError) -> String? {
    precondition(tape.hasFrames, "marbles need a recorder that a TestScheduler made")
    let records = tape.records
    var expected = try Marbles(marbles) { tape.frames(in: $0) }
    expected.events.removeAll { $0.frame.number < 0 }
    var unknown: [String] = []
    var actual = Marbles(events: [])
    // Two signs may stand for the same value: take the one that the text has at this place.
    for (index, record) in records.enumerated() {
      let sign: Marbles.Sign
      switch record.event {
      case .completion(.finished): sign = .finish
      case .completion(.failure): sign = .failure
      case .value(let value):
        if index < expected.events.count, case .value(let wanted) = expected.events[index].sign,
          values[wanted] == value
        {
          sign = .value(wanted)
        } else if let found = values.filter({ $0.value == value }).keys.min() {
          sign = .value(found)
        } else {
          sign = .unknown
          unknown.append("\(value)")
        }
      }
      actual.events.append(Marbles.Event(frame: record.frame ?? MarbleFrame(number: 0), sign: sign))
    }
    if let (frame, count) = tape.cancellation, expected.events.last?.sign == .cancellation {
      actual.events.insert(Marbles.Event(frame: frame, sign: .cancellation), at: min(count, actual.events.count))
    }
    guard let message = expected.difference(from: actual, time: { tape.time(of: $0) }) else { return nil }
    return unknown.isEmpty ? message : "\(message)\n? is \(unknown.joined(separator: ", "))"
  }
}
