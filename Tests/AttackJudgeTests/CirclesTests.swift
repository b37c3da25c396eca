// Tests of which circles are seen.

import AttackJudge
import Testing

@Suite struct CirclesTests {
  private func send(to node: Int, holding nodes: [Int] = [], _ start: Int, _ end: Int) -> PassedSend {
    PassedSend(to: node, holding: nodes.reduce(0) { $0 | 1 << $1 }, Span(start, end))
  }

  @Test func twoThatSendToEachOther() {
    let (first, second) = (send(to: 1, holding: [0], 10, 20), send(to: 0, holding: [1], 15, 30))
    let circles = Circles([[send(to: 0, 0, 25), first], [send(to: 1, 1, 35), second]])
    #expect(circles.contain(first, of: 0))
    #expect(circles.contain(second, of: 1))
  }

  @Test func oneThatHoldsNothingIsInNone() {
    let outer = send(to: 0, 0, 25)
    let circles = Circles([
      [outer, send(to: 1, holding: [0], 10, 20)], [send(to: 1, 1, 35), send(to: 0, holding: [1], 15, 30)],
    ])
    #expect(!circles.contain(outer, of: 0))
  }

  @Test func oneAfterTheOtherIsNone() {
    let first = send(to: 1, holding: [0], 10, 20)
    let circles = Circles([[send(to: 0, 0, 21), first], [send(to: 1, 20, 40), send(to: 0, holding: [1], 21, 30)]])
    #expect(!circles.contain(first, of: 0))
  }

  @Test func threeThatMeetAtOneTime() {
    let first = send(to: 1, holding: [0], 10, 20)
    func circles(_ third: PassedSend) -> Circles { Circles([[first], [send(to: 2, holding: [1], 12, 16)], [third]]) }
    #expect(circles(send(to: 0, holding: [2], 14, 30)).contain(first, of: 0))
    // Each two of them meet, but not all three.
    #expect(!circles(send(to: 0, holding: [2], 17, 30)).contain(first, of: 0))
    #expect(!circles(send(to: 3, holding: [2], 14, 30)).contain(first, of: 0))
  }

  @Test func aCircleOfOthersIsNotOnesOwn() {
    let outsider = send(to: 1, holding: [3], 10, 20)
    let circles = Circles([
      [outsider], [send(to: 2, holding: [1], 5, 30)], [send(to: 1, holding: [2], 5, 30)],
    ])
    #expect(!circles.contain(outsider, of: 0))
  }

  @Test func aSendIsFoundAmongManyInsideOfOneAnother() {
    var sends: [PassedSend] = []
    for number in 0..<100 {
      sends.append(send(to: 1, number * 100, number * 100 + 90))
      for inner in 0..<5 { sends.append(send(to: 0, holding: [1], number * 100 + inner * 10, number * 100 + 90)) }
    }
    let circles = Circles([[], sends])
    #expect(circles.contain(send(to: 1, holding: [0], 5089, 5090), of: 0))
    #expect(!circles.contain(send(to: 1, holding: [0], 5091, 5099), of: 0))
  }
}
