// Behaviours of subscribers and of what keeps and ends subscriptions.

import Combine
import Foundation

extension Behaviours {
  mutating func addSubscribers() {
    self("sink: values and end") { t in
      (0...3).publisher.sink {
        t.note("completion \($0)")
      } receiveValue: {
        t.note("value \($0)")
      }
      .store(in: &t.cancellables)
    }
    self("sink: everything is asked for") { t in
      Source(t, of: Int.self).sink { _ in }.store(in: &t.cancellables)
    }
    self("sink: released subscriptions are cancelled") { t in
      let source = Source(t, of: Int.self)
      do { _ = source.sink { t.note($0) } }
      source.send(1)
    }
    self("sink: nothing arrives after the end") { t in
      let source = Source(t, of: Int.self)
      source.sink { _ in
        t.note("finished")
      } receiveValue: {
        t.note($0)
      }.store(in: &t.cancellables)
      source.send(1)
      source.send(completion: .finished)
      source.send(2)
      source.send(completion: .finished)
    }
    self("sink: cancelling tells no completion") { t in
      let source = Source(t, of: Int.self)
      let sink = source.sink { _ in
        t.note("completion")
      } receiveValue: {
        t.note($0)
      }
      sink.cancel()
      source.send(1)
      source.send(completion: .finished)
    }
    self("sink: a second subscription is cancelled") { t in
      let sink = Subscribers.Sink<Int, Never> { _ in
      } receiveValue: {
        t.note($0)
      }
      Source(t, "a", of: Int.self).receive(subscriber: sink)
      Source(t, "b", of: Int.self).receive(subscriber: sink)
      t.keep(sink).cancel()
    }
    self("sink: a value before the subscription is taken") { t in
      let sink = Subscribers.Sink<Int, Never> { _ in
      } receiveValue: {
        t.note($0)
      }
      t.note(sink.receive(1))
    }
    self("sink: the end does not cancel the upstream") { t in
      let source = Source(t, of: Int.self)
      let sink = source.sink { _ in
        t.note("completion")
      } receiveValue: { _ in
      }
      source.send(completion: .finished)
      sink.cancel()
    }
    self("assign: each value is written") { t in
      let place = Place(t)
      (0...2).publisher.assign(to: \.value, on: place).store(in: &t.cancellables)
    }
    self("assign: everything is asked for and cancelling stops it") { t in
      let source = Source(t, of: Int.self)
      let assignment = source.assign(to: \.value, on: Place(t))
      source.send(1)
      assignment.cancel()
      source.send(2)
    }
    self("assign: keeps its object until it ends") { t in
      let subject = PassthroughSubject<Int, Never>()
      var place: Place? = Place(t)
      weak let kept = place
      subject.assign(to: \.value, on: place!).store(in: &t.cancellables)
      place = nil
      t.note(kept != nil)
      subject.send(completion: .finished)
      t.note(kept != nil)
    }
    self("assign(to:): writes to a published property as long as that lives") { t in
      let model = t.keep(Model())
      let subject = PassthroughSubject<Int, Never>()
      subject.assign(to: &model.$copy)
      model.$copy.watch(t)
      subject.send(5)
      subject.send(completion: .finished)
      model.copy = 6
    }
    self("AnyCancellable: cancels when it goes") { t in
      do { _ = AnyCancellable { t.note("cancelled") } }
      t.note("gone")
    }
    self("AnyCancellable: cancels once") { t in
      let cancellable = AnyCancellable { t.note("cancelled") }
      cancellable.cancel()
      cancellable.cancel()
    }
    self("AnyCancellable: is kept in a set or an array") { t in
      var set: Set<AnyCancellable> = []
      var array: [AnyCancellable] = []
      AnyCancellable { t.note("of the set") }.store(in: &set)
      AnyCancellable { t.note("of the array") }.store(in: &array)
      t.note("stored")
      set.removeAll()
      array.removeAll()
    }
    self("AnySubscriber: of closures") { t in
      [1, 2].publisher.receive(
        subscriber: AnySubscriber<Int, Never>(
          receiveSubscription: {
            t.note("subscription")
            $0.request(.max(1))
          },
          receiveValue: {
            t.note($0)
            return .max(1)
          },
          receiveCompletion: { t.note($0) }))
    }
    self("AnySubscriber: of a subscriber passes on what that returns") { t in
      let source = Source(t, of: Int.self)
      let watcher = source.watch(t, answer: { _ in .max(3) })
      t.note(AnySubscriber(watcher).receive(1))
    }
    self("AnyPublisher: passes subscription and demand on") { t in
      let source = Source(t, of: Int.self)
      source.eraseToAnyPublisher().watch(t, asking: .max(3), showsSubscription: true)
      t.note(source.eraseToAnyPublisher())
    }
    self("AnyPublisher: hides the subject") { t in
      let erased: Any = PassthroughSubject<Int, Never>().eraseToAnyPublisher()
      t.note(erased is PassthroughSubject<Int, Never>)
    }
    self("Subscriptions.empty: what it says of itself") { t in t.note(Subscriptions.empty) }
  }

