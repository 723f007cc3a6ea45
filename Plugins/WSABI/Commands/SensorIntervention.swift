import PluginAPI

/// An operation on a sensor in use by another client.
///
/// The audit log records its outcome in every case.
enum SensorIntervention {
  /// Cancels an operation that another client began.
  case cancel
  /// Steals the lock from its holder.
  case steal

  /// Carries out the operation, and logs it.
  ///
  /// A separate task logs the event, so that a requested operation is logged even if the user cancels.
  /// - Parameters:
  ///   - item: The item for which the other captures, where that is known.
  ///   - tell: Writes to the audit log.
  ///   - act: Sends the request to the sensor.
  func told(
    at address: SensorAddress, item: Int? = nil, by tell: @escaping @Sendable (AuditEvent) async throws -> Void,
    _ act: () async throws -> SensorAnswer
  ) async throws -> SensorAnswer {
    func tellInTime(_ outcome: String) async throws {
      let told = event(outcome, address, item)
      try await Task { try await tell(told) }.value
    }
    let answer: SensorAnswer
    do {
      answer = try await act()
    } catch {
      // It may have happened all the same.
      try await tellInTime(outcome(error))
      throw error
    }
    try await tellInTime(answer.status.auditWord)
    return answer
  }

  private func event(_ outcome: String, _ address: SensorAddress, _ item: Int?) -> AuditEvent {
    switch self {
    case .cancel: AuditEvent(.sensorUsed, item: item, address: address.text, outcome: "cancel: \(outcome)")
    case .steal:
      AuditEvent(
        .sensorStolen, item: item, address: address.text,
        outcome: outcome == OperationStatus.success.auditWord ? "" : outcome)
    }
  }

  /// Returns the audit text of an operation that failed, made from the protocol's status without the service's message.
  private func outcome(_ error: any Error) -> String {
    if let refusal = error as? SensorRefusal { return refusal.status.auditWord }
    if let fault = error as? SensorFault, !fault.mayHaveHappened, fault.operation == operation { return "not asked" }
    return "unknown: no answer"
  }

  private var operation: SensorOperation {
    switch self {
    case .cancel: .cancel
    case .steal: .stealLock
    }
  }
}
