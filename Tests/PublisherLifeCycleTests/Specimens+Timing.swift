// The operators of time, for the questions asked of all: in virtual time, of which enough passes after each step.

import TestKit
import Weir

extension Specimen {
  static let timing: [Specimen] = [
    Specimen("receive(on:options:)") { upstream, bench in upstream.receive(on: bench.scheduler) },
    Specimen("map(_:) behind receive(on:options:) behind filter(_:) behind map(_:)", calls: .value) {
      upstream, bench in
      upstream.map { bench.pass($0) }.filter { _ in true }.receive(on: bench.scheduler).map { $0 }
    },
    Specimen("subscribe(on:options:)") { upstream, bench in upstream.subscribe(on: bench.scheduler) },
    Specimen("delay(for:tolerance:scheduler:options:)") { upstream, bench in
      upstream.delay(for: 5, scheduler: bench.scheduler)
    },
    Specimen("debounce(for:scheduler:options:)") { upstream, bench in
      upstream.debounce(for: 5, scheduler: bench.scheduler)
    },
    Specimen("throttle(for:scheduler:latest:)") { upstream, bench in
      upstream.throttle(for: 5, scheduler: bench.scheduler, latest: true)
    },
    Specimen("throttle(for:scheduler:latest:) of the first") { upstream, bench in
      upstream.throttle(for: 5, scheduler: bench.scheduler, latest: false)
    },
    Specimen("timeout(_:scheduler:options:customError:)") { upstream, bench in
      upstream.timeout(1_000, scheduler: bench.scheduler)
    },
    Specimen("timeout(_:scheduler:options:customError:) that expires", calls: .value, lacks: [.value]) {
      upstream, bench in
      upstream.timeout(5, scheduler: bench.scheduler, customError: { bench.closure { .second } })
    },
    Specimen("measureInterval(using:options:)") { upstream, bench in
      upstream.measureInterval(using: bench.scheduler)
    },
    Specimen("collect(_:options:)") { upstream, bench in upstream.collect(.byTime(bench.scheduler, 5)) },
    Specimen("collect(_:options:) or count") { upstream, bench in
      upstream.collect(.byTimeOrCount(bench.scheduler, 5, 2))
    },
  ]
}
