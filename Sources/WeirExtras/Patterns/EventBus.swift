// Events for whoever listens, by the kind of event.

public import Weir
import WeirQueues

/// An event that says which of its cases it is, so that a listener to one case costs nothing while another one is sent.
public protocol CasedEvent {
  /// What tells the cases apart.
  associatedtype Case: Hashable
  /// Which case this event is.
  var eventCase: Case { get }
}

/// A place where events of one type are sent and listened to.
///
///     let events = EventChannel<AppEvent>()
///     events.send(.userLoggedOut)
///
/// Any thread may send and listen at any time; a channel is `Sendable` where its events are. Listeners to one case of a
/// `CasedEvent` are called for that case only; the others are not asked, however many there are. Within a channel,
/// those that listen to everything come first, but where `send` leaves its event to another thread that is delivering:
/// where two threads send crosswise (a listener of one channel sends into another one, and a listener of that one into
/// the first: neither can wait for the other), and where the listener that the other thread is calling has ended or
/// asks for nothing, as `first()`. Those who listen to the event's case may hear of it before that.
///
/// - Complexity: `send` is O(*n*) in the number of listeners that the event reaches.
public final class EventChannel<Event> {
  private let all = Unchecked(PassthroughSubject<Event, Never>())
  private let cases = SharedTable<AnyHashable, CaseListeners>()
  /// Says which case an event is, if its type has cases: the type itself is asked, as generic code that sends does not
  /// know.
  private let caseOf: Unchecked<((Event) -> AnyHashable)?>
  /// Who is told of an event before the channel's listeners.
  private let first: Unchecked<((Event) -> Void)?>

  /// Creates a channel without listeners.
  public convenience init() { self.init(first: nil) }

  fileprivate init(first: ((Event) -> Void)?) {
    caseOf = Unchecked((Event.self as? any CasedEvent.Type).map { Self.caseOf($0) })
    self.first = Unchecked(first)
  }

  private static func caseOf<Cased: CasedEvent>(_ type: Cased.Type) -> (Event) -> AnyHashable {
    { event in (event as? Cased).map { AnyHashable($0.eventCase) } ?? AnyHashable(ObjectIdentifier(type)) }
  }

  /// Everything that is sent.
  public var events: AnyPublisher<Event, Never> { all.value.eraseToAnyPublisher() }

  /// What a closure makes of everything that is sent, without `nil`.
  ///
  /// The closure is asked about every event; for events with cases, `publisher(for:_:)` is not.
  ///
  /// - Parameter extract: Takes out what the listener wants.
  public func publisher<Value>(_ extract: @escaping (Event) -> Value?) -> AnyPublisher<Value, Never> {
    all.value.compactMap(extract).eraseToAnyPublisher()
  }

  /// Sends an event to whoever listens to everything, and then to whoever listens to its case. If the channel is one of
  /// a bus, those who listen to all events of the bus come before them. Where several threads send, that order may
  /// change, as ``EventChannel`` says.
  ///
  /// - Parameter event: The event.
  public func send(_ event: Event) {
    first.value?(event)
    all.value.send(event)
    guard let key = caseOf.value?(event) else { return }
    cases.value(key)?.subject.send(event)
  }

  /// Those who listen to one case, of whom there is at least one.
  private struct CaseListeners {
    let subject: PassthroughSubject<Event, Never>
    var count: Int
  }

  private func listen(to key: AnyHashable) -> Deferred<Publishers.HandleEvents<PassthroughSubject<Event, Never>>> {
    Deferred {
      let made = PassthroughSubject<Event, Never>()
      let subject = self.cases.update(key) { listeners in
        let subject = listeners?.subject ?? made
        listeners = CaseListeners(subject: subject, count: (listeners?.count ?? 0) + 1)
        return subject
      }
      let end = OneShot()
      // Whoever listens does not keep the channel alive.
      return subject.handleEvents(receiveCancel: { [weak self] in if end.fire() { self?.leave(key) } })
    }
  }

