// Tests of objects that tell of their changes.

import TestKit
import Testing

@testable import Weir

@Suite struct ObservableObjectTests {
  class Base: ObservableObject {
    @Published var first = 0
    @Published var second = "a"
    let plain = 7
  }

  final class Derived: Base {
    @Published var third = 1.5
  }

  final class Generic<Value>: ObservableObject {
    @Published var value: Value
    init(_ value: Value) { self.value = value }

    static var storage: ReferenceWritableKeyPath<Generic, Published<Value>> { \._value }
  }

  final class Unpublished: ObservableObject {
    var count = 0 { willSet { objectWillChange.send() } }
  }

  final class Constant: ObservableObject {
    let field = Published(initialValue: 1)
  }

  final class OwnPublisher: ObservableObject {
    let objectWillChange = ObservableObjectPublisher()
    @Published var state = 0
  }

  final class OtherKind: ObservableObject {
    let objectWillChange = PassthroughSubject<Int, Never>()
    var state = 0 { willSet { objectWillChange.send(newValue) } }
  }

  @Test func tellsBeforeAnyPublishedPropertyChanges() {
    let object = Base()
    var seen: [String] = []
    let cancellable = object.objectWillChange.sink { seen.append("\(object.first)\(object.second)") }
    object.first = 1
    object.second = "b"
    object.first += 1
    #expect(seen == ["0a", "1a", "1b"])
    cancellable.cancel()
    object.first = 9
    #expect(seen.count == 3)
  }

  @Test func inheritedPropertiesTellTheSamePublisher() {
    let object = Derived()
    var count = 0
    let cancellable = object.objectWillChange.sink { count += 1 }
    object.third = 2
    object.first = 2
    #expect(count == 2)
    #expect((object as Base).objectWillChange === object.objectWillChange)
    cancellable.cancel()
  }

  @Test func tellsOfTheChangeBeforeThePropertysOwnPublisher() {
    let object = Base()
    var log: [String] = []
    let cancellables = [
      object.$first.filter { $0 > 0 }.sink { log.append("value \($0)") },
      object.objectWillChange.sink { log.append("change") },
    ]
    object.first = 1
    #expect(log == ["change", "value 1"])
    for cancellable in cancellables { cancellable.cancel() }
  }

  @Test func thePublisherStaysTheSame() {
    let objects: [() -> ObservableObjectPublisher] = [
      { [object = Base()] in object.objectWillChange },
      { [object = Generic("a")] in object.objectWillChange },
      { [object = Unpublished()] in object.objectWillChange },
      { [object = Constant()] in object.objectWillChange },
      { [object = OwnPublisher()] in object.objectWillChange },
    ]
    for publisher in objects { #expect(publisher() === publisher()) }
    #expect(Base().objectWillChange !== Base().objectWillChange)
  }

  @Test func thePublisherIsMadeAndHandedToTheFieldsWhenItIsAskedFor() {
    let object = Constant()
    func known() -> ObservableObjectPublisher? { (object.field as any PublishedField).willChange }
    #expect(known() == nil)
    let publisher = object.objectWillChange
    #expect(known() === publisher)
  }

  @Test func anObjectWithoutPublishedPropertiesMaySendItself() {
    let object = Unpublished()
    var seen: [Int] = []
    let cancellable = object.objectWillChange.sink { seen.append(object.count) }
    object.count = 1
    object.count = 2
    #expect(seen == [0, 1])
    cancellable.cancel()
  }

  /// Its published properties know nothing of a publisher that it made itself.
  @Test func anObjectWithAPublisherOfItsOwnIsLeftAlone() {
    let object = OwnPublisher()
    let recorder = RecordingSubscriber<Void, Never>(.unlimited)
    object.objectWillChange.subscribe(recorder)
    object.state = 100
    #expect(recorder.log == ["ObservableObjectPublisher"])
    recorder.cancel()
  }

  @Test func thePublisherMayBeOfAnotherKind() {
    let object = OtherKind()
    var seen: [Int] = []
    let cancellable = object.objectWillChange.sink { seen.append($0) }
    object.state = 4
    #expect(seen == [4])
    cancellable.cancel()
  }

  @Test func thePropertyCanBeReachedAsTheCompilerReachesIt() {
    let object = Generic(1)
    let storage = Generic<Int>.storage
    #expect(Published[_enclosingInstance: object, wrapped: \.value, storage: storage] == 1)
    Published[_enclosingInstance: object, wrapped: \.value, storage: storage] = 2
    #expect(object.value == 2)
  }

  @Test func anObjectMaySendWhileItIsBeingFreed() {
    final class Farewell: ObservableObject {
      let tracked: LifetimeTracked
      init(_ tracked: LifetimeTracked) { self.tracked = tracked }
      deinit { objectWillChange.send() }
    }
    let lifetimes = Lifetimes()
    for isKnown in [false, true] {
      let object = Farewell(lifetimes.track())
      if isKnown { object.objectWillChange.send() }
    }
    #expect(lifetimes.live == 0)
  }

  @Test func nothingLeaks() {
    let lifetimes = Lifetimes()
    do {
      let object = Generic(lifetimes.track())
      let cancellable = object.objectWillChange.sink { [tracked = lifetimes.track()] in tracked.touch() }
      object.value = lifetimes.track()
      #expect(lifetimes.live == 2)
      cancellable.cancel()
      #expect(lifetimes.live == 1)
    }
    #expect(lifetimes.live == 0)
  }
}
