// Tests of map with key paths.

import TestKit
import Testing
import Weir

@Suite struct MapKeyPathTests {
  private struct Point {
    var x = 1
    var y = 2
    var name = "p"
  }

  private let publisher = ScriptedPublisher(of: Point.self, failingWith: TestFailure.self)

  private var children: [String?]? { publisher.subscriber?.customMirror.children.map(\.label) }

  @Test func takesOneProperty() {
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(3), perValue: .max(2))
    publisher.map(\Point.y as KeyPath).subscribe(recorder)
    #expect(publisher.send(Point()) == .max(2))
    publisher.send(completion: .failure(.first))
    #expect(
      recorder.history == [.subscription("RecordingSubscription"), .value(2), .completion(.failure(.first))])
    #expect(children == ["keyPath"])
    #expect(publisher.subscriber?.description == "ValueForKey")
  }

  /// Unless a key path's publisher is asked for: otherwise closures take the compiler too long.
  @Test func takesALiteralForAFunction() {
    let function = Just(Point()).map(\.y)
    #expect(type(of: function) == Just<Int>.self)
    let chain = publisher.map(\.y)
    #expect(type(of: chain) == Publishers.Map<ScriptedPublisher<Point, TestFailure>, Int>.self)
    let keyPath: Publishers.MapKeyPath = publisher.map(\.y)
    #expect(keyPath.keyPath == \.y)
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    chain.subscribe(recorder)
    _ = publisher.send(Point())
    #expect(recorder.values == [2])
  }

  @Test func takesTwoProperties() {
    let recorder = RecordingSubscriber<(Int, Int), TestFailure>(.unlimited, perValue: .max(1))
    publisher.map(\.x, \.y).subscribe(recorder)
    #expect(publisher.send(Point()) == .max(1))
    #expect(recorder.values.map { [$0, $1] } == [[1, 2]])
    #expect(children == ["keyPath0", "keyPath1"])
    #expect(publisher.subscriber?.description == "ValueForKeys")
  }

  @Test func takesThreeProperties() {
    let recorder = RecordingSubscriber<(Int, Int, String), TestFailure>(.unlimited, perValue: .max(1))
    publisher.map(\.x, \.y, \.name).subscribe(recorder)
    #expect(publisher.send(Point(x: 5, y: 6, name: "q")) == .max(1))
    #expect(recorder.values.map { "\($0)" } == [#"(5, 6, "q")"#])
    #expect(children == ["keyPath0", "keyPath1", "keyPath2"])
    #expect(publisher.subscriber?.description == "ValueForKeys")
  }
}
