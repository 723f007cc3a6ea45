import PluginAPI
import Synchronization

/// A single operation of a sensor, with the session of the call or a temporary one.
final class SensorTalk: Sendable {
  let address: SensorAddress
  let information: ServiceInformation
  private let call: CommandCall
  private let connection: SensorConnection
  private let operation: SensorOperation
  /// The session of the request; nil if none is needed.
  let session: SensorUUID?
  /// True if the session ends with this operation.
  private let isOwnSession: Bool
  private let capture: SensorUUID?

  /// - Parameters:
  ///   - left: The session of a run that was killed, which is ended after the operation like a temporary one.
  ///   - capture: The id of the captured data to request, if any.
  init(
    _ call: CommandCall, _ station: Station, _ operation: SensorOperation, left: SensorUUID? = nil,
    capture: SensorUUID? = nil
  ) async throws {
    self.capture = capture
    let text = call[ProtocolCommands.session] ?? ""
    if [.unlock, .unregister].contains(operation), left == nil, text.isEmpty {
      throw StationError.sessionNeeded(operation)
    }
    connection = try station.connection(call)
    address = connection.address
    self.call = call
    self.operation = operation
    information = try await connection.serviceInformation(deadlineInSeconds: 10)
    if let left {
      (session, isOwnSession) = (left, true)
    } else if operation.needsSession, text.isEmpty {
      let response = try await connection.ask(SensorRequest(.register))
      guard response.status == .success else { throw SensorRefusal(.register, response, at: address) }
      (session, isOwnSession) = (response.sessionID, true)
    } else if operation.needsSession {
      guard let given = SensorUUID(text) else { throw StationError.badID(text, of: "a session") }
      (session, isOwnSession) = (given, false)
    } else {
      (session, isOwnSession) = (nil, false)
    }
  }

  /// Runs the operation, emits the result, and ends a session that is no longer needed.
  func finish<Output: Model>(keepsSession: Bool, _ body: () async throws -> Output) async throws {
    do {
      let result = try await body()
      // Emitted first: the result may name ids that cannot be found again.
      try await Task { [call] in try await call.emit(result) }.value
      // A canceled operation releases its session too.
      if !keepsSession { await Task { await leave() }.value }
    } catch {
      let mustCancel = operation.isOfSensor && (error as? SensorFault).map { $0.reach == .unknown } ?? false
      // In a separate task: this one may be canceled, and the sensor must not stay locked or busy for no one.
      await Task {
        if mustCancel, let session {
          _ = try? await connection.ask(SensorRequest(.cancel, session: session, deadlineInSeconds: 5))
        }
        await leave()
      }.value
      throw error
    }
  }

  /// Acquires the lock for the operation if it needs one and the session is its own.
  func prepare() async throws {
    if operation.needsLock, isOwnSession { try await ask(.tryLock) }
  }

  /// Requests the operation, with the lock if it needs one, and returns the response as emitted.
  func asked(_ configuration: WireDictionary?) async throws -> SensorResponse {
    try await prepare()
    let stopwatch = Stopwatch()
    let reply = try await ask(operation, configuration)
    return response(reply, milliseconds: stopwatch.milliseconds)
  }

  /// Returns a response as emitted.
  ///
  /// - Parameter milliseconds: The time to the response.
  func response(_ reply: SensorAnswer, milliseconds: Double) -> SensorResponse {
    let isOpen = operation == .register || (session != nil && operation != .unregister)
    let own = operation == .register ? reply.sessionID : session
    let keeps = [.register, .tryLock, .stealLock, .beginCapture].contains(operation) || !isOwnSession
    return SensorResponse(
      address: address, operation: operation, answer: reply, session: isOpen && keeps ? own : nil,
      milliseconds: milliseconds)
  }

  /// Requests an operation.
  ///
  /// - Throws: ``SensorRefusal`` for a status other than success.
  @discardableResult
  func ask(_ operation: SensorOperation, _ configuration: WireDictionary? = nil) async throws -> SensorAnswer {
    var request = SensorRequest(operation, session: operation.needsSession ? session : nil, capture: capture)
    request.configuration = configuration
    var response = operation.isOfSensor ? try await askOfSensor(request) : try await connection.ask(request)
    if operation == .stealLock, response.status == .failure, !information.stealingWords.isEmpty {
      response.message += response.message.isEmpty ? information.stealingWords : "; \(information.stealingWords)"
    }
    guard response.status == .success else { throw SensorRefusal(operation, response, at: address) }
    return response
  }

