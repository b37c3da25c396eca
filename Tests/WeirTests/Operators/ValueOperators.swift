// The value operators that the shared life-cycle tests ask their questions.

import TestKit
import Weir

/// Operators that stand between one upstream and one downstream, and fit the shared questions.
enum ValueOperators {
  /// They call no closure with the values, and have no subscription of their own.
  static let transparent = [
    OperatorCase("MapError", .transparent) { upstream, _ in upstream.mapError { $0 } },
    OperatorCase("ValueForKey", .transparent) { upstream, _ in upstream.map(\.self as KeyPath) },
    OperatorCase("Breakpoint", .transparent) { upstream, _ in upstream.breakpoint(receiveOutput: { _ in false }) },
  ]

  /// They call no closure with each value, and have a subscription of their own.
  static let withoutClosures = [
    OperatorCase("Output", .passesValues) { upstream, _ in upstream.prefix(.max) },
    OperatorCase("DropWhile", .ignores) { upstream, _ in upstream.drop { _ in false } },
    OperatorCase("TryDropWhile", .ignores) { upstream, _ in upstream.tryDrop { _ in false } },
    OperatorCase("Encode", .ignores) { upstream, _ in upstream.encode(encoder: SameValueCoder()) },
    OperatorCase("Decode", .ignores) { upstream, _ in upstream.decode(type: Int.self, decoder: SameValueCoder()) },
  ]

  /// They call their closure with each value, and trap on signals before their subscription.
  static let refusing = [
    OperatorCase("PrefixWhile", .refuses) { upstream, inside in
      upstream.prefix { value in
        inside(value)
        return true
      }
    },
    OperatorCase("TryPrefixWhile", .refuses) { upstream, inside in
      upstream.tryPrefix { value in
        inside(value)
        return true
      }
    },
  ]

  /// What the questions about leaks are asked of.
  static let underTest = [
    leakCase("mapError", guardsItsLife: false) { upstream, tracked in
      upstream.mapError { failure in
        tracked.touch()
        return failure
      }.eraseToAnyPublisher()
    },
    leakCase("breakpoint", guardsItsLife: false) { upstream, tracked in
      upstream.breakpoint(receiveOutput: { _ in
        tracked.touch()
        return false
      }).eraseToAnyPublisher()
    },
    leakCase("handleEvents", guardsItsLife: false) { upstream, tracked in
      upstream.handleEvents(receiveOutput: { _ in tracked.touch() }, receiveRequest: { _ in tracked.touch() })
        .eraseToAnyPublisher()
    },
    leakCase("dropFirst", guardsItsLife: false) { upstream, tracked in
      upstream.map { value in
        tracked.touch()
        return value
      }.dropFirst(0).eraseToAnyPublisher()
    },
    leakCase("drop(while:)", guardsItsLife: true) { upstream, tracked in
      upstream.drop { _ in
        tracked.touch()
        return false
      }.eraseToAnyPublisher()
    },
    leakCase("prefix(while:)", guardsItsLife: true) { upstream, tracked in
      upstream.prefix { _ in
        tracked.touch()
        return true
      }.eraseToAnyPublisher()
    },
  ]

  private static func leakCase(
    _ name: String, guardsItsLife: Bool,
    _ apply: @escaping @Sendable (AnyPublisher<Int, TestFailure>, LifetimeTracked) -> AnyPublisher<Int, TestFailure>
  ) -> OperatorUnderTest {
    OperatorUnderTest(testDescription: name, guardsItsLife: guardsItsLife) { upstream, _, tracked in
      apply(upstream, tracked)
    }
  }
}

/// Codes integers as themselves; -13 it can't code.
struct SameValueCoder: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> Int { try code(value as! Int) }

  func decode<T: Decodable>(_ type: T.Type, from input: Int) throws -> T { try code(input) as! T }

  private func code(_ value: Int) throws -> Int {
    if value == -13 { throw TestFailure.second }
    return value
  }
}
