/// The retries of requests to a busy server.
struct RPCBackOff: Sendable {
  /// The delays in seconds, one for each retry.
  var delaysInSeconds: [Double] = [1, 2, 4]
  /// The random time added to a delay, so that many clients do not return together.
  var jitter: @Sendable (Double) -> Double = { Double.random(in: 0...(0.25 * $0)) }
  /// Waits for a number of seconds; ends soon with `CancellationError` if the task is canceled.
  var wait: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .milliseconds(Int64($0 * 1000))) }
}
