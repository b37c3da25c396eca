// Tests of lists of tokens of any kind.

import Testing
import WeirState

@Suite struct AnyTokenBuilderTests {
  @Test func everyKindOfStatement() {
    let isOn = true
    let tokens = AnyTokenBuilder<Int>.build {
      1
      [2, 3]
      print("nothing")
      if isOn { 4 }
      if !isOn { -1 } else { 5 }
      for number in 6...7 { number }
      if #available(macOS 10, *) { 8 }
    }
    #expect(tokens == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(AnyTokenBuilder<Int>.build {}.isEmpty)
  }

  @Test func notificationTokensHaveABuilderOfTheirOwnName() {
    #expect(NotificationBuilder.build {}.isEmpty)
  }
}
