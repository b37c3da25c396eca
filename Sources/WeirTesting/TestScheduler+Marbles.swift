// Publishers and expectations as marble text.

public import Weir

extension TestScheduler {
  /// A publisher that sends what a text says from now on, whoever has subscribed.
  ///
  ///     let keys = try scheduler.hot("--a-b-|", values: ["a": 1, "b": 2])
  ///
  /// Each sign takes one frame: `-` nothing, `|` the end, any other sign a value. What stands in parentheses happens at
  /// once, at the frame of the opening one. Spaces take no frame. `^` marks now: what stands before it is past.
  ///
  /// - Parameters:
  ///   - marbles: The text.
  ///   - values: What the signs stand for.
  ///   - frame: How long a frame is.
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
  ///   - frame: How long a frame is.
  public func hot<Output, Failure: Error>(
    _ marbles: String, values: [Character: Output], failure: Failure,
    frame: SchedulerTimeType.Stride = .milliseconds(1)
  ) throws -> MockPublisher<Output, Failure> {
    try hot(marbles, values: values, end: { failure }, frame: frame)
  }

  /// A publisher that sends to each subscriber what a text says, from its subscription on.
  ///
  /// Values are dropped for a subscriber that has not asked for one. See ``hot(_:values:frame:)`` for the signs.
  public func cold<Output>(
    _ marbles: String, values: [Character: Output], frame: SchedulerTimeType.Stride = .milliseconds(1)
  ) throws -> AnyPublisher<Output, Never> {
    let script = try script(marbles, values) { nil as Never? }
    return cold(script, frame: frame)
  }

  /// A publisher that sends to each subscriber what a text says, from its subscription on, and fails at `#`.
  ///
  /// - Parameters:
  ///   - marbles: The text.
  ///   - values: What the signs stand for.
  ///   - failure: What `#` stands for.
  ///   - frame: How long a frame is.
  public func cold<Output, Failure: Error>(
    _ marbles: String, values: [Character: Output], failure: Failure,
    frame: SchedulerTimeType.Stride = .milliseconds(1)
  ) throws -> AnyPublisher<Output, Failure> {
    let script = try script(marbles, values) { failure as Failure? }
    return cold(script, frame: frame)
  }

  /// Subscribes a recorder that notes the frame of each event, to be compared with marble text.
  ///
  ///     let recorder = scheduler.record(keys.debounce(for: .milliseconds(2), scheduler: scheduler))
  ///     scheduler.run()
  ///     try recorder.expect("----a--(b|)", values: ["a": 1, "b": 2])
  public func record<Source: Publisher>(
    _ publisher: Source, demand: Subscribers.Demand = .unlimited,
    frame: SchedulerTimeType.Stride = .milliseconds(1)
  ) -> PublisherRecorder<Source.Output, Source.Failure> {
    precondition(frame > .zero, "a frame takes time")
    let beginning = now
    let recorder = PublisherRecorder<Source.Output, Source.Failure>(demand: demand) {
      var number = 0
      var date = beginning
      let present = self.now
      while date.advanced(by: frame) <= present {
        date = date.advanced(by: frame)
        number += 1
      }
      return MarbleFrame(number: number, isExact: date == present)
    }
    publisher.subscribe(recorder)
    return recorder
  }

  private typealias Script<Output, Failure: Error> = [(frame: Int, event: RecordedEvent<Output, Failure>)]

  private func script<Output, Failure: Error>(
    _ text: String, _ values: [Character: Output], _ failure: () -> Failure?
  ) throws(MarbleError) -> Script<Output, Failure> {
    var script: Script<Output, Failure> = []
    for event in try Marbles(text).events {
      let offset = text.firstIndex(of: event.sign.character).map { text.distance(from: text.startIndex, to: $0) } ?? 0
      switch event.sign {
      case .finish: script.append((event.frame.number, .completion(.finished)))
      case .failure:
        guard let failure = failure() else {
          throw MarbleError("this stream can't fail: pass a failure for it", in: text, at: offset)
        }
        script.append((event.frame.number, .completion(.failure(failure))))
      case .value(let sign):
        guard let value = values[sign] else { throw MarbleError("no value for this sign", in: text, at: offset) }
        script.append((event.frame.number, .value(value)))
      case .unknown: preconditionFailure("text has no unknown signs")
      }
    }
    return script
  }

  private func hot<Output, Failure: Error>(
    _ marbles: String, values: [Character: Output], end: () -> Failure?, frame: SchedulerTimeType.Stride
  ) throws -> MockPublisher<Output, Failure> {
    let publisher = MockPublisher<Output, Failure>()
    play(try script(marbles, values, end), frame: frame, publisher.send, publisher.send(completion:))
    return publisher
  }

  private func cold<Output, Failure: Error>(
    _ script: Script<Output, Failure>, frame: SchedulerTimeType.Stride
  ) -> AnyPublisher<Output, Failure> {
    Deferred {
      let subject = PassthroughSubject<Output, Failure>()
      self.play(script, frame: frame, subject.send, subject.send(completion:))
      return subject
    }
    .eraseToAnyPublisher()
  }

  private func play<Output, Failure: Error>(
    _ script: Script<Output, Failure>, frame: SchedulerTimeType.Stride, _ send: @escaping (Output) -> Void,
    _ complete: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    var date = now
    var number = 0
    for (frameNumber, event) in script where frameNumber >= 0 {
      while number < frameNumber {
        date = date.advanced(by: frame)
        number += 1
      }
      schedule(after: date) {
        switch event {
        case .value(let value): send(value)
        case .completion(let completion): complete(completion)
        }
      }
    }
  }
}

extension PublisherRecorder where Output: Equatable {
  /// Fails the test unless the stream is what a text says, counted from the subscription. Any failure fits `#`.
  ///
  /// The recorder must come from ``TestScheduler/record(_:demand:frame:)``. A failure shows both lines:
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
    var expected = try Marbles(marbles)
    expected.events.removeAll { $0.frame.number < 0 }
    let records = records
    precondition(records.allSatisfy { $0.frame != nil }, "marbles need a recorder that a TestScheduler made")
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
    guard let message = expected.difference(from: actual) else { return nil }
    return unknown.isEmpty ? message : "\(message)\n? is \(unknown.joined(separator: ", "))"
  }
}
