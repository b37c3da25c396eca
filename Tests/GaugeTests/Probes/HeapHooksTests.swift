// The preloaded counters: each function of the library called through its handle, and whole launches under them.

import Foundation
import Testing

@testable import Gauge

#if os(Linux)
  @Suite(.serialized, .enabled(if: !Products.areSanitized, "a sanitizer replaces the allocator"))
  struct HeapHooksTests {
    /// The functions of the library, opened here and not preloaded:
    /// it counts what is called through it, and nothing else.
    struct Library {
      typealias Snapshot = @convention(c) (UnsafeMutableRawPointer) -> Void
      let malloc: @convention(c) (Int) -> UnsafeMutableRawPointer?
      let calloc: @convention(c) (Int, Int) -> UnsafeMutableRawPointer?
      let realloc: @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?
      let reallocarray: @convention(c) (UnsafeMutableRawPointer?, Int, Int) -> UnsafeMutableRawPointer?
      let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
      let memalign: @convention(c) (Int, Int) -> UnsafeMutableRawPointer?
      let alignedAlloc: @convention(c) (Int, Int) -> UnsafeMutableRawPointer?
      let posixMemalign: @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int, Int) -> Int32
      let valloc: @convention(c) (Int) -> UnsafeMutableRawPointer?
      let pvalloc: @convention(c) (Int) -> UnsafeMutableRawPointer?
      let usableSize: @convention(c) (UnsafeMutableRawPointer?) -> Int
      let new: @convention(c) (Int) -> UnsafeMutableRawPointer?
      let newAligned: @convention(c) (Int, Int) -> UnsafeMutableRawPointer?
      let delete: @convention(c) (UnsafeMutableRawPointer?) -> Void
      let markPeak: @convention(c) () -> Void
      let peak: @convention(c) () -> UInt64
      private let snapshot: Snapshot

      init() throws {
        let handle = try #require(dlopen(Products.hooks, RTLD_NOW | RTLD_LOCAL), "\(String(cString: dlerror()))")
        func function<F>(_ name: String, _ type: F.Type = F.self) throws -> F {
          unsafeBitCast(try #require(dlsym(handle, name), "\(name) is not exported"), to: F.self)
        }
        malloc = try function("malloc")
        calloc = try function("calloc")
        realloc = try function("realloc")
        reallocarray = try function("reallocarray")
        free = try function("free")
        memalign = try function("memalign")
        alignedAlloc = try function("aligned_alloc")
        posixMemalign = try function("posix_memalign")
        valloc = try function("valloc")
        pvalloc = try function("pvalloc")
        usableSize = try function("malloc_usable_size")
        new = try function("_Znwm")
        newAligned = try function("_ZnwmSt11align_val_t")
        delete = try function("_ZdlPv")
        markPeak = try function("gauge_hooks_mark_peak")
        peak = try function("gauge_hooks_peak")
        snapshot = try function("gauge_hooks_snapshot")
      }

      func counts() -> HeapCounts {
        var totals: (UInt64, UInt64, UInt64) = (0, 0, 0)
        snapshot(&totals)
        return HeapCounts(allocations: totals.0, frees: totals.1, bytes: totals.2)
      }

      /// What `body` does to the heap.
      func counts(of body: () throws -> Void) rethrows -> HeapCounts {
        let start = counts()
        try body()
        return counts() - start
      }
    }

    private func expect(
      _ counts: HeapCounts, _ allocations: UInt64, _ frees: UInt64, _ bytes: UInt64,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(
        counts == HeapCounts(allocations: allocations, frees: frees, bytes: bytes), sourceLocation: sourceLocation)
    }

    @Test func thePeakIsTheMostThatWasLiveAtOnce() throws {
      let library = try Library()
      let before = library.malloc(4000)
      library.markPeak()
      #expect(library.peak() == 0)
      let first = library.malloc(1000)
      let second = library.calloc(1, 2000)
      let size = UInt64(library.usableSize(first) + library.usableSize(second))
      library.free(first)
      let grown = library.realloc(second, 2500)
      #expect(library.peak() == size && size >= 3000)
      // Below the mark, and up again by less than before.
      library.free(before)
      library.free(library.malloc(3000))
      #expect(library.peak() == size)
      library.markPeak()
      library.free(grown)
      #expect(library.peak() == 0)
    }

    @Test func everyKindOfAllocationCountsOnceWithItsRequestedBytes() throws {
      let library = try Library()
      var blocks: [UnsafeMutableRawPointer?] = []
      blocks.reserveCapacity(16)
      var block: UnsafeMutableRawPointer?
      expect(library.counts { blocks.append(library.malloc(13)) }, 1, 0, 13)
      expect(library.counts { blocks.append(library.calloc(7, 11)) }, 1, 0, 77)
      expect(library.counts { blocks.append(library.realloc(nil, 21)) }, 1, 0, 21)
      expect(library.counts { blocks.append(library.reallocarray(nil, 3, 5)) }, 1, 0, 15)
      expect(library.counts { blocks.append(library.memalign(64, 100)) }, 1, 0, 100)
      expect(library.counts { blocks.append(library.alignedAlloc(128, 256)) }, 1, 0, 256)
      expect(library.counts { #expect(library.posixMemalign(&block, 64, 9) == 0) }, 1, 0, 9)
      blocks.append(block)
      expect(library.counts { blocks.append(library.valloc(10)) }, 1, 0, 10)
      let page = UInt64(sysconf(Int32(_SC_PAGESIZE)))
      expect(library.counts { blocks.append(library.pvalloc(10)) }, 1, 0, page)
      expect(library.counts { blocks.append(library.new(33)) }, 1, 0, 33)
      expect(library.counts { blocks.append(library.newAligned(40, 64)) }, 1, 0, 40)
      for block in blocks {
        let address = try #require(block)
        #expect(library.usableSize(address) >= 9)
        expect(library.counts { library.free(address) }, 0, 1, 0)
      }
    }

    @Test func alignmentIsKept() throws {
      let library = try Library()
      for alignment in [16, 64, 4096] {
        let blocks = [
          library.memalign(alignment, 100), library.alignedAlloc(alignment, alignment),
          library.newAligned(100, alignment),
        ]
        for block in blocks {
          #expect(Int(bitPattern: block) % alignment == 0)
          library.delete(block)
        }
      }
    }

    @Test func aReallocOfALiveBlockIsOneOfEach() throws {
      let library = try Library()
      let block = try #require(library.malloc(16))
      block.storeBytes(of: 0x0123_4567_89AB_CDEF, as: UInt64.self)
      var moved: UnsafeMutableRawPointer?
      expect(library.counts { moved = library.realloc(block, 100_000) }, 1, 1, 100_000)
      let large = try #require(moved)
      #expect(large.load(as: UInt64.self) == 0x0123_4567_89AB_CDEF)
      expect(library.counts { moved = library.reallocarray(large, 2, 4) }, 1, 1, 8)
      let small = try #require(moved)
      #expect(small.load(as: UInt64.self) == 0x0123_4567_89AB_CDEF)
      library.free(small)
    }

    @Test func whatDoesNotHappenIsNotCounted() throws {
      let library = try Library()
      expect(library.counts { library.free(nil) }, 0, 0, 0)
      expect(library.counts { library.delete(nil) }, 0, 0, 0)
      expect(library.counts { #expect(library.malloc(.max) == nil) }, 0, 0, 0)
      expect(library.counts { #expect(library.calloc(.max, 3) == nil) }, 0, 0, 0)
      expect(library.counts { #expect(library.reallocarray(nil, .max, 3) == nil) }, 0, 0, 0)
      expect(library.counts { #expect(library.pvalloc(-1) == nil) }, 0, 0, 0)
      var block: UnsafeMutableRawPointer?
      expect(library.counts { #expect(library.posixMemalign(&block, 3, 8) == EINVAL) }, 0, 0, 0)
      let live = library.malloc(8)
      expect(library.counts { #expect(library.realloc(live, .max) == nil) }, 0, 0, 0)
      library.free(live)
    }

    @Test func calloccedMemoryIsZero() throws {
      let library = try Library()
      let block = try #require(library.calloc(100, 8))
      #expect((0..<100).allSatisfy { block.load(fromByteOffset: $0 * 8, as: UInt64.self) == 0 })
      library.free(block)
    }

    @Test func threadsThatHaveEndedStayCounted() throws {
      let library = try Library()
      // More threads than one slab has room for.
      for (threads, blocks) in [(4, 1000), (1200, 3)] {
        let counts = library.counts {
          for _ in 0..<threads / 4 {
            let workers = (0..<4).map { _ in
              Worker { for size in 1...blocks { library.free(library.malloc(size)) } }
            }
            workers.forEach { $0.join() }
          }
        }
        let bytes = threads * blocks * (blocks + 1) / 2
        expect(counts, UInt64(threads * blocks), UInt64(threads * blocks), UInt64(bytes))
      }
    }

    /// A thread that can be waited for until it is gone.
    private final class Worker {
      private final class Body {
        let run: () -> Void
        init(run: @escaping () -> Void) { self.run = run }
      }
      private var thread = pthread_t()

      init(_ run: @escaping () -> Void) {
        let body = Unmanaged.passRetained(Body(run: run))
        let code = pthread_create(
          &thread, nil,
          { argument in
            guard let argument else { return nil }
            Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
            return nil
          }, body.toOpaque())
        precondition(code == 0, "a thread can't be started")
      }

      func join() { pthread_join(thread, nil) }
    }

    /// The hooks over libc's allocator, and over jemalloc where it is installed.
    private static let preloads: [[String]] =
      [[Products.hooks]] + (Products.jemalloc.map { [[Products.hooks, $0]] } ?? [])

    private func expect(
      _ launched: (report: LaunchReport, code: Int32), _ allocations: Double, _ frees: Double,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(launched.code == 0, sourceLocation: sourceLocation)
      #expect(launched.report.ending == .done, sourceLocation: sourceLocation)
      #expect(
        launched.report.measurements.prefix(2).map(\.outcome) == [.value(allocations), .value(frees)],
        sourceLocation: sourceLocation)
    }

    @Test(arguments: preloads)
    func nothingAllocatesNothing(preload: [String]) throws {
      let launched = try Products.launch("gauge/empty", pass: .allocations, preload: preload)
      expect(launched, 0, 0)
      #expect(launched.report.measurements.last?.outcome == .value(0))
    }

    @Test(arguments: preloads)
    func anObjectIsOneAllocationAndOneFree(preload: [String]) throws {
      expect(try Products.launch("gauge/allocate", pass: .allocations, preload: preload), 1, 1)
    }

    @Test(arguments: preloads)
    func theDemonstrationAllocatesOnceMoreOnDemand(preload: [String]) throws {
      let plain = try Products.launch("gauge/demonstration", "words=64", pass: .allocations, preload: preload)
      let more = try Products.launch(
        "gauge/demonstration", "words=64", pass: .allocations, preload: preload,
        environment: ["GAUGE_DEMONSTRATION_EXTRA_ALLOCATION": "1"])
      guard case .value(let allocations) = plain.report.measurements[0].outcome,
        case .value(let frees) = plain.report.measurements[1].outcome
      else {
        Issue.record("not counted: \(plain.report)")
        return
      }
      #expect(allocations == frees)
      expect(more, allocations + 1, frees + 1)
    }

    @Test func withoutPreloadingCountsAreUnavailable() throws {
      let launched = try Products.launch("gauge/allocate", pass: .allocations)
      #expect(launched.code == 0)
      #expect(launched.report.measurements.allSatisfy { $0.outcome == .unavailable(HeapHooks.absence) })
      #expect((HeapHooks() == nil))
    }

    @Test(arguments: preloads)
    func otherPassesRunUnderTheHooksToo(preload: [String]) throws {
      for pass in [LaunchRequest.Pass.time, .latency] {
        #expect(try Products.launch("gauge/await", pass: pass, preload: preload).report.ending == .done)
      }
    }
  }
#endif
