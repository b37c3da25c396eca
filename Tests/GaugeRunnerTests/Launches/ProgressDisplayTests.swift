// What a run's progress looks like, by a clock that the test sets.

import Testing

@testable import GaugeRunner

@Suite struct ProgressDisplayTests {
  /// What was written, and the clock.
  final class Screen {
    var text = ""
    var time = ContinuousClock.now
  }

  let plan = LaunchPlan.sample([.sample("family/name", "n=1")], launches: 4)
  let screen = Screen()

  func display(_ style: ProgressDisplay.Style) -> ProgressDisplay {
    ProgressDisplay(plan, style: style, now: { [screen] in screen.time }) { [screen] in screen.text += $0 }
  }

  @Test func `a terminal's line is written anew and cut to its width`() {
    var display = display(.terminal(columns: 200))
    display.begin(plan.launches[0])
    #expect(screen.text == "\r\u{1B}[K  0%  1/4  0:00  family/name[n=1] (time)")
    display.advance(past: plan.launches[0])
    screen.time += .seconds(70)
    screen.text = ""
    display.begin(plan.launches[1])
    #expect(screen.text == "\r\u{1B}[K 25%  2/4  1:10, 3:30 left  family/name[n=1] (time)")

    var narrow = self.display(.terminal(columns: 10))
    screen.text = ""
    narrow.begin(plan.launches[0])
    #expect(screen.text == "\r\u{1B}[K  0%  1/4")
  }

  @Test func `what is told stays, and the line goes at the end`() {
    var display = display(.terminal(columns: 80))
    display.tell("fault: a")
    display.end()
    #expect(screen.text == "\r\u{1B}[Kfault: a\n\r\u{1B}[K")
  }

  @Test func `a log gets a line now and then`() {
    var display = display(.log(every: .seconds(5)))
    for launch in plan.launches {
      display.begin(launch)
      display.advance(past: launch)
      screen.time += .seconds(3)
    }
    display.tell("fault: a")
    display.end()
    #expect(
      screen.text == """
          0%  1/4  0:00  family/name[n=1] (time)
         50%  3/4  0:06, 0:06 left  family/name[n=1] (time)
        fault: a

        """)
  }

  @Test func `launches of an earlier run count as done, but not for the time that is left`() {
    var display = display(.terminal(columns: 200))
    display.leaveOut(plan.launches[0])
    display.leaveOut(plan.launches[1])
    display.begin(plan.launches[2])
    #expect(screen.text == "\r\u{1B}[K 50%  3/4  0:00  family/name[n=1] (time)")
    display.advance(past: plan.launches[2])
    screen.time += .seconds(30)
    screen.text = ""
    display.begin(plan.launches[3])
    #expect(screen.text == "\r\u{1B}[K 75%  4/4  0:30, 0:30 left  family/name[n=1] (time)")
  }

  @Test func `durations read as minutes and seconds`() {
    #expect(ProgressDisplay.clock(.seconds(5)) == "0:05")
    #expect(ProgressDisplay.clock(.milliseconds(59_999)) == "0:59")
    #expect(ProgressDisplay.clock(.seconds(3605)) == "60:05")
  }
}
