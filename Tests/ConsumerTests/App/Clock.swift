// Timers, notifications and other sources of events.

import Combine
import Foundation

@MainActor
func clock() async {
  var ticks = 0
  for await _ in Timer.publish(every: 0.005, on: .main, in: .common).autoconnect().prefix(3).values { ticks += 1 }
  print("clock:", ticks, "ticks")

  let background = DispatchQueue(label: "background")
  let sum = (1...10).publisher
    .subscribe(on: background)
    .receive(on: DispatchQueue.main)
    .reduce(0, +)
  for await total in sum.values { print("clock:", total, "summed") }
}

extension Notification.Name {
  static let orderPlaced = Notification.Name("orderPlaced")
}

@MainActor
func notifications() {
  let centre = NotificationCenter()
  var orders: [Int] = []
  let observer = centre.publisher(for: .orderPlaced)
    .compactMap { $0.userInfo?["order"] as? Int }
    .sink { orders.append($0) }
  centre.post(name: .orderPlaced, object: nil, userInfo: ["order": 17])
  centre.post(name: .orderPlaced, object: nil)
  centre.post(name: .orderPlaced, object: nil, userInfo: ["order": 18])
  observer.cancel()
  centre.post(name: .orderPlaced, object: nil, userInfo: ["order": 19])
  print("notifications:", orders)
}

enum AppEvent {
  case loggedIn(String)
  case loggedOut
  case cartChanged(Int)
}

@MainActor
final class EventBus {
  static let shared = EventBus()
  private let subject = PassthroughSubject<AppEvent, Never>()
  var events: AnyPublisher<AppEvent, Never> { subject.eraseToAnyPublisher() }
  var logins: AnyPublisher<String, Never> {
    subject.compactMap { if case .loggedIn(let name) = $0 { name } else { nil } }.eraseToAnyPublisher()
  }
  func send(_ event: AppEvent) { subject.send(event) }
}

@MainActor
func eventBus() {
  var cancellables: Set<AnyCancellable> = []
  var logins: [String] = []
  var count = 0
  EventBus.shared.logins.sink { logins.append($0) }.store(in: &cancellables)
  EventBus.shared.events.scan(0) { count, _ in count + 1 }.sink { count = $0 }.store(in: &cancellables)
  EventBus.shared.send(.loggedIn("ada"))
  EventBus.shared.send(.cartChanged(2))
  EventBus.shared.send(.loggedOut)
  EventBus.shared.send(.loggedIn("grace"))
  print("events:", logins, count)
}
