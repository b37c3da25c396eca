// The operators that make one value of all, for the questions asked of all.

import TestKit
import Weir

extension Specimen {
  static let folds: [Specimen] = [
    Specimen("count()") { upstream, _ in upstream.count() },
    Specimen("collect()") { upstream, _ in upstream.collect() },
    Specimen("ignoreOutput()", lacks: [.value]) { upstream, _ in upstream.ignoreOutput() },
    Specimen("reduce(_:_:)", calls: .value) { upstream, bench in
      upstream.reduce(bench.value(0)) { _, value in bench.pass(value) }
    },
    Specimen("tryReduce(_:_:)", calls: .value) { upstream, bench in
      upstream.tryReduce(bench.value(0)) { _, value in bench.pass(value) }
    },
    Specimen("first()") { upstream, _ in upstream.first() },
    Specimen("first(where:)", calls: .value) { upstream, bench in upstream.first { bench.accept($0) } },
    Specimen("tryFirst(where:)", calls: .value) { upstream, bench in upstream.tryFirst { bench.accept($0) } },
    Specimen("last()") { upstream, _ in upstream.last() },
    Specimen("last(where:)", calls: .value) { upstream, bench in upstream.last { bench.accept($0) } },
    Specimen("tryLast(where:)", calls: .value) { upstream, bench in upstream.tryLast { bench.accept($0) } },
    Specimen("contains(_:)") { upstream, bench in upstream.contains(bench.value(3)) },
    Specimen("contains(where:)", calls: .value) { upstream, bench in upstream.contains { !bench.accept($0) } },
    Specimen("tryContains(where:)", calls: .value) { upstream, bench in upstream.tryContains { !bench.accept($0) } },
    Specimen("allSatisfy(_:)", calls: .value) { upstream, bench in upstream.allSatisfy { bench.accept($0) } },
    Specimen("tryAllSatisfy(_:)", calls: .value) { upstream, bench in upstream.tryAllSatisfy { bench.accept($0) } },
    Specimen("min()") { upstream, _ in upstream.min() },
    Specimen("max()") { upstream, _ in upstream.max() },
    Specimen("min(by:)", calls: .secondValue) { upstream, bench in
      upstream.min { first, second in bench.accept(first) && first < second }
    },
    Specimen("max(by:)", calls: .secondValue) { upstream, bench in
      upstream.max { first, second in bench.accept(first) && first < second }
    },
    Specimen("tryMin(by:)", calls: .secondValue) { upstream, bench in
      upstream.tryMin { first, second in bench.accept(first) && first < second }
    },
    Specimen("tryMax(by:)", calls: .secondValue) { upstream, bench in
      upstream.tryMax { first, second in bench.accept(first) && first < second }
    },
  ]
}