  private static let marginInSeconds = 15.0

  /// Returns the service's timeout for an operation, in seconds.
  private func seconds(of operation: SensorOperation) -> Double {
    Double(information.timeoutInMilliseconds(of: operation)) / 1000
  }

  /// Requests captures; the response may name captured data even after a cancel.
  ///
  /// - Returns: The response, whatever its status.
  func askForCaptures() async throws -> SensorAnswer {
    try await askOfSensor(SensorRequest(operation, session: session))
  }

  /// Requests an operation of the sensor itself.
  ///
  /// If it takes too long, or the user cancels, cancel requests are sent on a second connection, repeatedly, as a
  /// hanging service may react to a later one. The response is still awaited: it may carry the ids of a capture that
  /// happened nevertheless, and its data cannot be found without them.
  private func askOfSensor(_ request: SensorRequest) async throws -> SensorAnswer {
    var request = request
    request.deadlineInSeconds = seconds(of: request.operation) + 2 * Self.marginInSeconds
    let asking = Task { [connection, request] in try await connection.ask(request) }
    let limit = Task { [self, wait = seconds(of: request.operation) + 5] in
      guard (try? await Task.sleep(for: .seconds(wait))) != nil else { return }
      await cancel(asking)
    }
    let giving = Mutex<Task<Void, Never>?>(nil)
    let result = await withTaskCancellationHandler {
      await asking.result
    } onCancel: {
      giving.withLock { $0 = Task { await cancel(asking) } }
    }
    // A cancel in progress could end the next request of the session.
    for canceling in [limit, giving.withLock { $0 }] {
      canceling?.cancel()
      await canceling?.value
    }
    return try result.get()
  }

  /// Sends cancel requests to the sensor until the requesting task ends, which cancels this one; then gives up the
  /// response.
  private func cancel(_ asking: Task<SensorAnswer, any Error>) async {
    let request = SensorRequest(.cancel, session: session, deadlineInSeconds: 5)
    for _ in 0..<Self.cancelAttempts {
      if Task.isCancelled { return }
      // In a separate task: a request already sent is awaited, even if its response is no longer needed.
      _ = await Task { [connection] in try? await connection.ask(request) }.value
      let pause = Self.marginInSeconds / Double(Self.cancelAttempts)
      guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
    }
    asking.cancel()
  }

  private static let cancelAttempts = 5

  /// Releases a temporary session.
  private func leave() async {
    guard isOwnSession, let session else { return }
    if operation.needsLock || operation == .tryLock || operation == .stealLock {
      _ = try? await connection.ask(SensorRequest(.unlock, session: session, deadlineInSeconds: 5))
    }
    _ = try? await connection.ask(SensorRequest(.unregister, session: session, deadlineInSeconds: 5))
  }
}

extension SensorRefusal {
  init(_ operation: SensorOperation, _ response: SensorAnswer, at address: SensorAddress) {
    self.init(
      operation: operation, address: address, status: response.status, message: response.message,
      badFields: response.badFields)
  }
}

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
        Diagnostic(.note, code: "wsabi.not-audited", "the audit log does not record this, as there is no store"))
      return
    }
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station, for: permission)
    try await records.checkPermission(permission)
    try await key.confirm(records, permission)
    self.records = records
  }

  /// Logs an event before it happens; if logging fails, the operation must not start.
  func log(_ event: AuditEvent) async throws { try await records?.append(event) }

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
  func logAfterwards(_ events: [AuditEvent]) async {
    do {
      for event in events { try await records?.append(event) }
    } catch {
      let reason = (error as? any ReportableError)?.report.message ?? "cannot write to it"
      call.warn(Diagnostic(.warning, code: "wsabi.not-audited", "the audit log does not record the outcome: \(reason)"))
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
  ///   - item: The item for which the other client captures, if known.
  ///   - log: Writes to the audit log.
  ///   - request: Sends the request to the sensor.
  func perform(
    at address: SensorAddress, item: Int? = nil, logging log: @escaping @Sendable (AuditEvent) async throws -> Void,
    _ request: () async throws -> SensorAnswer
  ) async throws -> SensorAnswer {
    func logInTime(_ outcome: String) async throws {
      let event = event(outcome, address, item)
      try await Task { try await log(event) }.value
    }
    let response: SensorAnswer
    do {
      response = try await request()
    } catch {
      // It may have happened all the same.
      try await logInTime(outcome(error))
      throw error
    }
    try await logInTime(response.status.auditWord)
    return response
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
