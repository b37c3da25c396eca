// Explores the interleavings of Weir's engine; see scripts/explore.
//
// To add a scenario, append a `Scenario` to one of the lists below: it makes what the threads share, adds up to four
// threads with `run.thread`, and says with `run.check` what they must leave behind. Payloads show what is lost, leaked
// or used after it was freed, `run.guarded` what two threads touch that nothing orders. To add a mutant, append a line
// to `mutants`: a behaviour and the file, function and operation that it replaces. An atomic access that asks for more
// than `relaxed` has a line in a list of `weakOrderings`. A thread that `mayFreeze` fails the run if another needs it.
// What is to be counted by scripts/checks/check-contention is a line of `contentionPrograms`.

import CExplorer
import WeirVerify

let scenarios =
  gateScenarios + ownedGateScenarios + waitingScenarios + reliefScenarios + contentionScenarios + ledgerScenarios
  + subjectScenarios
  + currentScenarios + subscriptionScenarios
  + sinkScenarios
  + queueScenarios + queueBatchScenarios + channelScenarios + mailboxScenarios + operatorScenarios + joinScenarios
  + eventLoopScenarios + shardScenarios
  + successionScenarios
  + replayScenarios + pullScenarios + promiseScenarios + roomScenarios + revivalScenarios + reservationScenarios
  + turnScenarios + frozenScenarios + orderScenarios
  + stateScenarios + historyScenarios + bagScenarios + contextScenarios + callOrderScenarios

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
  explorer_print(Options.usage + "\n")
  explorer_exit(64)
}
if options.lists {
  for name in scenarios.map(\.name) + (mutants + weakOrderings).map(\.name) where options.wants(name) {
    explorer_print(name + "\n")
  }
  explorer_exit(0)
}
guard explorerIsBuiltIn else {
  explorer_print("explore: built without the trait Verification, so there is nothing to explore: use scripts/explore\n")
  explorer_exit(69)
}
installSimulatedMachine()
prepareStates()
prepareWaiting()
if options.measuresContention {
  let all = options.filters.isEmpty ? contentionPrograms : contentionPrograms + plantedContention
  let programs = all.filter { options.wants($0.scenario.name) }
  guard !programs.isEmpty else {
    explorer_print("explore: no program of threads that meet has such a name\n")
    explorer_exit(1)
  }
  let figures = ContentionFigures(programs, seeds: options.firstSeed..<options.firstSeed &+ options.seedCount)
  explorer_exit(figures.print() == 0 ? 0 : 1)
}
var explorations = Explorations(options, scenarios)
guard let problems = explorations.run() else {
  explorer_print("explore: no scenario and no mutant has such a name\n")
  explorer_exit(1)
}
explorer_exit(problems == 0 ? 0 : 1)
