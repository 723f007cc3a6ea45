/// When a server that is too busy is asked again.
struct RPCBackOff: Sendable {
  /// The waiting times in seconds, one for each repetition.
  var delaysInSeconds: [Double] = [1, 2, 4]
  /// What is added to a waiting time so that many clients do not come back together, by the time.
  var jitter: @Sendable (Double) -> Double = { Double.random(in: 0...(0.25 * $0)) }
  /// Waits so many seconds; ends soon with `CancellationError` if the task is cancelled.
  var wait: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .milliseconds(Int64($0 * 1000))) }
}
