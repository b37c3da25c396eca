// Tests of `EventBus` and `EventChannel`.

import TestKit
import Testing
import Weir
import WeirExtras

private struct User: Equatable { let name: String }
private struct Cart: Equatable { let items: Int }

private enum AppEvent: CasedEvent {
  case userLoggedIn(User)
  case userLoggedOut
  case cartUpdated(Cart)
  case networkStatusChanged(isConnected: Bool)

  enum Case { case userLoggedIn, userLoggedOut, cartUpdated, networkStatusChanged }

  var eventCase: Case {
    switch self {
    case .userLoggedIn: .userLoggedIn
    case .userLoggedOut: .userLoggedOut
    case .cartUpdated: .cartUpdated
    case .networkStatusChanged: .networkStatusChanged
    }
  }
}

/// The first of two commonly copied buses, on this one.
extension EventBus {
  fileprivate var events: AnyPublisher<AppEvent, Never> { channel(AppEvent.self).events }

  fileprivate var userLoggedIn: AnyPublisher<User, Never> {
    channel(AppEvent.self).publisher(for: .userLoggedIn) { event in
      if case .userLoggedIn(let user) = event { return user }
      return nil
    }
  }

  fileprivate var userLoggedOut: AnyPublisher<Void, Never> {
    channel(AppEvent.self).publisher(for: .userLoggedOut) { _ in () }
  }

  fileprivate var networkStatus: AnyPublisher<Bool, Never> {
    channel(AppEvent.self).publisher(for: .networkStatusChanged) { event in
      if case .networkStatusChanged(let isConnected) = event { return isConnected }
      return nil
    }
    .removeDuplicates()
    .eraseToAnyPublisher()
  }

  fileprivate func send(_ event: AppEvent) { channel(AppEvent.self).send(event) }
}

/// The other commonly copied bus, on this one.
extension EventBus {
  fileprivate var cartUpdated: AnyPublisher<Cart, Never> { events(Cart.self) }
  fileprivate func send(cartUpdated cart: Cart) { send(cart) }
}

@Suite struct EventBusTests {
  private let bus = EventBus()

  private class Base {}
  private final class Derived: Base {}

  /// The channel was stored under the type of the object, and the next one who sent such an object trapped.
  @Test func theTypeOfAChannelIsThatWhichTheCompilerKnows() {
    let bus = EventBus()
    let event: Base = Derived()
    let heard = Counter()
    let token = bus.events(type(of: event)).sink { _ in heard.add() }
    bus.send(event)
    #expect(heard.value == 1)
    bus.send(Derived())
    #expect(heard.value == 1)
    token.cancel()
  }

