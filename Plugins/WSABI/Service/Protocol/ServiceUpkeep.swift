/// The work that this process does for a service that it serves itself.
struct ServiceUpkeep: Sendable {
  /// Serves the service if it is not served yet; returns the reason it cannot be, nil if it is served or another
  /// process may serve it.
  var prepare: @Sendable () -> SensorFault.Kind?
  /// Returns a more specific fault than the network reports.
  var explain: @Sendable (SensorFault.Kind) -> SensorFault.Kind = { $0 }
}
