// Which scenario has noticed each mutant, with how many preemptions: the first to try the next time. Made by
// `scripts/explore --remember`; a line that is no longer right costs time and nothing else.

let linesOfNoticedMutants = """
  gate/hand-over-order 0 gate: enters by load and store
  gate/hand-over-order 2 gate: enters with marks by load and store
  gate/nested 0 gate: does not name the holder
  gate/three-senders 0 gate: all threads have one name
  gate/hand-over-order 0 gate: leaves by a plain store
  gate/hand-over-order 0 gate: leaves by load and store
  gate/hand-over-order 1 gate: leaves without looking for signals
  gate/hand-over-order 0 gate: does not leave
  gate/hand-over-order 2 gate: keeps the holder's name after leaving
  gate/nested 1 gate: forgets the holder that stays
  gate/hand-over-order 1 gate: counts a signal by load and store
  gate/hand-over-order 0 gate: has no unit after a hand-over
  gate/nested 2 gate: does not name who found it free
  gate/two-each 0 gate: hands over without a look at the owner
  gate/nested 0 gate: makes two queues
  gate/hand-over-order 0 gate: does not publish its queue
  gate/hand-over-order 0 gate: takes fewer signals than were counted
  gate/hand-over-order 0 gate: takes nothing
  gate/recycled-segments 1 gate: subtracts by load and store
  gate/hand-over-order 0 gate: subtracts nothing
  current/nested-send-hand-over 1 gate: sees no waiting signals
  owned-gate/third-and-fourth 0 owned gate: enters without being busy
  owned-gate/third-and-fourth 0 owned gate: is busy too late
  owned-gate/third-and-fourth 1 owned gate: enters without looking again
  owned-gate/third-and-fourth 0 owned gate: stays busy
  owned-gate/third-and-fourth 1 owned gate: leaves before it is not busy
  owned-gate/nested 1 owned gate: leaves without looking again
  owned-gate/third-and-fourth 0 owned gate: revokes without the barrier
  owned-gate/nested 1 owned gate: takes the owner to be outside
  owned-gate/third-and-fourth 0 owned gate: takes the owner to be inside
  owned-gate/third-and-fourth 0 owned gate: says by load and store that it ends
  owned-gate/third-and-fourth 1 owned gate: decides by load and store
  owned-gate/third-and-fourth 0 owned gate: decides whatever was decided
  owned-gate/nested 1 owned gate: who has revoked it has no name
  owned-gate/two-revokers 3 owned gate: stays by load and store
  owned-gate/third-and-fourth 1 owned gate: stays whatever was decided
  owned-gate/nested 1 owned gate: stays without a name
  owned-gate/third-and-fourth 1 owned gate: stays busy when revoked
  owned-gate/two-revokers 3 owned gate: goes by load and store
  owned-gate/third-and-fourth 1 owned gate: goes whatever was decided
  owned-gate/two-adopt 1 owned gate: is adopted whoever waits
  owned-gate/two-adopt 1 owned gate: is adopted in vain
  owned-gate/adopt 4 owned gate: is revoked while it is not adopted
  owned-gate/two-adopt 0 owned gate: is adopted by an idler
  owned-gate/two-adopt 2 owned gate: keeps the adopter's name
  waiting/owned-third 0 waiting: never asks who owns the gate
  waiting/beside-hand-over 2 waiting: sleeps whatever the word is
  waiting/leave-while-one-is-woken 0 waiting: leaves with marks by load and store
  waiting/leave-while-one-is-woken 2 waiting: leaves with marks whoever comes
  waiting/leave-while-one-is-woken 2 waiting: lets the next in by load and store
  waiting/leave-while-one-is-woken 2 waiting: lets the next in whoever comes
  join/merge-nested 2 waiting: who is let in has no name
  waiting/look 0 waiting: lookers are not counted
  waiting/owned-third 1 waiting: circles are looked for without the lock
  relief/nested 0 relief: keeps its name
  relief/nested 0 relief: who is started has no name
  relief/taken-over 1 relief: subtracts by load and store
  relief/owned 0 relief: subtracts nothing
  current/first-value 1 turn of a subscriber: nobody looks at it
  current/two-ask-while-others-are-called 2 turn of a subscriber: is taken by load and store
  current/ask-while-others-are-called 1 turn of a subscriber: is taken without the barrier
  current/two-ask-while-others-are-called 0 turn of a subscriber: is kept
  current/ask-in-anothers-turn 1 turn of a subscriber: ends whatever was left to it
  current/request-send 3 turn of a subscriber: a miss is a plain store
  current/ask-while-others-are-called 0 turn of a subscriber: a miss is not noted
  ledger/settle-cancel 0 ledger: adds by load and store
  ledger/settle-cancel 1 ledger: adds whatever the word is
  ledger/two-takers 0 ledger: takes by load and store
  ledger/request-take 0 ledger: takes without writing
  ledger/settle-cancel 1 ledger: settles whatever the word is
  ledger/request-cancel-take 0 ledger: cancels by load and store
  ledger/settle-cancel 0 ledger: does not cancel
  upstream-link/connect-cancel 0 subscription: begins by load and store
  upstream-link/connect-cancel 0 subscription: misses an early end
  upstream-link/request-complete-cancel 0 subscription: uses without counting
  upstream-link/request-complete-cancel 0 subscription: leaves by load and store
  upstream-link/request-complete-cancel 1 subscription: is never the last user
  upstream-link/request-complete-cancel 0 subscription: is always the last user
  upstream-link/connect-cancel 0 subscription: ends by load and store
  one-shot/two-threads 0 one-shot: fires by load and store
  join/flat-map-opens-early 1 join: gives every value away
  zip/two-lanes 0 zip: takes every lane for empty in a look
  join/combine-latest-beside-request 1 combineLatest: leaves a value that is wanted
  sink/direct-cancel 1 subject link: stays direct when it is cancelled
  guarded-closures/value-cancel 0 sink: cancels without the heavy barrier
  guarded-closures/complete-cancel 1 sink: cancels without looking at busy
  sink/subscribe-cancel 1 sink: takes closures for trusted ones
  guarded-closures/complete-cancel 1 sink: does not mark itself busy
  sink/subject-complete-cancel 0 sink: swaps its two marks
  sink/subject-complete-cancel 0 sink: stays busy
  guarded-closures/untrusted-values-cancel 0 sink: does not count an untrusted call
  guarded-closures/untrusted-values-cancel 1 sink: counts untrusted calls by load and store
  guarded-closures/untrusted-values-cancel 0 sink: does not end an untrusted call
  guarded-closures/untrusted-values-cancel 0 sink: ends beside an untrusted call
  sink/subject-complete-cancel 0 sink: frees by load and store
  sink/subject-complete-cancel 1 sink: does not see the end
  order/spin-lock 0 spin lock: takes by load and store
  order/spin-lock 0 spin lock: takes after a wait by load and store
  order/spin-lock 2 spin lock: takes after a wait whatever the word is
  order/spin-lock 0 spin lock: stays taken
  current/set-read 0 current value: stores and places without the lock
  upstreams/add-open 0 upstreams: adds without the lock
  autoconnect/last-cancels-first-comes 0 autoconnect: counts without the lock
  spsc/push-pop 0 queue: publishes without releasing
  spsc/batches 0 queue: sees what is not there yet
  spsc/batches 0 queue: publishes a batch without releasing
  spsc/closed-by-consumer 0 queue: does not answer a consumer that closes
  spsc/closed-by-consumer 1 queue: is drained whenever it is empty
  spsc-ring/closed-by-both 0 ring: publishes without releasing
  spsc-ring/full-empty 1 ring: gives a slot back without releasing
  spsc-ring/batches 0 ring: is never full
  spsc-ring/closed-by-both 0 ring: publishes before it fills
  spsc-ring/close 0 ring: is drained whenever it is empty
  spsc-ring/closed-by-consumer 0 ring: does not answer a consumer that closes
  spsc-ring/closed-by-both 0 ring: asks after the answer
  mpsc/batch-among-others 0 mpsc: takes a place by load and store
  mpsc/batches-close 0 mpsc: takes a last place by load and store
  mpsc/trim 0 mpsc: publishes without releasing
  mpsc/close 1 mpsc: is drained when it is closed
  mpsc/batches-close 0 mpsc: does not publish a segment
  mpsc/batch-among-others 0 mpsc: publishes a segment too late
  mpsc/batches-close 1 mpsc: opens a segment by load and store
  mpsc/batches-close 0 mpsc: opens no segment
  mpsc/batches-close 0 segments: links none
  spsc/freed-segments 0 segments: keeps one that goes on
  mpsc/segments 0 segments: gives a spare to two
  mpsc/segments 1 segments: keeps by load and store
  mpsc/segments 2 segments: keeps one over another
  mpsc/freed-segments 1 segments: counts a run's users by load and store
  mpsc/trim 1 segments: trims by load and store
  mpmc/two-slots 0 mpmc: takes a slot to fill by load and store
  mpmc/overwrite 0 mpmc: takes a slot to empty by load and store
  mpmc/overwrite 0 mpmc: fills without releasing
  mpmc/overwrite 0 mpmc: empties without releasing
  mpmc/batches 0 mpmc: takes a batch by load and store
  mpmc/overwrite-by-two 0 mpmc: overwrites by load and store
  mpmc/overwrite-by-two 0 mpmc: overwrites what another takes
  mpmc/overwrite-close 0 mpmc: overwrites by a plain store
  mpmc/overwrite-close 2 mpmc: is drained while it is overwritten
  mpsc/batches-close 0 queues: close by load and store
  channel/closed-by-receiver 0 channel: does not look for who waits
  channel/line 0 channel: who waits is not counted
  channel/line 0 channel: looks by load and store
  channel/line 0 channel: joins a line without the lock
  channel/line 0 channel: leaves a line without the lock
  channel/closed-by-receiver 0 channel: wakes without the lock
  channel/line 0 channel: stays counted when it leaves
  channel/nobody-receives-growing 1 channel: does not say that nobody receives
  channel/nobody-receives 1 channel: says by load and store that nobody receives
  channel/nobody-receives-growing 1 channel: overlooks that nobody receives
  channel/nobody-receives-growing 0 channel: receives without a turn
  channel/waiter 0 channel: falls asleep without the lock
  channel/waiter 0 channel: is woken without the lock
  mailbox/two-workers 1 mailbox: counts by load and store
  mailbox/two-workers 1 mailbox: settles by load and store
  mailbox/values-completion 0 mailbox: does not settle
  mailbox/two-workers 2 mailbox: keeps the worker's name after settling
  channel/closed-by-receiver 0 parker: is not signalled
  channel/closed-by-receiver 0 parker: does not sleep
  append/request-switch 0 succession: asks without the lock
  append/request-switch 0 succession: switches without the lock
  revival/resume-conclude 0 succession: ends without the lock
  replay/admit-admit 0 replay: admits without the lock
  replay/requests-beside-a-delivery 0 replay: calls beside a delivery without the barrier
  replay/request-in-a-call 3 replay: leaves a request without the barrier
  replay/requests-beside-a-delivery 0 replay: calls whom the holder calls
  replay/requests-beside-a-delivery 0 replay: does not say whom it calls
  replay/request-in-a-call 1 replay: does not say that it is through
  replay/subscribe-beside-a-delivery 2 replay: does not look at the turn
  replay/last-cancels-next-comes 0 replay: dismisses without the lock
  revival/resume-cancel 1 revival: begins to wait without the lock
  revival/resume-resume 0 revival: ends the wait without the lock
  revival/resume-resume 0 revival: subscribes without the lock
  revival/hold-resume-cancel 0 revival: keeps without the lock
  turn/one-at-a-time 0 turn: all threads have one name
  turn/one-at-a-time 0 turn: enters without its lock
  turn/one-at-a-time 0 turn: leaves without its lock
  turn/lent-twice 1 turn: sleeps without its lock
  turn/crosswise 1 turn: looks for a circle without the table
  turn/one-at-a-time 0 turn: notes a change without the lock
  turn/one-at-a-time 0 turn: ends a change without the lock
  current/ask-while-others-are-called 1 order: SubjectTurn isBehind load: acq
  current/ask-while-others-are-called 1 order: SubjectTurn takeOrMiss(_:) exchange: acqrel
  current/ask-while-others-are-called 1 order: DemandLedger add(_:) compareExchange: acqrel
  current/ask-while-others-are-called 1 order: DemandLedger takeAfterMiss() load: acq
  owned-gate/enter 1 order: GateOwnership enterOwned(_:) lightBarrier: none
  owned-gate/enter 1 order: GateOwnership leaveOwned(_:) lightBarrier: none
  current/ask-while-others-are-called 1 order: SubjectTurn mayBeCalledHere lightBarrier: none
  replay/request-in-a-call 1 order: ReplayCore endCall(_:) lightBarrier: none
  guarded-closures/complete-cancel 2 order: GuardedClosures receive(_:unless:) lightBarrier 1: none
  guarded-closures/complete-cancel 1 order: GuardedClosures receive(_:unless:) lightBarrier 2: none
  owned-gate/enter 0 order: Gate tryEnterShared() compareExchange: rel
  owned-gate/enter 0 order: Gate tryEnterMarked(_:) compareExchange: rel
  owned-gate/enter 0 order: Gate leaveWord(_:) compareExchange: acq
  owned-gate/enter 1 order: Gate noteQueued() add 1: acq
  owned-gate/adopt-hand-over 0 order: Gate noteQueued() add 1: rel
  owned-gate/nested 1 order: Gate withQueue(_:) load: rlx
  owned-gate/nested 1 order: Gate install(_:in:) compareExchange: acq
  owned-gate/nested 1 order: Gate install(_:in:) compareExchange: rel
  owned-gate/enter 0 order: GateOwnership leaveOwned(_:) store: rlx
  owned-gate/adopt-hand-over 0 order: GateOwnership claim(_:) add: acq
  owned-gate/enter 0 order: GateOwnership revoke(_:) load 2: rlx
  spsc-ring/closed-by-both 0 order: SPSCRing enqueue(_:) store: rlx
  spsc-ring/full-empty 1 order: SPSCRing dequeue() store: rlx
  spsc-ring/close 1 order: SPSCRing isDrained load 1: rlx
  spsc-ring/close 1 order: SPSCRing room(at:for:) store: rlx
  spsc-ring/batches 1 order: SPSCRing room(at:for:) load 2: rlx
  spsc-ring/closed-by-both 0 order: SPSCRing available(at:for:) load: rlx
  spsc-ring/batches 0 order: SPSCRing enqueue(contentsOf:) store: rlx
  spsc-ring/batches 1 order: SPSCRing dequeue(atMost:into:) store: rlx
  spsc/push-pop 0 order: SPSCLinkedQueue enqueue(_:) store: rlx
  spsc/push-pop 0 order: SPSCLinkedQueue comesToNext() load: rlx
  spsc/batches 0 order: SPSCLinkedQueue enqueue(contentsOf:) store: rlx
  mpsc/segments 0 order: MPSCQueue takePlace() load 1: rlx
  mpsc/close 0 order: MPSCQueue fill(_:of:with:) store: rlx
  mpsc/segments 1 order: MPSCQueue takePlacesContended(atMost:) load 1: rlx
  mpsc/segments 0 order: MPSCQueue link(_:behind:) add: acq
  mpsc/close 0 order: MPSCQueue dequeue() load: rlx
  mpmc/two-slots 0 order: MPMCQueue claim() load 2: rlx
  mpmc/overwrite 0 order: MPMCQueue show(_:) store: rlx
  mpmc/overwrite-close 0 order: MPMCQueue giveBack(_:) store: rlx
  mpmc/overwrite-close 0 order: MPMCQueue overwrite(with:) load 2: rlx
  mpmc/overwrite 0 order: MPMCQueue dequeue() load 2: rlx
  mpmc/batches 0 order: MPMCQueue claim(atMost:of:turn:) load 2: rlx
  mpmc/batches 0 order: MPMCQueue claim(atMost:of:turn:) load 3: rlx
  spsc/freed-segments 0 order: SegmentChain prepare(_:) exchange: rel
  spsc/freed-segments 0 order: SegmentChain giveBack(_:_:) compareExchange: acq
  upstream-link/connect-cancel 0 order: SubscriptionState endActivation() compareExchange: acq
  upstream-link/connect-cancel 0 order: SubscriptionState end(from:) compareExchange: rel
  order/subscription 2 order: SubscriptionState endLastUse() load: rlx
  order/spin-lock 0 order: SpinLock lock() compareExchange: rel
  order/spin-lock 1 order: SpinLock wait() compareExchange: rel
  order/spin-lock 0 order: SpinLock unlock() store: rlx
  channel/nobody-receives-growing 0 order: ChannelWaiters areThere add: acq
  ledger/settle 0 order: DemandLedger settle(_:) compareExchange: acq
  order/gate-count 1 order: Gate depth load: rlx
  order/ring-count 0 order: SPSCRing count load 1: rlx
  order/ring-counted 0 order: SPSCRing count load 2: rlx
  order/ring-closed 0 order: SPSCRing isClosed load: rlx
  order/ring-offer 0 order: SPSCRing offer(_:) store 1: rlx
  order/ring-answers-an-offer 1 order: SPSCRing offer(_:) store 2: rlx
  order/ring-closed 0 order: SPSCRing close() store: rlx
  order/spsc-closed 0 order: SPSCLinkedQueue isClosed load: rlx
  order/spsc-offer 0 order: SPSCLinkedQueue offer(_:) store: rlx
  order/spsc-answers 1 order: SPSCLinkedQueue canAdd() store: rlx
  order/spsc-closed 0 order: SPSCLinkedQueue close() store: rlx
  order/spsc-counted 0 order: SPSCLinkedQueue count load: rlx
  order/spsc-closed 0 order: SPSCLinkedQueue isDrained load 1: rlx
  order/mpsc-closed 0 order: MPSCQueue isClosed load: rlx
  order/mpsc-peek 0 order: MPSCQueue peek(_:) load: rlx
  order/mpsc-counted 0 order: MPSCQueue end load: rlx
  order/mpsc-closed 0 order: MPSCQueue isDrained load: rlx
  order/mpmc-closed 0 order: MPMCQueue isClosed load: rlx
  order/mpmc-refuses 0 order: MPMCQueue claim() load 1: rlx
  order/mpmc-does-not-overwrite 0 order: MPMCQueue overwrite(with:) load 1: rlx
  order/mpmc-refuses-batch 0 order: MPMCQueue claim(atMost:of:turn:) load 1: rlx
  order/mpmc-count 0 order: MPMCQueue count load 1: rlx
  order/mpmc-counted 0 order: MPMCQueue count load 2: rlx
  order/mpmc-closed 0 order: MPMCQueue isDrained load 1: rlx
  order/look-at-a-new-subscriber 1 order: SubjectCore deliver(_:at:) store: rlx
  order/look-at-a-new-outer-call 1 order: SubjectCalls callWithin(_:) store 1: rlx
  order/look-at-a-new-subscriber 1 order: SubjectCalls callInVain(_:) load 1: rlx
  order/current-behind-the-holder 1 order: SubjectCore leave() store: rlx
  order/current-behind-the-settling 1 order: SubjectCore settle(asHelper:) store: rlx
  order/current-behind-the-holder 1 order: SubjectCalls callWithin(_:) store 2: rlx
  order/current-behind-the-holder 2 order: SubjectCalls endOuterCall(_:) store: rlx
  order/current-behind-the-holder 1 order: SubjectCalls isCalling(_:) load 1: rlx
  order/current-behind-the-holder 1 order: SubjectCalls isCalling(_:) load 2: rlx
  order/current-behind-the-holder 2 order: SubjectCalls isCalling(_:) load 3: rlx
  order/current-behind-an-asker 1 order: SubjectTurn catchUpInside(_:) store 2: rlx
  order/current-behind-the-owner 1 order: LatestValue updateInside(_:_:) store: rlx
  order/look-at-a-new-outer-call 2 order: SubjectCalls beginOuterCall(_:) store 2: rlx
  order/current-behind-a-turn 1 order: SubjectTurn mayBeCalledHere load: rlx
  order/current-missed-in-a-turn 1 order: SubjectTurn awaitTurn(forValue:) exchange 1: acqrel
  order/current-awaits-a-turn 1 order: SubjectTurn awaitTurn() load: rlx
  order/current-asks-as-it-misses 2 order: SubjectTurn catchUp(_:) load: acq
  order/replay-behind-the-holder 1 order: ReplayCore settle(asHelper:) store: rlx
  order/replay-look-at-a-new-subscriber 1 order: ReplayCore beginCall(_:) store: rlx
  order/replay-behind-a-turn 1 order: ReplayCore beginCall(_:) lightBarrier: none
  order/replay-behind-a-turn 1 order: ReplayCore beginCall(_:) load: rlx
  order/replay-behind-the-holder 1 order: ReplayCore endCall(_:) store: rlx
  order/replay-look-at-a-new-subscriber 1 order: ReplayTurn nobodyTakes(_:_:) load: rlx
  order/replay-awaits-a-turn 1 order: ReplayTurn awaitTurn(of:) load: rlx
  order/replay-behind-the-holder 1 order: ReplayTurn isCalling(_:) load: rlx
  order/ledger-unlimited 0 order: DemandLedger take() load: rlx
  order/current-missed-in-a-turn 1 order: DemandLedger isSomeAfterMiss load: acq
  order/ledger-unlimited 0 order: DemandLedger take(upTo:) load: rlx
  order/ledger-settle 0 order: DemandLedger settle(_:) load: rlx
  order/ledger-unlimited 0 order: DemandLedger isUnlimited load: rlx
  frozen/guarded-closures 0 order: GuardedClosures receive(_:unless:) store 2: rlx
  frozen/guarded-closures 0 order: GuardedClosures retireUnlessBusy() load 2: rlx
  shards/completion-of-a-shared-lane 1 order: ShardedCore takeLastNews() load: rlx
  """