  @Test func theFormWithAnEnumeration() {
    var log: [String] = []
    let cancellables = [
      bus.events.sink { log.append("event \($0.eventCase)") },
      bus.userLoggedIn.sink { log.append("in \($0.name)") },
      bus.userLoggedOut.sink { log.append("out") },
      bus.networkStatus.sink { log.append("network \($0)") },
    ]
    bus.send(.userLoggedIn(User(name: "Ann")))
    bus.send(.networkStatusChanged(isConnected: true))
    bus.send(.networkStatusChanged(isConnected: true))
    bus.send(.userLoggedOut)
    #expect(
      log == [
        "event userLoggedIn", "in Ann", "event networkStatusChanged", "network true", "event networkStatusChanged",
        "event userLoggedOut", "out",
      ])
    withExtendedLifetime(cancellables) {}
  }

  @Test func theFormWithASubjectPerEvent() {
    var log: [String] = []
    let cancellables = [
      bus.cartUpdated.sink { log.append("cart \($0.items)") },
      bus.events(User.self).sink { log.append("user \($0.name)") },
    ]
    bus.send(cartUpdated: Cart(items: 2))
    bus.send(User(name: "Bob"))
    bus.send("nobody listens to texts")
    #expect(log == ["cart 2", "user Bob"])
    #expect(EventBus.shared === EventBus.shared)
    withExtendedLifetime(cancellables) {}
  }

  /// In the commonly copied version every listener's filter ran for every event.
  @Test func listenersToOtherCasesAreNotAsked() {
    let channel = EventChannel<AppEvent>()
    let asked = Counter()
    let cancellables = (0..<1_000).map { _ in
      channel.publisher(for: .cartUpdated) { _ -> Int? in asked.add() }.sink { _ in }
    }
    var logouts = 0
    let listener = channel.events(for: .userLoggedOut).sink { _ in logouts += 1 }
    for _ in 0..<10 { channel.send(.userLoggedOut) }
    #expect(logouts == 10)
    #expect(asked.value == 0)
    channel.send(.cartUpdated(Cart(items: 1)))
    #expect(asked.value == 1_000)
    withExtendedLifetime((cancellables, listener)) {}
  }

  @Test func genericCodeReachesTheListenersToACase() {
    func post<Event>(_ event: Event) { bus.send(event) }
    var logouts = 0
    let cancellable = bus.userLoggedOut.sink { logouts += 1 }
    post(AppEvent.userLoggedOut)
    #expect(logouts == 1)
    withExtendedLifetime(cancellable) {}
  }

  @Test func eventsWithoutCasesCanBeFiltered() {
    let channel = EventChannel<Int>()
    var values: [String] = []
    let cancellable = channel.publisher { $0 > 1 ? "\($0)" : nil }.sink { values.append($0) }
    channel.send(1)
    channel.send(2)
    #expect(values == ["2"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func aListenerMaySendAndListen() {
    var log: [String] = []
    var inner: AnyCancellable?
    let cancellable = bus.userLoggedOut.sink { [bus] in
      log.append("out")
      inner = bus.cartUpdated.sink { log.append("cart \($0.items)") }
      bus.send(cartUpdated: Cart(items: 0))
    }
    bus.send(.userLoggedOut)
    #expect(log == ["out", "cart 0"])
    withExtendedLifetime((cancellable, inner)) {}
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func eightThreadsLoseNothing(seed: UInt64) {
    let bus = EventBus()
    let (logins, all) = (Counter(), Counter())
    let steady = [bus.userLoggedIn.sink { _ in logins.add() }, bus.events.sink { _ in all.add() }]
    onThreads(8) { thread in
      var random = SplitMix(seed: seed &* 17 &+ UInt64(thread))
      for _ in 0..<300 {
        bus.send(.userLoggedIn(User(name: "\(thread)")))
        bus.send(.userLoggedOut)
        if Bool.random(using: &random) { bus.userLoggedOut.sink { _ in bus.send(Cart(items: 1)) }.cancel() }
      }
    }
    #expect(logins.value == 2_400)
    #expect(all.value == 4_800)
    withExtendedLifetime(steady) {}
  }

  @Test func listenersAreFreed() {
    let lifetimes = Lifetimes()
    do {
      let tracked = lifetimes.track()
      let cancellable = bus.userLoggedIn.sink { _ in tracked.touch() }
      bus.send(.userLoggedIn(User(name: "Ann")))
      cancellable.cancel()
    }
    #expect(lifetimes.live == 0)
  }

  private struct Numbered: CasedEvent {
    final class Case: Hashable {
      let number: Int
      var onHash = {}
      init(_ number: Int) { self.number = number }
      static func == (lhs: Case, rhs: Case) -> Bool {
        lhs.onHash()
        return lhs.number == rhs.number
      }
      func hash(into hasher: inout Hasher) {
        onHash()
        hasher.combine(number)
      }
    }
    let eventCase: Case
  }

  /// Every case that somebody had ever listened to was remembered.
  @Test func aCaseIsForgottenWithItsLastListener() {
    let channel = EventChannel<Numbered>()
    var values: [Int] = []
    weak var first: Numbered.Case?
    do {
      let listened = Numbered.Case(1)
      first = listened
      let events = channel.events(for: listened)
      let listeners = [
        events.sink { values.append($0.eventCase.number) }, events.prefix(1).sink { _ in values.append(0) },
      ]
      channel.send(Numbered(eventCase: Numbered.Case(1)))
      channel.send(Numbered(eventCase: Numbered.Case(2)))
      channel.send(Numbered(eventCase: Numbered.Case(1)))
      #expect(values == [1, 0, 1])
      for listener in listeners { listener.cancel() }
      channel.send(Numbered(eventCase: Numbered.Case(1)))
    }
    #expect(first == nil && values == [1, 0, 1])
  }

  @Test func aCaseThatNobodyHasSubscribedToIsNotRemembered() {
    let channel = EventChannel<Numbered>()
    var hashes = 0
    var events: AnyPublisher<Numbered, Never>?
    weak var first: Numbered.Case?
    do {
      let asked = Numbered.Case(1)
      asked.onHash = { hashes += 1 }
      first = asked
      events = channel.events(for: asked)
      _ = channel.publisher(for: asked) { $0.eventCase.number }
    }
    #expect(hashes == 0 && first != nil)
    channel.send(Numbered(eventCase: Numbered.Case(1)))
    events = nil
    #expect(events == nil && first == nil)
  }

  /// It was hashed under the channel's lock, so that this waited for itself.
  @Test func aCaseMayUseTheChannelWhileItIsHashed() {
    let channel = EventChannel<Numbered>()
    let listened = Numbered.Case(1)
    var count = 0
    listened.onHash = { [unowned listened] in
      listened.onHash = {}
      channel.send(Numbered(eventCase: Numbered.Case(3)))
    }
    let listener = channel.events(for: listened).sink { _ in count += 1 }
    channel.send(Numbered(eventCase: Numbered.Case(1)))
    #expect(count == 1)
    listener.cancel()
  }

  @Test func eventsGoByTheTypeThatTheSenderGivesThem() {
    let bus = EventBus()
    var log: [String] = []
    let listeners = [
      bus.events(Int.self).sink { log.append("Int \($0)") },
      bus.events((any Equatable).self).sink { log.append("any Equatable \($0)") },
    ]
    let event: any Equatable = 1
    bus.send(event as any Equatable)
    #expect(log == ["any Equatable 1"])
    withExtendedLifetime(listeners) {}
  }
}
