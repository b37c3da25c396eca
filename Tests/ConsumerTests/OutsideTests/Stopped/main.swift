// A program without a library for tests, which fails a test: compiled with WeirTesting's TestLocation.swift.

reportTestFailure(
  "the unimplemented scheduler 'main' was used",
  at: TestLocation(fileID: "Stopped/main.swift", filePath: "Stopped/main.swift", line: 3, column: 1))
print("it went on")
