// Snippets of everyday use: view models, which belong to the main actor.

import Combine
import Foundation
import Observation
import WeirExtras

@MainActor
final class Counter: ObservableObject {
  @Published var count = 0
  @Published private(set) var label = ""
  private var tokens: Set<AnyCancellable> = []

  init() {
    $count.map { "count: \($0)" }.assign(to: &$label)
    $count.dropFirst().sink { [weak self] in self?.seen.append($0) }.store(in: &tokens)
  }

  private(set) var seen: [Int] = []
}

@MainActor
final class Search {
  let text = PassthroughSubject<String, Never>()
  private(set) var results: [String] = []
  private(set) var isLoading = false
  private var tokens: Set<AnyCancellable> = []

  init(find: @escaping @Sendable (String) async -> [String]) {
    text
      .debounce(for: .milliseconds(1), scheduler: DispatchQueue.main)
      .removeDuplicates()
      .handleEvents(receiveOutput: { [weak self] _ in self?.isLoading = true })
      .mapAsync { await find($0) }
      .receive(on: DispatchQueue.main)
      .sink { [weak self] in
        self?.results = $0
        self?.isLoading = false
      }
      .store(in: &tokens)
  }
}

@MainActor
final class Clock {
  private(set) var ticks = 0
  private var token: AnyCancellable?

  func start() {
    token = Timer.publish(every: 0.001, on: .main, in: .common).autoconnect().sink { [weak self] _ in
      self?.ticks += 1
    }
  }

  func stop() { token = nil }
}

@MainActor
final class Form: ObservableObject {
  @Published var name = ""
  @Published var password = ""
  @Published private(set) var isValid = false

  init() {
    $name.combineLatest($password).map { $0.count > 2 && $1.count > 7 }.removeDuplicates().assign(to: &$isValid)
  }
}

@MainActor
final class Mailbox {
  private(set) var letters: [String] = []
  private var token: AnyCancellable?

  /// Moves to the main actor by any of its names.
  init(_ letters: some Publisher<String, Never>, by way: Int) {
    token =
      switch way {
      case 0: letters.receive(on: DispatchQueue.main).sink { [weak self] in self?.letters.append($0) }
      case 1: letters.receive(on: .main).sink { [weak self] in self?.letters.append($0) }
      case 2: letters.receive(on: RunLoop.main).sink { [weak self] in self?.letters.append($0) }
      case 3: letters.receive(on: OperationQueue.main).sink { [weak self] in self?.letters.append($0) }
      case 4: letters.receive(on: MainActor.shared).sink { [weak self] in self?.letters.append($0) }
      default: letters.receive(on: UIScheduler.shared).sink { [weak self] in self?.letters.append($0) }
      }
  }
}

@MainActor
@Observable
final class Thermostat {
  var degrees = 20
  @ObservationIgnored private var token: AnyCancellable?

  func follow(_ readings: some Publisher<Int, Never>) {
    token = readings.receive(on: MainActor.shared).sink { [weak self] in self?.degrees = $0 }
  }
}

