// "Complete Combine Patterns Reference", the section "Subject Patterns and Best Practices".
//
// Corrected: the types of the application that it leaves out (`User`, `Cart`, `NotificationPayload`, `Theme`) stand at
// the top; `print` is the tests' own. Declarations are private to this file. `WeirExtras` has `EventBus` and
// `@PublishedState`.

import Combine
import Testing

private struct User { var name: String }
private struct Cart: Equatable { var items = 0 }
private struct NotificationPayload {}
private enum Theme { case system, dark }

// MARK: - Type-Safe Event System

private enum AppEvent {
  case userLoggedIn(User)
  case userLoggedOut
  case cartUpdated(Cart)
  case notificationReceived(NotificationPayload)
  case networkStatusChanged(isConnected: Bool)
}

private final class EventBus {
  static let shared = EventBus()

  // Single subject for all events
  private let eventSubject = PassthroughSubject<AppEvent, Never>()

  // Type-erased publisher for external access
  var events: AnyPublisher<AppEvent, Never> {
    eventSubject.eraseToAnyPublisher()
  }

  // Filtered publishers for specific events
  var userLoggedIn: AnyPublisher<User, Never> {
    events.compactMap { event in
      if case .userLoggedIn(let user) = event {
        return user
      }
      return nil
    }
    .eraseToAnyPublisher()
  }

  var userLoggedOut: AnyPublisher<Void, Never> {
    events.compactMap { event in
      if case .userLoggedOut = event {
        return ()
      }
      return nil
    }
    .eraseToAnyPublisher()
  }

  var cartUpdated: AnyPublisher<Cart, Never> {
    events.compactMap { event in
      if case .cartUpdated(let cart) = event {
        return cart
      }
      return nil
    }
    .eraseToAnyPublisher()
  }

  var networkStatus: AnyPublisher<Bool, Never> {
    events.compactMap { event in
      if case .networkStatusChanged(let isConnected) = event {
        return isConnected
      }
      return nil
    }
    .removeDuplicates()
    .eraseToAnyPublisher()
  }

  // MARK: - Send Events

  func send(_ event: AppEvent) {
    eventSubject.send(event)
  }

  private init() {}
}

// MARK: - CurrentValueSubject Wrapper for State

@propertyWrapper
private final class PublishedState<Value> {
  private let subject: CurrentValueSubject<Value, Never>

  var wrappedValue: Value {
    get { subject.value }
    set { subject.send(newValue) }
  }

  var projectedValue: AnyPublisher<Value, Never> {
    subject.eraseToAnyPublisher()
  }

  init(wrappedValue: Value) {
    self.subject = CurrentValueSubject(wrappedValue)
  }
}

// MARK: - Usage Example

private final class StateManager {
  @PublishedState var currentUser: User?
  @PublishedState var isOnboarded: Bool = false
  @PublishedState var selectedTheme: Theme = .system

  private var cancellables = Set<AnyCancellable>()

  init() {
    // React to state changes
    $currentUser
      .sink { user in
        print("User changed: \(user?.name ?? "nil")")
      }
      .store(in: &cancellables)
  }
}

@Suite struct SubjectPatternsTests {
  @Test func typeSafeEventSystem() {
    var cancellables = Set<AnyCancellable>()
    var log: [String] = []
    let bus = EventBus.shared
    bus.userLoggedIn.sink { log.append("in: \($0.name)") }.store(in: &cancellables)
    bus.userLoggedOut.sink { log.append("out") }.store(in: &cancellables)
    bus.cartUpdated.sink { log.append("cart: \($0.items)") }.store(in: &cancellables)
    bus.networkStatus.sink { log.append("connected: \($0)") }.store(in: &cancellables)
    bus.send(.userLoggedIn(User(name: "Ann")))
    bus.send(.cartUpdated(Cart(items: 2)))
    bus.send(.notificationReceived(NotificationPayload()))
    for isConnected in [true, true, false] { bus.send(.networkStatusChanged(isConnected: isConnected)) }
    bus.send(.userLoggedOut)
    #expect(log == ["in: Ann", "cart: 2", "connected: true", "connected: false", "out"])
  }

  @Test func currentValueSubjectWrapperForStateAndItsUsage() {
    var manager: StateManager?
    let lines = printed {
      manager = StateManager()
      manager?.currentUser = User(name: "Ann")
      manager?.isOnboarded = true
      manager?.selectedTheme = .dark
    }
    #expect(lines == ["User changed: nil", "User changed: Ann"])
    #expect(manager?.isOnboarded == true && manager?.selectedTheme == .dark)
  }
}
