// The data of a URL as a value.

public import Foundation
public import Weir
import WeirQueues

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// A publisher of the data at a URL.
  ///
  /// - Parameter url: The URL.
  public func dataTaskPublisher(for url: URL) -> DataTaskPublisher { dataTaskPublisher(for: URLRequest(url: url)) }

  /// A publisher of the answer to a request.
  ///
  /// - Parameter request: The request.
  public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
    DataTaskPublisher(request: request, session: self)
  }

  /// Publishes the data and the response of a task, which is made for each subscriber when it first asks for values.
  ///
  /// The answer is delivered on the session's delegate queue. An error that is not a `URLError` becomes
  /// `URLError(.unknown)`. Cancelling the subscription cancels the task. Any thread may subscribe, request and cancel.
  ///
  /// On Linux, Foundation (Swift 6.3) may stop the program where a task is cancelled as it begins or ends, whoever
  /// cancels it: "Trying to access a behaviour for a task that in not in the registry".
  ///
  /// The whole body is held in memory before anything is published, however large the server makes it: a session's data
  /// task has no limit. Reflecting on a publisher or its subscription, as `dump` does, shows neither headers nor body
  /// of the request, nor the user, password, query and fragment of its URL, and only the scheme of one without a host
  /// that is no file's.
  public struct DataTaskPublisher: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// What the server sent.
    public typealias Output = (data: Data, response: URLResponse)
    /// Why there is no answer.
    public typealias Failure = URLError

    /// The request.
    public let request: URLRequest

    /// The session that makes the task.
    public let session: URLSession

    /// Bytes of a body beyond which the task is cancelled; `nil` for any number.
    fileprivate let mostBytes: Int?

    /// Creates a publisher.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: The session that makes the task.
    public init(request: URLRequest, session: URLSession) {
      self.request = request
      self.session = session
      mostBytes = nil
    }

    /// Creates a publisher of a body of a limited size: as soon as more has come, or with a first piece is announced,
    /// the task is cancelled, and the publisher fails by `URLError(.dataLengthExceedsMaximum)`. What a protocol of the
    /// session's own delivers at once is published whatever its size is. Without a limit it is as any other.
    package init(request: URLRequest, session: URLSession, mostBytes: Int?) {
      self.request = request
      self.session = session
      self.mostBytes = mostBytes
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
      subscriber.receive(subscription: DataTaskSubscription(self, subscriber))
    }
  }
}

extension URLSession.DataTaskPublisher: CustomReflectable {
  /// A mirror of the request, without what may be secret, and of the session.
  public var customMirror: Mirror {
    Mirror(self, children: [("request", request.withoutSecrets), ("session", "\(session)")])
  }
}

extension URLRequest {
  /// Method and place, without headers, body, user, password and query.
  package var withoutSecrets: String {
    var place = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
    place?.user = nil
    place?.password = nil
    place?.query = nil
    place?.fragment = nil
    // What a URL without a host has is no place, but data, an address, or a user where two slashes are missing.
    if place?.host?.isEmpty != false, place?.scheme?.lowercased() != "file" { place?.path = "" }
    return "\(httpMethod ?? "GET") \(place?.string ?? "")"
  }
}

/// One subscriber's task. Any thread may ask and cancel; the session calls back once.
private final class DataTaskSubscription<Downstream: Subscriber>: Subscription, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == URLSession.DataTaskPublisher.Output, Downstream.Failure == URLError {
  private struct State {
    var parent: URLSession.DataTaskPublisher?
    var downstream: Downstream?
    var task: Load?
    var demand = Subscribers.Demand.none
  }

  private let state: Lock<State>
  private let cancelled = OneShot()

  init(_ parent: URLSession.DataTaskPublisher, _ downstream: Downstream) {
    state = Lock(State(parent: parent, downstream: downstream))
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(
      demand > .none,
      "API violation: DataTaskPublisher was asked for no value; ask for at least one\(CheckpointTrail.text)")
    let parent = state.withLock { state -> URLSession.DataTaskPublisher? in
      guard let parent = state.parent else { return nil }
      let isFirst = state.demand == .none
      state.demand += demand
      return isFirst ? parent : nil
    }
    if let parent { start(parent) }
  }

