// The subscribers that have a place in the graph of live subscriptions, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

#if WEIR_INSPECTION
  import Weir

  extension IgnoreFailureSubscriber: InspectedSubscriber {}
  extension KeptUnasked: InspectedSubscriber {}
  extension LateFailureSubscriber: InspectedSubscriber {}
  extension BindingSubscriber: InspectedSubscriber {}
  extension CapturingSubscriber: InspectedSubscriber {}
#endif
