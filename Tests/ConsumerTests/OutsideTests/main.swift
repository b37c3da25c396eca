// A program that runs no test and uses what fails a test: nobody is told, nothing runs, and the program goes on.

import Weir
import WeirTesting

let scheduler = UnimplementedScheduler("main")
var runs = 0
scheduler.schedule { runs += 1 }
scheduler.schedule(after: VirtualTime(), tolerance: .zero) { runs += 1 }
scheduler.schedule(after: VirtualTime(), interval: .seconds(1), tolerance: .zero) { runs += 1 }.cancel()
let token = [1, 2].publisher.receive(on: scheduler).sink { _ in runs += 1 }
precondition(scheduler.now == VirtualTime() && scheduler.minimumTolerance == .zero)
precondition(runs == 0)
withExtendedLifetime(token) {}
print("UnimplementedScheduler: nothing runs, and nobody is told")