@MainActor
enum ViewModelSnippets {
  static var all: [Snippet] {
    [
      Snippet("a published property publishes before it is stored", expected: "[1, 2] count: 2") {
        let counter = Counter()
        counter.count = 1
        counter.count = 2
        return "\(counter.seen) \(counter.label)"
      },
      Snippet("objectWillChange tells of every change", expected: "2") {
        let counter = Counter()
        var changes = 0
        let token = counter.objectWillChange.sink { _ in changes += 1 }
        counter.count = 1
        token.cancel()
        return "\(changes)"
      },
      Snippet("a search that is typed", expected: "[\"swift\"] false") {
        let search = Search { [$0] }
        search.text.send("s")
        search.text.send("swift")
        await until { !search.results.isEmpty }
        return "\(search.results) \(search.isLoading)"
      },
      Snippet("a timer of the main run loop", expected: "true") {
        let clock = Clock()
        clock.start()
        await until { clock.ticks > 2 }
        clock.stop()
        return "\(clock.ticks > 2)"
      },
      Snippet("a form that is valid", expected: "false true") {
        let form = Form()
        let before = form.isValid
        form.name = "Ada"
        form.password = "engine no. 1"
        return "\(before) \(form.isValid)"
      },
      Snippet("a sink of one's own actor, sent to from there", expected: "3") {
        let numbers = PassthroughSubject<Int, Never>()
        var sum = 0
        let token = numbers.sink { sum += $0 }
        numbers.send(1)
        numbers.send(2)
        token.cancel()
        return "\(sum)"
      },
      Snippet("assign to a property of an object", expected: "5") {
        final class Box { var value = 0 }
        let box = Box()
        let token = Just(5).assign(to: \.value, on: box)
        token.cancel()
        return "\(box.value)"
      },
      Snippet("assign to a property that the object publishes", expected: "7") {
        let counter = Counter()
        Just(7).assign(to: &counter.$count)
        return "\(counter.count)"
      },
      Snippet("a view model is freed", expected: "true") {
        weak var freed: Counter?
        do {
          let counter = Counter()
          counter.count = 1
          freed = counter
        }
        return "\(freed == nil)"
      },
      Snippet("a notification", expected: "opened") {
        let name = Notification.Name("opened")
        var seen = ""
        let token = NotificationCenter.default.publisher(for: name).map(\.name.rawValue).sink { seen = $0 }
        NotificationCenter.default.post(name: name, object: nil)
        token.cancel()
        return seen
      },
      Snippet("debounce on the main actor", expected: "[3]") {
        let numbers = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let token = numbers.debounce(for: .milliseconds(1), scheduler: MainActor.shared).sink { seen.append($0) }
        for number in 1...3 { numbers.send(number) }
        await until { !seen.isEmpty }
        token.cancel()
        return "\(seen)"
      },
      Snippet("delay on the main run loop", expected: "[1, 2]") {
        var seen: [Int] = []
        let token = [1, 2].publisher.delay(for: .milliseconds(1), scheduler: RunLoop.main).sink { seen.append($0) }
        await until { seen.count == 2 }
        token.cancel()
        return "\(seen)"
      },
      Snippet("timeout on the main queue", expected: "finished") {
        var end = ""
        let silent = PassthroughSubject<Int, Never>()
        let token = silent.timeout(.milliseconds(1), scheduler: DispatchQueue.main)
          .sink { completion in
            end = "\(completion)"
          } receiveValue: { _ in
          }
        await until { end != "" }
        token.cancel()
        return end
      },
      Snippet("a stream into an observable object, and its observations", expected: "[20, 27]") {
        let thermostat = Thermostat()
        let readings = PassthroughSubject<Int, Never>()
        thermostat.follow(readings)
        var seen: [Int] = []
        for await degrees in Observations({ thermostat.degrees }) {
          seen.append(degrees)
          if seen.count == 2 { break }
          DispatchQueue.global().async { readings.send(27) }
        }
        return "\(seen)"
      },
      Snippet("observations as a stream", expected: "[20, 21]") {
        let thermostat = Thermostat()
        var seen: [Int] = []
        let token = AnyPublisher.fromAsyncSequence(Observations { thermostat.degrees })
          .replaceError(with: 0).receive(on: MainActor.shared).sink { seen.append($0) }
        await until { seen.count == 1 }
        thermostat.degrees = 21
        await until { seen.count == 2 }
        token.cancel()
        return "\(seen)"
      },
      Snippet("throttle on the main operation queue", expected: "true") {
        let numbers = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let token = numbers.throttle(for: .milliseconds(1), scheduler: OperationQueue.main, latest: true)
          .sink { seen.append($0) }
        for number in 1...100 { numbers.send(number) }
        await until { seen.last == 100 }
        token.cancel()
        return "\(seen.count < 100)"
      },
    ]
      + (0..<6).map { way in
        Snippet("letters from another thread, way \(way)", expected: "[\"a\", \"b\"] true") {
          let post = PassthroughSubject<String, Never>()
          let mailbox = Mailbox(post, by: way)
          DispatchQueue.global().async {
            post.send("a")
            post.send("b")
          }
          await until { mailbox.letters.count == 2 }
          return "\(mailbox.letters) \(mailbox.letters == mailbox.letters.sorted())"
        }
      }
  }
}
