// Tests of lists of subscriptions.

import TestKit
import Testing
import Weir
import WeirState

@Suite struct SubscriptionBuilderTests {
  private final class Token: Cancellable {
    let number: Int
    let log: Log<Int>
    init(_ number: Int, _ log: Log<Int>) {
      self.number = number
      self.log = log
    }
    func cancel() { log.values.append(number) }
  }

  @Test func everyKindOfStatement() {
    let log = Log<Int>()
    let isOn = true
    var tokens = SubscriptionBuilder.subscribe {
      Token(1, log)
      [Token(2, log), Token(3, log)]
      print("nothing")
      if isOn { Token(4, log) }
      if !isOn { Token(-1, log) } else { Token(5, log) }
      for number in 6...7 { Token(number, log) }
      if #available(macOS 10, *) { Token(8, log) }
    }
    #expect(tokens.count == 8)
    for token in tokens { token.cancel() }
    tokens = []
    #expect(log.values == [1, 2, 3, 4, 5, 6, 7, 8])
  }
}