  /// Makes the task and starts it, once: the portable Foundation would load again for every further start.
  private func start(_ parent: URLSession.DataTaskPublisher) {
    let receive = Unchecked { (data: Data?, response: URLResponse?, error: (any Error)?) in
      self.receive(data, response, error)
    }
    let load =
      parent.mostBytes.map { Load(parent.request, by: parent.session, atMost: $0, receive) }
      ?? Load(parent.session.dataTask(with: parent.request) { receive.value($0, $1, $2) })
    let isAlive = state.withLock { state in
      if state.parent != nil { state.task = load }
      return state.parent != nil
    }
    // A task that is not started yet calls back when it is cancelled; there is nobody left to tell then.
    if isAlive { load.start() } else { load.cancel() }
  }

  private func receive(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    guard let downstream = takeAll().downstream else { return }
    if let response, error == nil {
      _ = downstream.receive((data ?? Data(), response))
      if !cancelled.hasFired { downstream.receive(completion: .finished) }
    } else {
      downstream.receive(completion: .failure(error as? URLError ?? URLError(.unknown)))
    }
  }

  func cancel() {
    if cancelled.fire() { takeAll().task?.cancel() }
  }

  private func takeAll() -> State {
    state.withLock { state in
      defer { state = State() }
      return state
    }
  }

  var description: String { "DataTaskPublisher" }
  var playgroundDescription: Any { description }
  var customMirror: Mirror {
    let state = state.withLock { $0 }
    return Mirror(
      self,
      children: [
        // Not the task itself, which has the request.
        ("task", state.task.map(\.name) as Any), ("downstream", state.downstream as Any),
        ("parent", state.parent as Any),
        ("demand", state.demand),
      ])
  }
}

/// A task that can be started and cancelled.
private struct Load {
  /// What it is called where it is reflected on.
  let name: String
  let start: () -> Void
  let cancel: () -> Void

  /// A task that calls back by itself.
  init(_ task: URLSessionDataTask) {
    name = "task \(task.taskIdentifier)"
    start = { task.resume() }
    cancel = { task.cancel() }
  }

  /// The load of a body of a limited size.
  ///
  /// - Parameter receive: Is called where the session calls back.
  init(
    _ request: URLRequest, by session: URLSession, atMost mostBytes: Int,
    _ receive: Unchecked<(Data?, URLResponse?, (any Error)?) -> Void>
  ) {
    let limit = BodyLimit(mostBytes)
    #if canImport(FoundationNetworking)
      // Only a load like this shows a delegate of its own the pieces of a body as they come.
      let load = Task {
        let answer: (data: Data?, response: URLResponse?, error: (any Error)?)
        do {
          let (data, response) = try await session.data(for: request, delegate: limit)
          answer = (data, response, nil)
        } catch {
          answer = (nil, nil, error)
        }
        let told = Unchecked(answer)
        session.delegateQueue.addOperation {
          receive.value(told.value.data, told.value.response, limit.error ?? told.value.error)
        }
      }
      name = "task"
      start = {}
      cancel = { load.cancel() }
    #else
      let task = session.dataTask(with: request) { receive.value($0, $1, limit.error ?? $2) }
      let observation = task.observe(\.countOfBytesReceived) { task, _ in
        limit.look(at: task, received: task.countOfBytesReceived)
      }
      name = "task \(task.taskIdentifier)"
      start = { task.resume() }
      cancel = {
        observation.invalidate()
        task.cancel()
      }
    #endif
  }
}

/// Cancels a task whose body is larger than it may be, or announced to be so.
private final class BodyLimit: NSObject, URLSessionDataDelegate, Sendable {
  private let mostBytes: Int64
  private let state = Lock((received: Int64(0), isExceeded: false))

  init(_ mostBytes: Int) { self.mostBytes = Int64(mostBytes) }

  /// What the load fails by, once the limit is exceeded.
  var error: URLError? { state.withLock { $0.isExceeded } ? URLError(.dataLengthExceedsMaximum) : nil }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let received = state.withLock { state in
      state.received += Int64(data.count)
      return state.received
    }
    look(at: dataTask, received: received)
  }

  /// Looks at a task of which so many bytes have come.
  func look(at task: URLSessionTask, received: Int64) {
    guard max(received, task.countOfBytesExpectedToReceive) > mostBytes else { return }
    state.withLock { $0.isExceeded = true }
    task.cancel()
  }
}
