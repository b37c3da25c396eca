// The operators of several streams that follow, open or close each other, for the questions asked of all of them.

import TestKit
import Weir

extension CombiningLifeCycleTests {
  static let all = severalAtOnce + republishing

  static let republishing = [
    OperatorCase("CombineLatest", .ignores) { upstream, _ in
      Numbers(sequence: 0..<1).combineLatest(upstream) { _, second in second }
    },
    OperatorCase("Concatenate", .ignores) { upstream, _ in upstream.append(Numbers(sequence: 0..<0)) },
    OperatorCase("Concatenate", .ignores) { upstream, _ in upstream.prepend(Numbers(sequence: 0..<0)) },
    OperatorCase("Retry", .ignores) { upstream, _ in upstream.retry(0) },
    OperatorCase("DropUntilOutput", .ignores) { upstream, _ in
      upstream.drop(untilOutputFrom: Numbers(sequence: 0..<1))
    },
    OperatorCase("PrefixUntilOutput", .ignores) { upstream, _ in
      upstream.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false))
    },
  ]
}
