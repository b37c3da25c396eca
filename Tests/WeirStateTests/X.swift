// Placeholder of tests: it goes.
