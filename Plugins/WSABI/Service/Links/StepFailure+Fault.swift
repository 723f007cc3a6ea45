import PluginAPI

extension StepFailure {
  /// Creates the failure of a step from a fault of the connection.
  init(_ fault: SensorFault, _ request: SensorRequest) {
    if case .status(404) = fault.kind, request.session != nil {
      self.init(reach: .unknownAddress, reason: fault.report.message)
    } else {
      self.init(reach: fault.mayHaveHappened ? .unknown : .notSent, reason: fault.report.message)
    }
  }
}
