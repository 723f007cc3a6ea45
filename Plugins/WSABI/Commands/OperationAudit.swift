import PluginAPI

/// The audit log of the station, as far as it has a store, for single operations that touch data of people.
struct OperationAudit: Sendable {
  /// Nil if there is no store.
  private let records: RecordStore?
  private let call: CommandCall

  /// The options that open the store.
  static let options: [any CommandInput] = [StationKey.option, StationKey.standardInput]

  /// Opens the store if there is one, and checks the permission of its user.
  ///
  /// - Throws: ``VaultError`` without the permission, ``StationError/keyNeeded`` if the key cannot be requested.
  init(_ call: CommandCall, _ station: Station, for permission: Permission) async throws {
    self.call = call
    guard station.records(call.context).exists else {
      records = nil
      call.warn(
        Diagnostic(.note, code: "wsabi.not-audited", "there is no store here, and so no audit log that tells of it"))
      return
    }
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
    try await records.checkPermission(permission)
    try await key.confirm(records, permission)
    self.records = records
  }

  /// Logs an event before it happens; if logging fails, the operation must not start.
  func tell(_ event: AuditEvent) async throws { try await records?.append(event) }

  /// Records that a lock is about to be requested, so that no lock is left at its sensor without a way to release it.
  func willLock(_ lock: HeldLock) async throws { try await records?.willLock(lock) }

  /// Writes that a lock was refused.
  func didNotLock(_ lock: HeldLock) async {
    records?.didUnlock(lock)
    await records?.settleLocks()
  }

  /// Leaves a lock that was stolen to the next capture at its sensor.
  ///
  /// - Returns: True if a store knows it.
  func handOver(_ lock: HeldLock) async throws -> Bool {
    try await records?.handOver(lock)
    return records != nil
  }

  /// Logs events afterwards; their result is not lost if logging fails.
  func tellAfterwards(_ events: [AuditEvent]) async {
    do {
      for event in events { try await records?.append(event) }
    } catch {
      let reason = (error as? any ReportableError)?.report.message ?? "it cannot be written"
      call.warn(Diagnostic(.warning, code: "wsabi.not-audited", "the audit log does not tell how it ended: \(reason)"))
    }
  }
}

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
