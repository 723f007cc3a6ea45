/// Yields until a condition holds; otherwise the time limit of the suite ends the wait.
func until(_ isSo: () -> Bool) async { while !isSo() { await Task.yield() } }
