/// Lets others go on until something is so; the time limit of the suite ends it otherwise.
func until(_ isSo: () -> Bool) async { while !isSo() { await Task.yield() } }
