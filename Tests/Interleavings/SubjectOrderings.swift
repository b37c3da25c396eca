// The atomic accesses of subjects and of what replays.

import WeirVerify

let subjectOrderings = [
  OrderedAccesses(
    "Weir/SubjectCore.swift",
    OrderedAccess(.store, .release, "deliver(_:at:)"),
    OrderedAccess(.store, .release, "complete(_:)", stays: isEnd),
    OrderedAccess(.store, .release, "join(_:to:)", stays: isEnd),
    OrderedAccess(.store, .release, "leave()"),
    OrderedAccess(.store, .release, "settle(asHelper:)")),
  OrderedAccesses(
    "Weir/SubjectCalls.swift",
    OrderedAccess(.store, .release, "callWithin(_:)", 0),
    OrderedAccess(.store, .release, "callWithin(_:)", 1),
    OrderedAccess(.load, .acquire, "callInVain(_:)", 0),
    OrderedAccess(.load, .acquire, "callInVain(_:)", 1, stays: newLink),
    OrderedAccess(.load, .acquire, "callInVain(_:)", 2, stays: newLink),
    OrderedAccess(.store, .release, "beginOuterCall(_:)", 0, stays: newLink),
    OrderedAccess(.store, .release, "beginOuterCall(_:)", 1),
    OrderedAccess(.store, .release, "endOuterCall(_:)"),
    OrderedAccess(.load, .acquire, "isCalling(_:)", 0),
    OrderedAccess(.load, .acquire, "isCalling(_:)", 1),
    OrderedAccess(.load, .acquire, "isCalling(_:)", 2),
    OrderedAccess(.load, .acquire, "isCalling(_:)", 3, stays: newLink)),
  OrderedAccesses(
    "Weir/SubjectLink.swift",
    OrderedAccess(.exchange, .acquireRelease, "goDirect()", 0, stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "goDirect()", 1, stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "stopDirect()", stays: alike)),
  OrderedAccesses(
    "Weir/SubjectTurn.swift",
    OrderedAccess(.load, .sequentiallyConsistent, "isBehind"),
    .lightBarrier("mayBeCalledHere"),
    OrderedAccess(.load, .acquire, "mayBeCalledHere"),
    OrderedAccess(.exchange, .sequentiallyConsistent, "takeOrMiss(_:)"),
    OrderedAccess(.compareExchange, .acquireRelease, "noteSeen(_:)", stays: alike),
    OrderedAccess(.exchange, .sequentiallyConsistent, "awaitTurn(forValue:)", 0),
    OrderedAccess(.exchange, .acquireRelease, "awaitTurn(forValue:)", 1, stays: alike),
    OrderedAccess(.load, .acquire, "awaitTurn()"),
    OrderedAccess(.load, .acquire, "mark(_:)", stays: unwatched),
    OrderedAccess(.compareExchange, .acquireRelease, "mark(_:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "endTurn()", stays: alike),
    OrderedAccess(.load, .acquire, "endMarkedTurn()", stays: unwatched),
    OrderedAccess(.compareExchange, .acquireRelease, "endMarkedTurn()", 0, stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "endMarkedTurn()", 1, stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "retireTarget()", stays: alike),
    OrderedAccess(.store, .release, "catchUpInside(_:)", 0, stays: newLink),
    OrderedAccess(.store, .release, "catchUpInside(_:)", 1),
    OrderedAccess(.compareExchange, .acquireRelease, "catchUpOutside(_:adding:)", stays: alike),
    OrderedAccess(.load, .sequentiallyConsistent, "catchUp(_:)")),
  OrderedAccesses(
    "Weir/LatestValue.swift",
    OrderedAccess(.store, .release, "updateInside(_:_:)")),
  OrderedAccesses(
    "Weir/ReplayCore.swift",
    OrderedAccess(.store, .release, "settle(asHelper:)"),
    OrderedAccess(.store, .release, "process(_:)", 0, stays: underLock),
    OrderedAccess(.store, .release, "process(_:)", 1, stays: unwatched),
    OrderedAccess(.store, .release, "serve(_:)", stays: noCall),
    OrderedAccess(.store, .release, "beginCall(_:)"),
    .lightBarrier("beginCall(_:)"),
    OrderedAccess(.load, .acquire, "beginCall(_:)"),
    OrderedAccess(.store, .release, "endCall(_:)"),
    .lightBarrier("endCall(_:)")),
  OrderedAccesses(
    "Weir/ReplayTurn.swift",
    OrderedAccess(.load, .acquire, "mark(_:)", stays: unwatched),
    OrderedAccess(.compareExchange, .acquireRelease, "mark(_:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "retireSubscriber()", stays: alike),
    OrderedAccess(.load, .acquire, "nobodyTakes(_:_:)"),
    OrderedAccess(.load, .acquire, "awaitTurn(of:)"),
    OrderedAccess(.compareExchange, .acquireRelease, "serveOutside(_:adding:)", stays: alike),
    OrderedAccess(.load, .acquire, "isCalling(_:)"),
    OrderedAccess(.load, .acquire, "end(_:_:)", stays: unwatched),
    OrderedAccess(.load, .acquire, "nextDelivered(_:_:)", stays: underLock),
    OrderedAccess(.compareExchange, .acquireRelease, "endTurn(of:isAlone:)", stays: alike),
    OrderedAccess(.load, .acquire, "endMarkedTurn(of:_:)", stays: exchangeBehind),
    OrderedAccess(.compareExchange, .acquireRelease, "endMarkedTurn(of:_:)", 0, stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "endMarkedTurn(of:_:)", 1, stays: alike)),
]

/// Who looks at whom the holder calls reads addresses of links, each released with the link.
private let newLink = "it leads to a link that was made meanwhile, whose fields the explorer does not watch"
private let isEnd = "the stream has ended: what comes then is dropped, whether its sender waits or not"
private let noCall = "nobody was called since the store before it"
private let underLock = "the values are read under the lock that they were stored under"
private let exchangeBehind = "the exchange behind it acquires, before anything else is read"
