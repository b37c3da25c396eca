// The recorder on the process of the tests: what it finds is told by its file alone, as gauge reads it.

import CSandbox
import Dispatch
import Foundation
import GaugeRecorder
import Synchronization
import Testing

@testable import GaugeRunner

#if os(Linux) && (arch(x86_64) || arch(arm64))
  @Suite(.serialized) struct RecorderTests {
    private let folder = NSTemporaryDirectory() + "gauge-recorder-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func read(_ path: String) throws -> GaugeRunner.Recording {
      defer { try? FileManager.default.removeItem(atPath: path) }
      return try GaugeRunner.Recording(try Files.contents(of: path))
    }

    private func profiles(_ recording: GaugeRunner.Recording) -> RecordedProfiles {
      RecordedProfiles(recording, symboliser: Symboliser(lines: nil, scratch: folder + "/addresses"))
    }

    /// Starts a thread with a name.
    private func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
      Thread {
        // `Thread.name` reaches the system only once the thread that started this one has gone on.
        let file = open("/proc/thread-self/comm", O_WRONLY)
        _ = write(file, name, name.utf8.count)
        close(file)
        body()
      }.start()
    }

    #if !WEIR_TSAN
      // ThreadSanitizer calls handlers later than the signal comes, with the registers of that later moment.
      @Test func `what spins is found first, and nearly all of its time`() throws {
        let path = folder + "/spin.gauge"
        try Recorder.start(into: path)
        #expect(Recorder.isRecording)
        let used = spinForTest(nanoseconds: 1_500_000_000)
        let result = try Recorder.stop()
        #expect(!Recorder.isRecording)
        let recording = try read(path)
        #expect(recording.wasFull == false && !recording.breaksOff)
        #expect(recording.process == Int(getpid()))
        let ran = recording.threads.values.reduce(0) { $0 + $1.ran }
        #expect(ran >= used * 9 / 10)
        // What it is made of is in functions of its own, of less weight.
        let weights = profiles(recording).profiles[0].weightsByFunction()
        let spinning = weights.filter { $0.key.function.contains("spinForTest") }.map(\.value.inclusive).max() ?? 0
        // On a busy machine the recorder's thread may come too late to keep a sample, and says so.
        #expect(.nanoseconds(spinning) + result.lostTime > .nanoseconds(used / 2), "\(weights.keys.map(\.function))")
        #expect(result.sampledTime > .zero)
        #expect(result.handlerTime > .zero)
        #expect(profiles(recording).profiles[0].kind == .cpu)
      }
    #endif

    @Test func `threads that wait are seen with their stacks, without being interrupted`() throws {
      let path = folder + "/waits.gauge"
      let door = DispatchSemaphore(value: 0)
      let arrived = DispatchSemaphore(value: 0)
      let left = DispatchSemaphore(value: 0)
      let interrupted = Atomic<Int>(0)
      for number in 0..<4 {
        start("held-\(number)") {
          arrived.signal()
          waitForTest(door)
          left.signal()
        }
      }
      var ends: [Int32] = [-1, -1]
      #expect(pipe(&ends) == 0)
      let reading = ends[0]
      start("polls") {
        var file = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        arrived.signal()
        if poll(&file, 1, -1) < 0 { interrupted.add(1, ordering: .relaxed) }
        left.signal()
      }
      for _ in 0..<5 { arrived.wait() }
      try Recorder.start(into: path, Recorder.Configuration(samplesPerSecond: 0, looksPerSecond: 100))
      // Each is answered by the recorder's thread, until looks have met them all: on a busy machine they come late.
      var met: Set<String> = []
      for _ in 0..<1000 where met.count < 5 {
        usleep(1000)
        #expect(try Recorder.dump(to: folder + "/unused") == path)
        let recording = try GaugeRunner.Recording(try Files.contents(of: path))
        let futex: Int = recording.machine == 62 ? 202 : 98
        for wait in recording.waits {
          let name = recording.threads[wait.thread]?.name ?? ""
          if name.hasPrefix("held-") ? wait.call == futex : name == "polls" && wait.call != futex { met.insert(name) }
        }
      }
      #expect(met == ["held-0", "held-1", "held-2", "held-3", "polls"])
      let result = try Recorder.stop()
      #expect(result.looks >= 2 && result.waits >= 5)
      for _ in 0..<4 { door.signal() }
      _ = write(ends[1], "x", 1)
      for _ in 0..<5 { left.wait() }
      #expect(interrupted.load(ordering: .relaxed) == 0)
      close(ends[0])
      close(ends[1])
      let recording = try read(path)
      let groups = profiles(recording).report.groups
      let group = groups.first { $0.frames.contains { $0.function.contains("waitForTest") } }
      #expect(group?.count == 4 && group?.among == 4 && group?.cause == "futex", "\(groups)")
      #expect(groups.contains { $0.names == ["thread polls"] && $0.cause.hasSuffix("poll") })
    }

    @Test func `it is started and stopped once`() throws {
      #expect(throws: RecorderError.self) { try Recorder.stop() }
      let path = folder + "/once.gauge"
      try Recorder.start(into: path)
      do {
        try Recorder.start(into: folder + "/twice.gauge")
        Issue.record("it was started twice")
      } catch {
        #expect(error.reason == .alreadyOn && error.description.contains("stop it first"))
      }
      #expect(try Recorder.stop().path == path)
      do {
        try Recorder.stop()
        Issue.record("it was stopped twice")
      } catch {
        #expect(error.reason == .off)
      }
      #expect(!FileManager.default.fileExists(atPath: folder + "/twice.gauge"))
      // And again, from the beginning.
      try Recorder.start(into: path)
      try Recorder.stop()
      #expect(try read(path).pulses.count >= 2)
    }

    @Test func `what can't be is told with what to do`() {
      for (path, configuration, reason) in [
        (folder + "/no/such/folder", Recorder.Configuration(), RecorderError.Reason.cannotWrite),
        ("", Recorder.Configuration(), .cannotWrite), (String(repeating: "x", count: 900), .init(), .cannotWrite),
        (folder + "/x", Recorder.Configuration(samplesPerSecond: 1001), .wrongConfiguration),
        (folder + "/x", Recorder.Configuration(looksPerSecond: -1), .wrongConfiguration),
        (folder + "/x", Recorder.Configuration(largestFile: 0), .wrongConfiguration),
        (folder + "/x", Recorder.Configuration(largestFile: 1 << 30), .wrongConfiguration),
      ] {
        do {
          try Recorder.start(into: path, configuration)
          Issue.record("it was started")
        } catch {
          #expect(error.reason == reason, "\(error)")
        }
      }
      #expect(!Recorder.isRecording)
      do {
        try Recorder.recordOnSignal(SIGUSR2, into: folder + "/none")
        Issue.record("it was armed")
      } catch {
        #expect(error.reason == .cannotWrite && error.description.contains("/none"))
      }
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGPROF, SIGKILL, 0, -1, 32, 65])
    func `a signal that can't start a recording is refused`(signal: Int32) throws {
      do {
        try Recorder.recordOnSignal(signal, into: folder)
        Issue.record("it was armed")
      } catch {
        #expect(error.reason == .wrongConfiguration && error.description.contains("signal \(signal) can't"))
      }
    }

    @Test func `what is no file is left alone, and nobody is waited for`() throws {
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      for path in [folder + "/pipe", "/dev/null"] {
        do {
          try Recorder.start(into: path)
          Issue.record("it was started")
        } catch {
          #expect(error.reason == .cannotWrite && error.description.contains("give the path of a file"))
        }
      }
      #expect(throws: RecorderError.self) { try Recorder.start(into: folder) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["pipe"])
    }

    @Test func `a start that fails leaves what was there, and one that succeeds replaces it`() throws {
      let path = folder + "/kept.gauge"
      try Files.replace(path, with: Array("former".utf8))
      try Files.replace(path + ".heap", with: Array("former".utf8))
      let former = try #require(FileHandle(forReadingAtPath: path))
      signal(SIGPROF) { _ in }
      #expect(throws: RecorderError.self) { try Recorder.start(into: path) }
      signal(SIGPROF, SIG_DFL)
      #expect(Files.text(of: path) == "former" && Files.text(of: path + ".heap") == "former")
      try Recorder.start(into: path)
      // Who has the former file open, such as another process that records into it, keeps it.
      #expect(try former.readToEnd() == Data("former".utf8))
      #expect(Files.stamp(of: path + ".heap") == nil)
      try Recorder.stop()
      #expect(try read(path).wasFull == false)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test func `a handler that the program installs meanwhile stays its own`() throws {
      let path = folder + "/foreign.gauge"
      try Recorder.start(into: path)
      let own: @convention(c) (Int32) -> Void = { _ in foreignSignals.add(1, ordering: .relaxed) }
      signal(SIGPROF, own)
      // Once a pulse is behind it nobody is sent a signal any more.
      var lost: Int?
      while lost == nil {
        _ = try Recorder.dump(to: folder + "/unused")
        lost = try GaugeRunner.Recording(try Files.contents(of: path)).pulses.last?.handlerLost
      }
      try Recorder.stop()
      var now = sigaction()
      #expect(sigaction(SIGPROF, nil, &now) == 0)
      #expect(unsafeBitCast(now.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(own, to: Int.self))
      signal(SIGPROF, SIG_DFL)
      #expect(try read(path).notes.contains { $0.contains("its own handler of SIGPROF") })
    }

    @Test func `a library that is loaded meanwhile is known, also once it is gone`() throws {
      let path = folder + "/loaded.gauge"
      // As a library: code that nobody had at the start.
      let page = sysconf(Int32(_SC_PAGESIZE))
      let file = folder + "/code.so"
      let jump: [UInt8] = [0x90, 0xc3]
      try Files.replace(file, with: jump + [UInt8](repeating: 0x90, count: page - 2))
      try Recorder.start(into: path, Recorder.Configuration(samplesPerSecond: 0))
      let descriptor = open(file, O_RDONLY)
      let code = mmap(nil, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, descriptor, 0)
      close(descriptor)
      // The map is read once a second; on a busy machine later. After ten minutes it never will be.
      var (maps, looks) = (1, 0)
      while maps == 1, looks < 60_000 {
        usleep(10_000)
        maps = try GaugeRunner.Recording(try Files.contents(of: path)).maps.count
        looks += 1
      }
      try #require(maps > 1)
      munmap(code, page)
      try Recorder.stop()
      let recording = try read(path)
      #expect(recording.maps.contains { $0.contains { $0.path.hasSuffix("/code.so") } })
      #expect(recording.maps.last?.contains { $0.path.hasSuffix("/code.so") } == false)
      try FileManager.default.removeItem(atPath: file)
    }

    @Test func `relative paths are those of the moment when they are given`() throws {
      let former = FileManager.default.currentDirectoryPath
      #expect(FileManager.default.changeCurrentDirectoryPath(folder))
      let here = FileManager.default.currentDirectoryPath
      try Recorder.recordOnSignal(SIGUSR2, into: ".")
      try Recorder.start(into: "relative.gauge")
      #expect(FileManager.default.changeCurrentDirectoryPath("/"))
      defer { _ = FileManager.default.changeCurrentDirectoryPath(former) }
      #expect(try Recorder.stop().path == here + "/relative.gauge")
      #expect(try read(here + "/relative.gauge").wasFull == false)
      kill(getpid(), SIGUSR2)
      while !Recorder.isRecording { sched_yield() }
      #expect(try Recorder.stop().path.hasPrefix(here + "/./"))
      try Recorder.ignoreSignal()
    }

    @Test func `a file that is full ends the recording`() throws {
      let path = folder + "/full.gauge"
      try Recorder.start(into: path, Recorder.Configuration(looksPerSecond: 100, largestFile: 1 << 16))
      while Recorder.isRecording { _ = try? Recorder.dump(to: path + ".2") }
      let result = try Recorder.stop()
      #expect(result.wasFull && result.path == path)
      #expect(try read(path).wasFull == true)
    }

    @Test func `a signal starts it, and the next one stops it`() throws {
      try Recorder.recordOnSignal(SIGUSR2, into: folder)
      do {
        try Recorder.recordOnSignal(SIGUSR1, into: folder)
        Issue.record("it was armed twice")
      } catch {
        #expect(error.reason == .alreadyOn)
      }
      #expect(!Recorder.isRecording)
      kill(getpid(), SIGUSR2)
      while !Recorder.isRecording { sched_yield() }
      kill(getpid(), SIGUSR2)
      while Recorder.isRecording { sched_yield() }
      try Recorder.ignoreSignal()
      #expect(throws: RecorderError.self) { try Recorder.ignoreSignal() }
      let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".gauge") }
      #expect(files.count == 1 && files[0].contains("-\(getpid())-"))
      #expect(try read(folder + "/" + files[0]).wasFull == false)
      // Its result waits for whoever asks.
      #expect(try Recorder.stop().path == folder + "/" + files[0])
    }

    @Test func `a signal of the program's own is left alone`() {
      signal(SIGUSR1) { _ in }
      defer { signal(SIGUSR1, SIG_DFL) }
      do {
        try Recorder.recordOnSignal(SIGUSR1, into: folder)
        Issue.record("it was armed")
      } catch {
        #expect(error.reason == .signalTaken && error.description.contains("give another one"))
      }
      signal(SIGPROF) { _ in }
      defer { signal(SIGPROF, SIG_DFL) }
      do {
        try Recorder.start(into: folder + "/taken")
        Issue.record("it was started")
      } catch {
        #expect(error.reason == .signalTaken && error.description.contains("samplesPerSecond"))
      }
    }

    @Test func `a look at one moment is a file of its own`() throws {
      let path = folder + "/moment.gauge"
      #expect(try Recorder.dump(to: path) == path)
      #expect(!Recorder.isRecording)
      let recording = try read(path)
      #expect(recording.samplePeriod == 0 && recording.threads.count >= 1 && recording.wasFull == false)
    }

    #if !WEIR_TSAN
      // ThreadSanitizer ends a process that was forked from one with threads and starts one itself.
      @Test func `a process that was forked meanwhile is not recorded, and may record itself`() throws {
        let path = folder + "/parent.gauge"
        try Recorder.start(into: path)
        let child = sandbox_in_fork {
          if Recorder.isRecording { return 1 }
          let own = NSTemporaryDirectory() + "gauge-forked-\(getpid())"
          defer { unlink(own) }
          do {
            try Recorder.start(into: own)
            try Recorder.stop()
            return (try Files.contents(of: own)).count > 128 ? 42 : 2
          } catch {
            return 3
          }
        }
        #expect(child == 42)
        #expect(Recorder.isRecording)
        try Recorder.stop()
        #expect(try read(path).process == Int(getpid()))
      }
    #endif

    @Test func `the variable of the environment is understood or refused`() throws {
      unsetenv("GAUGE_RECORD")
      #expect(try Recorder.followEnvironment() == false)
      defer { unsetenv("GAUGE_RECORD") }
      for value in ["KILL:/var/tmp", "USR1"] {
        setenv("GAUGE_RECORD", value, 1)
        do {
          try Recorder.followEnvironment()
          Issue.record("it was understood")
        } catch {
          #expect(error.reason == .wrongEnvironment && error.description.contains(value))
        }
      }
      setenv("GAUGE_RECORD", folder, 1)
      #expect(try Recorder.followEnvironment())
      let path = try Recorder.stop().path
      #expect(path.hasPrefix(folder) && path.hasSuffix("-\(getpid())-0.gauge"))
      try FileManager.default.createDirectory(atPath: folder + "/a:b", withIntermediateDirectories: true)
      setenv("GAUGE_RECORD", folder + "/a:b", 1)
      #expect(try Recorder.followEnvironment())
      #expect(try Recorder.stop().path.hasPrefix(folder + "/a:b/"))
      setenv("GAUGE_RECORD", "USR2:" + folder, 1)
      #expect(try Recorder.followEnvironment())
      try Recorder.ignoreSignal()
    }

    @Test func `several threads may ask at once`() throws {
      let path = folder + "/many.gauge"
      let failures = Mutex<[RecorderError.Reason]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        for _ in 0..<10 {
          do {
            if number % 2 == 0 { try Recorder.start(into: path) } else { _ = try Recorder.stop() }
          } catch {
            failures.withLock { $0.append((error as? RecorderError)?.reason ?? .refused) }
          }
        }
      }
      #expect(failures.withLock { $0.allSatisfy { $0 == .alreadyOn || $0 == .off } })
      _ = try? Recorder.stop()
      #expect(!Recorder.isRecording)
    }
  }

  /// Uses so much CPU time of this thread. Returns what it used.
  @inline(never)
  private func spinForTest(nanoseconds: Int) -> Int {
    func used() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    let start = used()
    var sum: UInt64 = 1
    while used() - start < nanoseconds {
      for number in 0..<20_000 as Range<UInt64> { sum = sum &* 6_364_136_223_846_793_005 &+ number }
    }
    #expect(sum != 0)
    return used() - start
  }

  private let passed = Atomic<Int>(0)
  private let foreignSignals = Atomic<Int>(0)

  @inline(never)
  private func waitForTest(_ door: DispatchSemaphore) {
    door.wait()
    // So that the call above is none that this function ends in.
    passed.add(1, ordering: .relaxed)
  }
#endif
