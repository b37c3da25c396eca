// The atomic accesses of subscriptions, demand and closures.

import WeirVerify

let subscriptionOrderings = [
  OrderedAccesses(
    "Weir/DemandLedger.swift",
    OrderedAccess(.compareExchange, .sequentiallyConsistent, "add(_:)"),
    OrderedAccess(.load, .acquire, "take()"),
    OrderedAccess(.load, .sequentiallyConsistent, "takeAfterMiss()"),
    OrderedAccess(.load, .sequentiallyConsistent, "isSomeAfterMiss"),
    OrderedAccess(.compareExchange, .acquireRelease, "takeCounted()", stays: alike),
    OrderedAccess(.load, .acquire, "take(upTo:)"),
    OrderedAccess(.compareExchange, .acquireRelease, "take(upTo:)", stays: alike),
    OrderedAccess(.load, .acquire, "settle(_:)"),
    OrderedAccess(.compareExchange, .acquireRelease, "settle(_:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "park()", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "unpark()", stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "cancel()", stays: alike),
    OrderedAccess(.load, .acquire, "isUnlimited")),
  OrderedAccesses(
    "Weir/SubscriptionState.swift",
    OrderedAccess(.compareExchange, .acquireRelease, "beginActivation()", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "endActivation()", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "beginUse()", stays: alike),
    OrderedAccess(.add, .acquireRelease, "endUse()", stays: alike),
    OrderedAccess(.load, .acquire, "endLastUse()"),
    OrderedAccess(.compareExchange, .acquireRelease, "end(from:)", stays: alike)),
  OrderedAccesses(
    "Weir/OneShot.swift",
    OrderedAccess(.exchange, .acquireRelease, "fire()", stays: alike)),
  OrderedAccesses(
    "Weir/UpstreamSlot.swift",
    OrderedAccess(.exchange, .acquireRelease, "empty()", stays: alike)),
  OrderedAccesses(
    "Weir/Turnstile.swift",
    OrderedAccess(.compareExchange, .acquireRelease, "trust(_:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "pass(_:_:)", stays: orderedBefore),
    OrderedAccess(.store, .release, "pass(_:_:)", stays: orderedBefore)),
  OrderedAccesses(
    "Weir/GuardedClosures.swift",
    OrderedAccess(.compareExchange, .acquireRelease, "trust()", stays: alike),
    .lightBarrier("receive(_:unless:)", 0),
    OrderedAccess(.store, .release, "receive(_:unless:)", 1),
    .lightBarrier("receive(_:unless:)", 1),
    OrderedAccess(.store, .release, "finish(_:)", 1, stays: ownEnd),
    OrderedAccess(.add, .acquireRelease, "enter()", stays: alike),
    OrderedAccess(.add, .acquireRelease, "leave(saying:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "retireUnlessBusy()", stays: alike),
    OrderedAccess(.load, .acquire, "retireUnlessBusy()", 1),
    OrderedAccess(.load, .acquire, "address", stays: emptyOrFirst),
    OrderedAccess(.exchange, .acquireRelease, "release()", stays: alike)),
  OrderedAccesses(
    "Weir/PromiseCore.swift",
    OrderedAccess(.compareExchange, .acquireRelease, "demand(_:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "deliver(_:)", stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "deliver(_:)", 0, stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "deliver(_:)", 1, stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "end()", stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "drop()", stays: alike)),
  OrderedAccesses(
    "Weir/WorkInProgress.swift",
    OrderedAccess(.add, .acquireRelease, "raise(_:)", stays: alike),
    OrderedAccess(.add, .acquireRelease, "settle(_:)", stays: alike),
    OrderedAccess(.add, .acquireRelease, "settleNested(_:)", stays: alike)),
  OrderedAccesses(
    "Weir/EventLoop.swift",
    OrderedAccess(.add, .acquireRelease, "noteDropped()", 0, stays: alike),
    OrderedAccess(.add, .acquireRelease, "noteDropped()", 1, stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "abandon()", stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "shutDown()", stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "wake()", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "begin()", stays: alike),
    OrderedAccess(.store, .release, "leave()", stays: unwatched),
    OrderedAccess(.add, .acquireRelease, "collect()", stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "sleep(until:)", 0, stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "sleep(until:)", 1, stays: alike)),
  OrderedAccesses(
    "Weir/ShardedCore.swift",
    OrderedAccess(.load, .acquire, "takeNews()", stays: stampFirst),
    OrderedAccess(.load, .acquire, "takeLastNews()"),
    OrderedAccess(.compareExchange, .acquireRelease, "send(_:)", stays: alike),
    OrderedAccess(.add, .acquireRelease, "tell()", 0, stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "tell()", stays: alike),
    OrderedAccess(.add, .acquireRelease, "tell()", 1, stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "takeNote()", stays: alike)),
  OrderedAccesses(
    "Weir/MailboxLink.swift",
    OrderedAccess(.load, .acquire, "deliverLast(_:)", stays: refusedBehind),
    OrderedAccess(.load, .acquire, "leaveOutAll()", stays: countedUnderLock)),
  OrderedAccesses(
    "Weir/HopLink.swift",
    OrderedAccess(.load, .acquire, "runJob(_:)", stays: twoStaleReads)),
  OrderedAccesses(
    "Weir/RemoteLink.swift",
    OrderedAccess(.load, .acquire, "leaveOutAll()", stays: countedUnderLock),
    OrderedAccess(.load, .acquire, "runJob(_:)", stays: countedUnderLock)),
  OrderedAccesses(
    "Weir/TimedLink.swift",
    OrderedAccess(.load, .acquire, "runJob(_:)", stays: twoStaleReads)),
  OrderedAccesses(
    "Weir/TupleOffer.swift",
    OrderedAccess(.load, .acquire, "completesNone(_:)", stays: unwatched)),
  OrderedAccesses(
    "Weir/TupleLink.swift",
    OrderedAccess(.store, .release, "deliver(_:from:isNoted:)", 0, stays: unwatched)),
]

private let twoStaleReads = "order/mailbox-batch and order/timed-batch fail without it, with --stale 2 --bound 2"
private let refusedBehind = "the scheduler's refusal is acquired first, and promises what was sent before it was closed"
private let countedUnderLock = "what it counts is put in and taken out under a lock"
private let orderedBefore = "it finds calls at once, which are a mistake; others are ordered by who makes them"
private let stampFirst = "it only says how many may be taken; the slot's stamp is acquired with each"
private let emptyOrFirst = "it is what it was from the first, or 0, behind which nothing is read"
private let ownEnd = "who has ended the stream frees the closures itself, and nobody else looks"
