// The atomic accesses of gates.

import WeirVerify

let gateOrderings = [
  OrderedAccesses(
    "Weir/Gate.swift",
    OrderedAccess(.load, .acquire, "deinit", 0, stays: alone),
    OrderedAccess(.load, .acquire, "deinit", 1, stays: alone),
    OrderedAccess(.compareExchange, .acquireRelease, "tryEnterShared()", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "tryEnterMarked(_:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "leaveWord(_:)", stays: alike),
    OrderedAccess(.add, .acquireRelease, "noteQueued()", 0),
    OrderedAccess(.add, .acquireRelease, "noteQueued()", 1, stays: alike),
    OrderedAccess(.add, .acquireRelease, "takeHandedOver(_:)", stays: alike),
    OrderedAccess(.load, .acquire, "depth"),
    OrderedAccess(.load, .acquire, "withQueue(_:)"),
    OrderedAccess(.compareExchange, .acquireRelease, "install(_:in:)")),
  OrderedAccesses(
    "Weir/GateOwnership.swift",
    OrderedAccess(.load, .acquire, "enterOwned(_:)", 1, stays: noHeirs),
    .lightBarrier("enterOwned(_:)"),
    OrderedAccess(.store, .release, "leaveOwned(_:)"),
    .lightBarrier("leaveOwned(_:)"),
    OrderedAccess(.exchange, .acquireRelease, "claim(_:)", stays: alike),
    OrderedAccess(.add, .acquireRelease, "claim(_:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "claim(_:)", 0, stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "claim(_:)", 1, stays: alike),
    OrderedAccess(.load, .acquire, "revoke(_:)", 0, stays: barrierBehind),
    OrderedAccess(.compareExchange, .acquireRelease, "revoke(_:)", 0, stays: alike),
    OrderedAccess(.load, .acquire, "revoke(_:)", 1),
    OrderedAccess(.compareExchange, .acquireRelease, "revoke(_:)", 1, stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "enterRevoked(_:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "leaveRevoked(_:)", stays: alike)),
  OrderedAccesses(
    "Weir/GateWaiting.swift",
    OrderedAccess(.add, .acquireRelease, "sleep(_:since:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "join(_:_:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "leaveMarked(_:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "letNextIn()", stays: alike),
    OrderedAccess(.add, .acquireRelease, "whileHeld(_:)", 0, stays: alike),
    OrderedAccess(.add, .acquireRelease, "whileHeld(_:)", 1, stays: alike),
    OrderedAccess(.load, .acquire, "outlastLookers()", stays: unwatched),
    OrderedAccess(.load, .acquire, "number(of:in:)", stays: callFirst),
    OrderedAccess(.add, .acquireRelease, "number(of:in:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "number(of:in:)", stays: alike),
    OrderedAccess(.load, .acquire, "withLine(_:)", stays: unwatched)),
  OrderedAccesses(
    "Weir/GateRelief.swift",
    OrderedAccess(.add, .acquireRelease, "takeHandedOver(within:orElse:_:)", stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "passOn()", 0, stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "passOn()", 1, stays: alike),
    OrderedAccess(.compareExchange, .acquireRelease, "giveAway(_:)", stays: alike),
    OrderedAccess(.exchange, .acquireRelease, "name(_:)", stays: alike)),
]

private let noHeirs = "no thread of the explorer gets the identity of one that has ended"
private let barrierBehind = "the exchange or the barrier behind it orders what is read then"
private let callFirst = "the mark in `calling` is acquired first, and the number was raised before it"
