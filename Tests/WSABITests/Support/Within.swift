/// Returns the result of a task; nil if it does not end within a number of seconds, after which it is no longer
/// awaited.
func within<Value: Sendable>(_ seconds: Int, _ work: @escaping @Sendable () async -> Value) async -> Value? {
  let (values, feed) = AsyncStream.makeStream(of: Value.self)
  let working = Task {
    feed.yield(await work())
    feed.finish()
  }
  // Only the clock ends the wait for work without an end, which tests of faults report as a finding.
  let limit = Task {
    if (try? await Task.sleep(for: .seconds(seconds))) != nil { feed.finish() }
  }
  defer {
    working.cancel()
    limit.cancel()
  }
  var iterator = values.makeAsyncIterator()
  return await iterator.next()
}