  mutating func addObservation() {
    self("handleEvents: order around a subscriber") { t in
      (0...1).publisher.eraseToAnyPublisher().handleEvents(
        receiveSubscription: { _ in t.note("subscription") }, receiveOutput: { t.note("output \($0)") },
        receiveCompletion: { _ in t.note("completion") }, receiveCancel: { t.note("cancel") },
        receiveRequest: { t.note("request \($0)") }
      ).watch(t)
    }
    self("handleEvents: a cancellation") { t in
      Source(t, of: Int.self).handleEvents(receiveCancel: { t.note("cancel") }).watch(t).cancel()
    }
    self("handleEvents: demand in return for a value is a request unless it is none") { t in
      let source = Source(t, of: Int.self)
      source.handleEvents(receiveRequest: { t.note("request \($0)") }).watch(t, asking: nil, answer: { .max($0) })
      for value in 0...2 { source.send(value) }
    }
    self("handleEvents: demand from within the subscription is seen behind it") { t in
      Source(t, of: Int.self).handleEvents(
        receiveSubscription: { t.note("subscription \($0)") }, receiveRequest: { t.note("request \($0)") }
      ).watch(t, asking: .max(2), showsSubscription: true)
    }
    self("Published: the value and then the newer ones") { t in
      let model = t.keep(Model())
      model.$count.watch(t)
      model.count = 25
    }
    self("Published: the object still has the old value") { t in
      let model = t.keep(Model())
      model.$count.map { "\(model.count) to \($0)" }.watch(t)
      model.count = 25
    }
    self("Published: who comes later gets the newest") { t in
      let model = t.keep(Model())
      model.count = 1
      model.$count.watch(t)
    }
    self("Published: without demand only the newest is kept") { t in
      let model = t.keep(Model())
      let watcher = model.$count.watch(t, asking: .max(1))
      model.count = 1
      model.count = 2
      watcher.request(.max(1))
    }
    self("Published: its publisher does not complete when the object goes") { t in
      var model: Model? = Model()
      model!.$count.watch(t)
      model = nil
      t.note("gone")
    }
    self("ObservableObject: tells before the value changes") { t in
      let model = t.keep(Model())
      model.objectWillChange.map { model.count }.watch(t)
      model.count = 25
      t.note(model.count)
    }
    self("ObservableObject: each published property tells") { t in
      let model = t.keep(Model())
      model.objectWillChange.map { "change" }.watch(t)
      model.count = 1
      model.copy = 1
      model.silent = 1
    }
    self("ObservableObject: the same publisher each time") { t in
      let model = t.keep(Model())
      t.note(model.objectWillChange === model.objectWillChange)
    }
    self("NotificationCenter: notifications of a name") { t in
      let center = NotificationCenter()
      center.publisher(for: Notification.Name("a")).map(\.name.rawValue).watch(t)
      center.post(name: Notification.Name("a"), object: nil)
      center.post(name: Notification.Name("b"), object: nil)
    }
    self("NotificationCenter: no more than was asked for") { t in
      let center = NotificationCenter()
      let watcher = center.publisher(for: Notification.Name("a")).map(\.name.rawValue).watch(t, asking: .max(1))
      center.post(name: Notification.Name("a"), object: nil)
      center.post(name: Notification.Name("a"), object: nil)
      watcher.cancel()
    }
    self("NotificationCenter: of one object") { t in
      let center = NotificationCenter()
      let object = t.keep(Model())
      center.publisher(for: Notification.Name("a"), object: object).map(\.name.rawValue).watch(t)
      center.post(name: Notification.Name("a"), object: object)
      center.post(name: Notification.Name("a"), object: Model())
    }
  }
}

private final class Place {
  private let transcript: Transcript
  var value = 0 { didSet { transcript.note("was set to \(value)") } }
  init(_ transcript: Transcript) { self.transcript = transcript }
}

private final class Model: ObservableObject {
  @Published var count = 20
  @Published var copy = 0
  var silent = 0
}
