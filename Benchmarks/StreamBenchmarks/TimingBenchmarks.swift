// Operators that wait, in virtual time: a tick passes after each value, or as many as an operator waits.

import Gauge
import GenericChains
import Weir

@BenchmarkBuilder var timingBenchmarks: [Benchmark] {
  chain("timing/delay", Delay())
  chain("timing/debounce", Debounce(pause: 10))
  chain("timing/debounce/busy", passes: .exact, Debounce(pause: 1))
  chain("timing/throttle", Throttle())
  chain("timing/timeout", Timeout())
  chain("timing/collect-by-time", CollectByTime())
  chain("timing/collect-by-time-or-count", passes: .exact, CollectByTimeOrCount())
  chain("timing/measure-interval", MeasureInterval())
  chain("timing/receive-on", ReceiveOn())
  chain("timing/subscribe-on", passes: .exact, SubscribeOn())
  chain("timing/delay-immediate", passes: .exact, DelayImmediate())

  // What the scheduler itself takes: for work that waits as that of a delay does, and for a timer that is cancelled
  // when it ticks, as that of a debounced value with a pause behind it.
  Benchmark("timing/limit-job", passes: .exact) { run in
    let time = opaque(VirtualScheduler())
    measureTicks(run) { _ in
      // Like that of a delay, the closure needs no memory of its own.
      time.schedule(after: time.now.advanced(by: 10)) { blackHole(time) }
      time.advance(by: 1)
    }
  }
  Benchmark("timing/limit-timer", passes: .exact) { run in
    let time = opaque(VirtualScheduler())
    var timer: any Cancellable = time.schedule(after: time.now, interval: 10) {}
    measureTicks(run) { value in
      timer.cancel()
      timer = time.schedule(after: time.now.advanced(by: 10), interval: 10) { blackHole(value) }
      time.advance(by: 10)
    }
  }
}

/// Measures what is done with a scheduler, when as much work waits as there ever will.
@inline(__always)
private func measureTicks(_ run: BenchmarkRun, _ operation: (Int) -> Void) {
  for value in 0..<1000 { operation(value) }
  var value = 0
  run.measure {
    value &+= 2
    operation(value)
  }
}

private struct Delay: BenchmarkedChain {
  let time = VirtualScheduler()

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.delay(for: 10, scheduler: time).subscribe(downstream)
  }

  func settle() { time.advance(by: 1) }
}

/// With a long pause after each value all are delivered; with a short one none is.
private struct Debounce: BenchmarkedChain {
  let time = VirtualScheduler()
  let pause: Int

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.debounce(for: 10, scheduler: time).subscribe(downstream)
  }

  func settle() { time.advance(by: pause) }
}

private struct Throttle: BenchmarkedChain {
  let time = VirtualScheduler()

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.throttle(for: 10, scheduler: time, latest: true).subscribe(downstream)
  }

  func settle() { time.advance(by: 1) }
}

private struct Timeout: BenchmarkedChain {
  let time = VirtualScheduler()

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.timeout(10, scheduler: time).subscribe(downstream)
  }

  func settle() { time.advance(by: 1) }
}

/// Ten values in an array.
private struct CollectByTime: BenchmarkedChain {
  typealias Output = [Int]

  let time = VirtualScheduler()

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<[Int], Never>) {
    upstream.collect(.byTime(time, 10)).subscribe(downstream)
  }

  func settle() { time.advance(by: 1) }
}

private struct CollectByTimeOrCount: BenchmarkedChain {
  typealias Output = [Int]

  let time = VirtualScheduler()

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<[Int], Never>) {
    upstream.collect(.byTimeOrCount(time, 100, 10)).subscribe(downstream)
  }

  func settle() { time.advance(by: 1) }
}

private struct MeasureInterval: BenchmarkedChain {
  typealias Output = VirtualScheduler.Interval

  let time = VirtualScheduler()

  func connect(
    _ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<VirtualScheduler.Interval, Never>
  ) {
    upstream.measureInterval(using: time).subscribe(downstream)
  }

  func settle() { time.advance(by: 1) }
}

private struct ReceiveOn: BenchmarkedChain {
  let time = VirtualScheduler()

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.receive(on: time).subscribe(downstream)
  }

  func settle() { time.advance(by: 1) }
}

private struct SubscribeOn: BenchmarkedChain {
  let time = VirtualScheduler()

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.subscribe(on: time).subscribe(downstream)
  }

  func settle() { time.advance(by: 1) }
}

private struct DelayImmediate: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.delay(for: 10, scheduler: ImmediateScheduler.shared).subscribe(downstream)
  }
}
