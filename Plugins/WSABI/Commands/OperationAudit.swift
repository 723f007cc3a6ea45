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
