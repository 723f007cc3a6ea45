extension SensorConnection {
  /// Follows a live preview until it ends, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - resource: What the service says of it.
  ///   - session: The session that holds the lock, which streams of some services need in their address.
  ///   - onFrame: Takes the newest picture, on the thread of all transfers: it must be quick and never wait.
  /// - Returns: How many pictures came; 0 where a service shows them only to the holder of the lock.
  @discardableResult
  func preview(
    _ resource: WireResource, session: SensorUUID?, onFrame: @escaping @Sendable (PreviewFrame) -> Void
  ) async throws(SensorFault) -> Int {
    throw SensorFault(.offline, .notSent, .stream, host: address.host)
  }
}
