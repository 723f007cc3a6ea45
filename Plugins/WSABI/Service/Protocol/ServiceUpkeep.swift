/// The work that this process does for a service that it serves itself.
struct ServiceUpkeep: Sendable {
  /// Serves it if it is not served yet; why that cannot be, nil if it is served or somebody else may.
  var prepare: @Sendable () -> SensorFault.Kind?
  /// Says what is wrong in better words than the network has.
  var explain: @Sendable (SensorFault.Kind) -> SensorFault.Kind = { $0 }
}
