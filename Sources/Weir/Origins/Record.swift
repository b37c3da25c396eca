// Publishes a recorded series of values and an end.

/// Publishes the same values and the same completion to each subscriber.
public struct Record<Output, Failure: Error>: Publisher {
  /// What is published.
  public let recording: Recording

  /// Creates the publisher.
  ///
  /// - Parameter record: Records what is to be published; called once, before the initialiser returns.
  @_alwaysEmitIntoClient
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// Creates the publisher.
  ///
  /// - Parameter recording: What is to be published.
  @_alwaysEmitIntoClient
  public init(recording: Recording) { self.recording = recording }

  /// Creates the publisher.
  ///
  /// - Parameters:
  ///   - output: The values.
  ///   - completion: The end.
  @_alwaysEmitIntoClient
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  /// Attaches a subscriber, which gets the values that it asks for, and the completion behind the last of them.
  @_alwaysEmitIntoClient
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Output == Downstream.Input, Failure == Downstream.Failure {
    recording.output.deliver(to: RecordSubscriber(downstream: subscriber, completion: recording.completion))
  }

  /// Values and an end.
  public struct Recording {
    /// The kind of values.
    public typealias Input = Output

    /// The values.
    public private(set) var output: [Output]
    /// The end; `.finished` as long as no other has been recorded.
    public private(set) var completion: Subscribers.Completion<Failure>
    private var isComplete: Bool

    /// Creates a recording without values, to be continued.
    public init() {
      output = []
      completion = .finished
      isComplete = false
    }

    /// Creates a complete recording.
    ///
    /// - Parameters:
    ///   - output: The values.
    ///   - completion: The end.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      self.output = output
      self.completion = completion
      isComplete = true
    }

    /// Records a value. After a completion this is a programming error and traps.
    ///
    /// - Parameter input: The value.
    /// - Complexity: Amortised O(1).
    public mutating func receive(_ input: Input) {
      precondition(!isComplete, "Receiving values after completion is not allowed")
      output.append(input)
    }

    /// Records the end. A second one is a programming error and traps.
    ///
    /// - Parameter completion: The end.
    public mutating func receive(completion: Subscribers.Completion<Failure>) {
      precondition(!isComplete, "Receiving completion more than once is not allowed")
      self.completion = completion
      isComplete = true
    }
  }
}

extension Record: Codable where Output: Codable, Failure: Codable {}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
  private enum CodingKeys: String, CodingKey {
    case output, completion
  }

  /// Reads a recording, which is then complete.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: What the decoder throws.
  /// - Complexity: O(*n*) in the number of values.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      output: try container.decode([Output].self, forKey: .output),
      completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion))
  }

  /// Writes the recording.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: What the encoder throws.
  /// - Complexity: O(*n*) in the number of values.
  public func encode(into encoder: any Encoder) throws { try encode(to: encoder) }

  /// Writes the recording.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: What the encoder throws.
  /// - Complexity: O(*n*) in the number of values.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }
}

extension Record: KnownStream {
  @inlinable @inline(__always)
  package func publish(_ receive: (Output) -> Void, while isWelcome: () -> Bool) -> Subscribers.Completion<Failure>? {
    recording.output.publish(receive, while: isWelcome) ? recording.completion : nil
  }
}
