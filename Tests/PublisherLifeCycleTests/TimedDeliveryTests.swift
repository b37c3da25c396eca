// What the operators of time do with what is under way.

import TestKit
import Testing
import Weir

@Suite struct TimedDeliveryTests {
  static let specimens = Specimen.timing.filter { !$0.lacks.contains(.value) }

  /// Also of what is under way, at once.
  @Test(arguments: specimens, [true, false])
  func letsGoOfItsSubscriberWhenCancelled(_ specimen: Specimen, isIdle: Bool) {
    let bench = Bench(fedBy: .subject)
    specimen.subscribe(on: bench)
    bench.sendOnly(1)
    if isIdle { bench.settle() }
    #expect(bench.subscriber != nil)
    bench.subscription?.cancel()
    // That one cancels its upstream on the scheduler, which comes first.
    #expect((bench.subscriber != nil) == (specimen.type == "Publishers.SubscribeOn"))
    bench.scheduler.run()
    #expect(bench.subscriber == nil)
    #expect(bench.lifetimes.live == 0)
  }

  /// While a timer or a job is on its way, except for throttle's; the subscriber has let go of its subscription.
  @Test(arguments: specimens) func whatIsScheduledKeepsTheSubscriberAlive(_ specimen: Specimen) {
    let bench = Bench()
    specimen.subscribe(on: bench)
    bench.sendOnly(1)
    bench.subscription = nil
    bench.source.forgetSubscriber()
    let keepsNothing = ["Publishers.SubscribeOn", "Publishers.MeasureInterval", "Publishers.Throttle"]
    #expect((bench.subscriber == nil) == keepsNothing.contains(specimen.type))
    bench.scheduler.advance(by: 2_000)
    if specimen.type != "Publishers.CollectByTime" { #expect(bench.subscriber == nil) }
  }
}