  private func leave(_ key: AnyHashable) {
    let former = cases.update(key) { listeners in
      let former = listeners
      if let former {
        listeners = former.count == 1 ? nil : CaseListeners(subject: former.subject, count: former.count - 1)
      }
      return former
    }
    withExtendedLifetime(former) {}
  }
}

extension EventChannel: Sendable where Event: Sendable {}

extension EventChannel where Event: CasedEvent {
  /// The events of one case. The channel remembers a case only as long as somebody listens to it.
  ///
  /// - Parameter eventCase: The case.
  public func events(for eventCase: Event.Case) -> AnyPublisher<Event, Never> {
    listen(to: AnyHashable(eventCase)).eraseToAnyPublisher()
  }

  /// What a closure makes of the events of one case, without `nil`.
  ///
  /// - Parameters:
  ///   - eventCase: The case.
  ///   - extract: Takes out what the listener wants.
  public func publisher<Value>(
    for eventCase: Event.Case, _ extract: @escaping (Event) -> Value?
  ) -> AnyPublisher<Value, Never> {
    listen(to: AnyHashable(eventCase)).compactMap(extract).eraseToAnyPublisher()
  }
}

/// Events of any types for whoever listens to their type. That is the type that the sender's code gives them: an event
/// that is sent `as any Error` reaches those who listen to `any Error`, and not those who listen to its own type. Write
/// that at the call: of a variable whose type is `any Error`, the Swift 6 language mode sends what is in it, by its own
/// type.
///
///     struct UserLoggedIn { let user: User }
///
///     let listener = EventBus.shared.events(UserLoggedIn.self).sink { print($0.user) }
///     EventBus.shared.send(UserLoggedIn(user: user))
///
/// It replaces two commonly copied buses: the one with an enumeration, whose derived publishers filter every event, and
/// the one with a subject per event. An application gives it its own names in an extension:
///
///     extension EventBus {
///       var userLoggedOut: AnyPublisher<Void, Never> {
///         channel(AppEvent.self).publisher(for: .userLoggedOut) { _ in () }
///       }
///       func send(_ event: AppEvent) { channel(AppEvent.self).send(event) }
///     }
///
/// Any thread may send and listen at any time. Events of any type may be sent, so the compiler does not look whether
/// one may go from one thread or actor to another:
/// an event that is not `Sendable` is sent and listened to on one alone.
///
/// - Complexity: `send` is O(*n*) in the number of listeners that the event reaches.
public final class EventBus: Sendable {
  /// The bus that a whole program shares.
  public static let shared = EventBus()

  private let channels = Lock<[ObjectIdentifier: AnyObject]>([:])
  private let all = Unchecked(PassthroughSubject<Any, Never>())

  /// Creates a bus without listeners.
  public init() {}

  /// The events of all types, also those that are sent into their channels; who listens here comes first, but where
  /// several threads send, as ``EventChannel`` says. An application's own `events` of one type goes before it.
  @_disfavoredOverload
  public var events: AnyPublisher<Any, Never> { all.value.eraseToAnyPublisher() }

  /// The channel of a type of event.
  ///
  /// - Parameter type: The type of event, as the compiler knows it: of `type(of: object)` the type that the object is
  ///   declared with.
  public func channel<Event>(_ type: Event.Type = Event.self) -> EventChannel<Event> {
    let id = ObjectIdentifier(Event.self)
    let channel = channels.withLock { channels -> AnyObject in
      if let channel = channels[id] { return channel }
      let channel = EventChannel<Event>(first: { [all] in all.value.send($0) })
      channels[id] = channel
      return channel
    }
    guard let channel = channel as? EventChannel<Event> else {
      preconditionFailure("a channel is only ever stored under its own type")
    }
    return channel
  }

  /// The events of a type.
  ///
  /// - Parameter type: The type of event.
  public func events<Event>(_ type: Event.Type = Event.self) -> AnyPublisher<Event, Never> { channel(type).events }

  /// Sends an event to whoever listens to all, then to its type, and then to its case. Where several threads send, that
  /// order may change, as ``EventChannel`` says.
  ///
  /// - Parameter event: The event.
  public func send<Event>(_ event: Event) {
    channel(Event.self).send(event)
  }
}
