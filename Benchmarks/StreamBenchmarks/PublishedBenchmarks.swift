// Properties that publish, and properties that are published into.

import Gauge
import Weir

@BenchmarkBuilder var publishedBenchmarks: [Benchmark] {
  Benchmark(
    "published/set", over: .values("observers", [0, 1, 10]), passes: .withoutLatency, limit: "limit/closure-call"
  ) { run in
    let model = opaque(Model())
    let sinks = (0..<run["observers"]).map { _ in model.$number.sink { blackHole($0) } }
    run.elements = max(1, sinks.count)
    measureChanges(of: model, run)
    withExtendedLifetime(sinks) {}
  }

  // Observers of the object, not of the property.
  Benchmark("published/object-will-change", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let model = opaque(Model())
    let sink = model.objectWillChange.sink { blackHole(1) }
    measureChanges(of: model, run)
    sink.cancel()
  }

  Benchmark("published/read", passes: .withoutLatency) { run in
    let model = opaque(Model())
    let sink = model.$number.sink { blackHole($0) }
    run.measure { model.number }
    sink.cancel()
  }

  // A subject's values into a property, by key path and by its publisher.
  Benchmark("published/assign-on", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.assign(to: \.plain, on: Model())
    measureSends(to: subject, run)
    sink.cancel()
  }

  Benchmark("published/assign-to", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let model = Model()
    subject.assign(to: &model.$number)
    measureSends(to: subject, run)
    withExtendedLifetime(model) {}
  }
}

private final class Model: ObservableObject {
  @Published var number = 0
  var plain = 0
}

@inline(__always)
private func measureChanges(of model: Model, _ run: BenchmarkRun) {
  var value = 0
  run.measure {
    value &+= 1
    model.number = value
  }
}
