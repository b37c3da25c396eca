// What programs to be explored are written on comes with the module that explores them.

@_exported import WeirQueues
