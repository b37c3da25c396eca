// The server under its load, recorded: what recording costs, how complete it is, and a hang.
//
//   RecordedServer cost ROUNDS SECONDS FOLDER     measures without and with the recorder, by turns
//   RecordedServer record SECONDS FILE            records while it serves
//   RecordedServer hang FILE                      records until the pool hangs, and is killed
//   RecordedServer signal FOLDER                  waits for SIGUSR2 while its pool hangs

import Foundation
import GaugeRecorder

let arguments = CommandLine.arguments
let workers = 8
let requestsPerSecond = 10_000

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("RecordedServer: \(text)\n".utf8))
  exit(1)
}

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
  // As the system knows it: it takes no name before the thread runs.
  Thread {
    Thread.current.name = name
    body()
  }.start()
}

/// CPU time of this process in nanoseconds.
func processTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

let server = Server()
var ends: [Int32] = []
for number in 0..<workers {
  var pair: [Int32] = [-1, -1]
  guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { fail("no sockets") }
  let connection = pair[0]
  ends.append(pair[1])
  startThread("worker-\(number)") { server.serve(connection) }
}
let load = LoadGenerator(ends, perSecond: requestsPerSecond)
startThread("load") { load.run() }

/// Serves for some time. Returns requests and CPU time.
func measure(_ seconds: Double) -> (requests: Int, time: Int) {
  load.reset()
  let (requests, time) = (load.answered.load(ordering: .relaxed), processTime())
  Thread.sleep(forTimeInterval: seconds)
  return (load.answered.load(ordering: .relaxed) - requests, processTime() - time)
}

do {
  switch arguments.dropFirst().first {
  case "cost" where arguments.count == 5:
    guard let rounds = Int(arguments[2]), let length = Double(arguments[3]) else { fail("no numbers") }
    _ = measure(1)
    say("round,recorder,requests_per_second,cpu_ns_per_request,median_us,p99_us,recorder_thread_share,handlers_share")
    for round in 0..<rounds {
      // Off, on; on, off; ...
      for isOn in round % 2 == 0 ? [false, true] : [true, false] {
        if isOn { try Recorder.start(into: "\(arguments[4])/cost.gauge") }
        Thread.sleep(forTimeInterval: 0.1)
        let (requests, time) = measure(length)
        var shares = "-,-"
        if isOn {
          let recording = try Recorder.stop()
          let whole = seconds(recording.processorTime)
          shares = "\(seconds(recording.recorderTime) / whole),\(seconds(recording.handlerTime) / whole)"
        }
        say(
          "\(round),\(isOn ? "on" : "off"),\(Double(requests) / length),\(Double(time) / Double(max(1, requests))),"
            + "\(Double(load.latency(0.5)) / 1000),\(Double(load.latency(0.99)) / 1000),\(shares)")
      }
    }
  case "record" where arguments.count == 4:
    guard let length = Double(arguments[2]) else { fail("no number of seconds") }
    try Recorder.start(into: arguments[3])
    let (requests, _) = measure(length)
    let recording = try Recorder.stop()
    say("requests_per_second,\(Double(requests) / length)")
    say("cpu_seconds,\(seconds(recording.processorTime))")
    say("sampled_seconds,\(seconds(recording.sampledTime))")
    say("recorder_seconds,\(seconds(recording.recorderTime))")
    say("lost_seconds,\(seconds(recording.lostTime))")
  case "hang" where arguments.count == 3:
    try Recorder.start(into: arguments[2])
    _ = measure(2)
    _ = server.isBroken.exchange(true, ordering: .relaxed)
    // Until nobody is answered any more, and a while longer; then it ends as by the system's own hand.
    while measure(1).requests > 0 {}
    _ = measure(2)
    kill(getpid(), SIGKILL)
  case "signal" where arguments.count == 3:
    try Recorder.recordOnSignal(SIGUSR2, into: arguments[2])
    _ = server.isBroken.exchange(true, ordering: .relaxed)
    while measure(1).requests > 0 {}
    say("hangs")
    while true { pause() }
  default: fail("see the head of main.swift")
  }
} catch {
  fail("\(error)")
}
exit(0)
