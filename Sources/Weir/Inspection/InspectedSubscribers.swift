// The subscribers that have a place in the graph of live subscriptions, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

#if WEIR_INSPECTION
  // One value in, at most one out.
  extension StatelessSubscriber: InspectedSubscriber {}
  extension StageSubscriber: InspectedSubscriber {}
  extension SignalSubscriber: InspectedSubscriber {}
  extension DueSubscriber: InspectedSubscriber {}
  extension TapSubscriber: InspectedSubscriber {}
  extension LinkedSubscriber: InspectedSubscriber {
    @inlinable package var leadsTo: InspectedSubscription? { (downstream as? any InspectionEdge)?.record }
  }
  extension CheckpointSubscriber: InspectedSubscriber {}
  extension DropSubscriber: InspectedSubscriber {}
  extension BufferSubscriber: InspectedSubscriber {}

  // In time.
  extension HopLink: InspectedSubscriber {}
  extension TimedLink: InspectedSubscriber {}

  // Several streams.
  extension OuterSubscriber: InspectedSubscriber {}
  extension LaneSubscriber: InspectedSubscriber {}
  extension EarlyLaneSubscriber: InspectedSubscriber {}
  extension ExhaustSubscriber: InspectedSubscriber {}
  extension TupleLaneSubscriber: InspectedSubscriber {}
  extension SideStreamSubscriber: InspectedSubscriber {}
  extension TriggerSubscriber: InspectedSubscriber {}
  extension LatestFromSubscriber: InspectedSubscriber {}
  extension LatestFromOther: InspectedSubscriber {}
  extension FirstSubscriber: InspectedSubscriber {}
  extension LastSubscriber: InspectedSubscriber {}
  extension RevivalSubscriber: InspectedSubscriber {
    @inlinable package var leadsTo: InspectedSubscription? { (downstream as? any InspectionEdge)?.record }
  }
  extension RetrySubscriber: InspectedSubscriber {
    @inlinable package var leadsTo: InspectedSubscription? { (downstream as? any InspectionEdge)?.record }
  }
  extension AutoconnectSubscriber: InspectedSubscriber {}
  extension ReplayFeed: InspectedSubscriber {}

  // A subscriber whose type is erased: within a stream, if one is being attached.
  extension AnySubscriber: InspectedSubscriber {}

  // Ends.
  extension Subscribers.Sink: InspectedSubscriber {
    @inlinable package static var isEndOfStream: Bool { true }
  }
  extension Subscribers.Assign: InspectedSubscriber {
    @inlinable package static var isEndOfStream: Bool { true }
  }
  extension PullSubscriber: InspectedSubscriber {
    @inlinable package static var isEndOfStream: Bool { true }
  }
  extension SubjectSubscriber: InspectedSubscriber {
    @inlinable package static var isEndOfStream: Bool { true }
    @inlinable package var fedSubject: AnyObject? { subject }
  }
#endif
