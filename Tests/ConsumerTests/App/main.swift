// Everything once, in order, on the run loop that timers and the main queue need.

import Foundation

Task { @MainActor in
  signUp()
  notifications()
  eventBus()
  await search()
  await clock()
  await bridges()
  await network()
  exit(0)
}
RunLoop.main.run()
