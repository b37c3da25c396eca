// The atomic accesses of inspection, metrics and rules of states, none of which orders anything: no mutants.

import WeirVerify

let observerOrderings = [
  OrderedAccesses(
    "WeirQueues/InspectionSwitch.swift",
    OrderedAccess(.load, .relaxed, "isInspectionOn"),
    OrderedAccess(.store, .relaxed, "isInspectionOn")),
  OrderedAccesses(
    "Weir/Inspection.swift",
    OrderedAccess(.load, .relaxed, "tellsFailures"),
    OrderedAccess(.store, .relaxed, "tellsFailures")),
  OrderedAccesses(
    "Weir/InspectedEdge.swift",
    OrderedAccess(.load, .relaxed, "droppedCount")),
  OrderedAccesses(
    "Weir/BufferLink.swift",
    OrderedAccess(.load, .relaxed, "noteLoss()"),
    OrderedAccess(.store, .relaxed, "noteLoss()")),
  OrderedAccesses(
    "Weir/InspectedSubscription.swift",
    OrderedAccess(.store, .relaxed, "make(_:_:at:leadingTo:from:feeding:subscriber:)"),
    OrderedAccess(.load, .relaxed, "noteValue()"),
    OrderedAccess(.store, .relaxed, "noteValue()"),
    OrderedAccess(.load, .relaxed, "noteReturn()"),
    OrderedAccess(.store, .relaxed, "noteReturn()"),
    OrderedAccess(.load, .relaxed, "mayBeTimed(_:isWithinTimed:)", 0),
    OrderedAccess(.load, .relaxed, "mayBeTimed(_:isWithinTimed:)", 1),
    OrderedAccess(.load, .relaxed, "mayBeTimed(_:isWithinTimed:)", 2),
    OrderedAccess(.load, .relaxed, "beginTiming(_:)"),
    OrderedAccess(.store, .relaxed, "beginTiming(_:)"),
    OrderedAccess(.store, .relaxed, "expect(_:sentAt:)"),
    OrderedAccess(.load, .relaxed, "takeExpected(_:)"),
    OrderedAccess(.store, .relaxed, "takeExpected(_:)"),
    OrderedAccess(.store, .relaxed, "wantTiming()"),
    OrderedAccess(.load, .relaxed, "delivered"),
    OrderedAccess(.load, .relaxed, "isTaking")),
  OrderedAccesses(
    "WeirExtras/StreamTally.swift",
    OrderedAccess(.load, .relaxed, "values"),
    OrderedAccess(.load, .relaxed, "begin()", 0),
    OrderedAccess(.load, .relaxed, "begin()", 1),
    OrderedAccess(.store, .relaxed, "begin()"),
    OrderedAccess(.load, .relaxed, "begin()", 2),
    OrderedAccess(.load, .relaxed, "finish()"),
    OrderedAccess(.load, .relaxed, "refuse()"),
    OrderedAccess(.load, .relaxed, "enter()"),
    OrderedAccess(.store, .relaxed, "enter()", 0),
    OrderedAccess(.store, .relaxed, "enter()", 1),
    OrderedAccess(.load, .relaxed, "leave()", 0),
    OrderedAccess(.store, .relaxed, "leave()"),
    OrderedAccess(.load, .relaxed, "leave()", 1),
    OrderedAccess(.store, .relaxed, "end(_:)")),
  OrderedAccesses(
    "WeirState/RulesSubject.swift",
    OrderedAccess(.store, .relaxed, "offer(_:_:)"),
    OrderedAccess(.load, .relaxed, "send(_:after:)"),
    OrderedAccess(.load, .relaxed, "catchUp(_:adding:)")),
]
