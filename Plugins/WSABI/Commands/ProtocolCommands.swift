import PluginAPI

/// Commands for single operations of the protocol, for testing sensors and for getting one out of a bad state.
enum ProtocolCommands {
  static let all: [WSABICommand] = plain.map(command) + [steal]

  /// An operation as a command.
  private struct Offer: Sendable {
    var name: String
    var operation: SensorOperation
    var summary: String
    var example: String
    /// Whether a session that was begun for it is left open.
    var keepsSession = false
    var takesSettings = false

    /// Whether it gives back what a session has, which one begun for it would not have.
    var wantsSession: Bool { [.unlock, .unregister].contains(operation) }
    /// What stands behind the address in the example.
    var exampleOptions: String { wantsSession ? " --session 01234567-89ab-cdef-0123-456789abcdef" : "" }
  }

  private static let plain: [Offer] = [
    Offer(
      name: "register", operation: .register, summary: "begins a session at a sensor",
      example: "a session to go on with", keepsSession: true),
    Offer(
      name: "unregister", operation: .unregister, summary: "ends a session, which gives its lock back",
      example: "the end of a session"),
    Offer(
      name: "lock", operation: .tryLock, summary: "takes the lock of a sensor", example: "a lock that stays",
      keepsSession: true),
    Offer(name: "unlock", operation: .unlock, summary: "gives the lock of a sensor back", example: "a lock given back"),
    Offer(
      name: "initialize", operation: .initialize, summary: "gets a sensor ready to capture", example: "a warm sensor"),
    Offer(
      name: "uninitialize", operation: .uninitialize, summary: "puts a sensor at rest", example: "a sensor at rest"),
    Offer(
      name: "configuration", operation: .getConfiguration, summary: "says what a sensor is set to",
      example: "how it is set"),
    Offer(
      name: "configure", operation: .setConfiguration, summary: "sets a sensor", example: "how it shall capture",
      takesSettings: true),
    Offer(name: "status", operation: .getSensorStatus, summary: "says what a sensor does now", example: "what it does"),
    Offer(
      name: "cancel", operation: .cancel, summary: "cancels what a sensor does for a session",
      example: "a capture ended"),
  ]

  private static let session = Parameter(
    "session", .text, "the session to ask with, as 'sensor register' or 'sensor lock' gave it")

  private static let settings = Parameter("set", .text, "a setting, as KEY=VALUE", isRepeatable: true)

  private static let fields: [ValueSchema.Field] = [
    .init("address", .text, "the sensor"), .init("operation", .text, "what was asked"),
    .init("status", .text, "the word of the protocol"),
    .init("session", .optional(.text), "the session, where it is still open; it is a secret of whoever has it"),
    .init("metadata", .map(.text), "what the sensor says"), .init("message", .text, "what it says to people"),
    .init("milliseconds", .number, "the time to its answer"),
  ]

  /// What is said of the session.
  private static func sentence(_ offer: Offer) -> String {
    if offer.wantsSession { return "It needs the session meant, as 'sensor register' or 'sensor lock' told it." }
    guard offer.operation.needsSession else { return "No lock is taken." }
    return "Without a session one is begun" + (offer.operation.needsLock ? ", the lock taken," : "")
      + (offer.keepsSession ? " and left open: its number is part of the result." : " and ended afterwards.")
  }

  private static func command(_ offer: Offer) -> WSABICommand {
    let operation = offer.operation
    let own = (operation.needsSession ? [session] : []) + (offer.takesSettings ? [settings] : [])
    let options = own + SensorTrustOptions.all
    return WSABICommand(
      CommandDescription(
        "sensor \(offer.name)", offer.summary,
        output: .init(.record(fields), typeName: WSABIValueType.sensorAnswer), effects: [.network]
      ).taking([SensorCommands.address], options: options).explained(
        sentence(offer) + " An answer that is no success ends the command with an error that names it.",
        examples: [.init("sensor \(offer.name) http://127.0.0.1:8000/sensor/1\(offer.exampleOptions)", offer.example)])
    ) { call, station in
      let talk = try await SensorTalk(call, station, operation)
      try await talk.finish(keepsSession: offer.keepsSession) {
        var settings = WireDictionary()
        for text in call.texts("set") { try ItemSetting.take(text, into: &settings, talk.information) }
        return try await talk.asked(offer.takesSettings ? settings : nil)
      }
    }
  }

  /// How a theft ended that did not go well: a word of the protocol, and nothing a service says beside it.
  private static func auditOutcome(_ error: any Error) -> String {
    if case StationError.saidNo(_, let status, _, _) = error { return status.word }
    if let fault = error as? SensorFault, !fault.mayHaveHappened, fault.operation == .stealLock { return "not asked" }
    return "unknown: no answer"
  }

  static let steal = WSABICommand(
    CommandDescription(
      "sensor steal", "takes the lock of a sensor from whoever has it",
      output: .init(.record(fields), typeName: WSABIValueType.sensorAnswer), effects: [.reads, .writes, .network]
    ).taking(
      [SensorCommands.address],
      options: [
        session, Parameter("cancel", .flag, "cancel what the other has begun"), PersonCommands.yes, StationKey.option,
      ] + SensorTrustOptions.all
    ).explained(
      """
      Sensors refuse it for some time after they were used. It is proved by asking for the lock, and told in the audit \
      log; it never happens by itself. The session stays open with the lock unless it was given.
      """,
      examples: [.init("sensor steal http://127.0.0.1:8000/sensor/1 --cancel --yes", "a sensor somebody forgot")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    try await PersonCommands.confirm(call, "taking the sensor from somebody who may be capturing")
    try await records.checkPermission(.useSensors)
    let talk = try await SensorTalk(call, station, .stealLock)
    try await talk.finish(keepsSession: true) {
      let answer: Value
      do {
        answer = try await talk.asked(nil)
        try await talk.ask(.tryLock)
      } catch {
        // It may have been taken all the same, and is told of whoever wants no more of the command.
        let event = AuditEvent(.sensorStolen, address: talk.address.text, outcome: auditOutcome(error))
        try await Task { try await records.append(event) }.value
        throw error
      }
      try await records.append(AuditEvent(.sensorStolen, address: talk.address.text))
      if call.flag("cancel") { try await talk.ask(.cancel) }
      return answer
    }
  }
}

/// One operation asked by itself, with the session of the call or one of its own.
private final class SensorTalk: Sendable {
  let address: SensorAddress
  let information: ServiceInformation
  private let call: CommandCall
  private let connection: SensorConnection
  private let operation: SensorOperation
  /// The session asked with; nil where none is needed.
  private let session: SensorUUID?
  private let isOwnSession: Bool

  init(_ call: CommandCall, _ station: Station, _ operation: SensorOperation) async throws {
    if [.unlock, .unregister].contains(operation), call.text("session").isEmpty {
      throw StationError.sessionNeeded(operation)
    }
    address = try SensorTrustOptions(call: call).address(call.text("uri"))
    address.warnIfUnprotected(call)
    connection = station.connection(address, call.context)
    self.call = call
    self.operation = operation
    information = try await connection.serviceInformation(deadlineInSeconds: 10)
    let text = call.text("session")
    if operation.needsSession, text.isEmpty {
      let answer = try await connection.ask(SensorRequest(.register))
      guard answer.status == .success else { throw Self.refusal(.register, answer) }
      (session, isOwnSession) = (answer.sessionID, true)
    } else if operation.needsSession {
      guard let given = SensorUUID(text) else { throw StationError.badSession(text) }
      (session, isOwnSession) = (given, false)
    } else {
      (session, isOwnSession) = (nil, false)
    }
  }

  /// Asks, gives the result, and ends a session that nobody needs any more.
  func finish(keepsSession: Bool, _ body: () async throws -> Value) async throws {
    do {
      let value = try await body()
      if !keepsSession { await leave() }
      try await call.emit(value)
    } catch {
      let mustCancel = operation.isOfSensor && (error as? SensorFault).map { $0.reach == .unknown } ?? false
      // A task of its own: this one may be cancelled, and the sensor must not stay locked or at work for nobody.
      await Task {
        if mustCancel, let session {
          _ = try? await connection.ask(SensorRequest(.cancel, session: session, deadlineInSeconds: 5))
        }
        await leave()
      }.value
      throw error
    }
  }

  /// Asks for the operation, with the lock where it needs one, and gives the answer as a value.
  func asked(_ configuration: WireDictionary?) async throws -> Value {
    if operation.needsLock, isOwnSession { try await ask(.tryLock) }
    let start = SensorCommands.milliseconds()
    let answer = try await ask(operation, configuration)
    let isOpen = operation == .register || (session != nil && operation != .unregister)
    let own = operation == .register ? answer.sessionID : session
    let keeps = operation == .register || [.tryLock, .stealLock].contains(operation) || !isOwnSession
    let value: Value = [
      "address": .text(address.text), "operation": .text(operation.rawValue), "status": .text(answer.status.word),
      "session": .optional(isOpen && keeps ? own?.text : nil),
      "metadata": RecordValue.configuration(answer.metadata ?? WireDictionary()),
      "message": .text(ShownText.cleaned(answer.message)),
      "milliseconds": .number(SensorCommands.milliseconds() - start),
    ]
    return value.typed(WSABIValueType.sensorAnswer)
  }

  /// Asks for one operation.
  ///
  /// - Throws: ``StationError/saidNo(_:_:message:badFields:)`` for a status that is no success.
  @discardableResult
  func ask(_ operation: SensorOperation, _ configuration: WireDictionary? = nil) async throws -> SensorAnswer {
    var request = SensorRequest(operation, session: operation.needsSession ? session : nil)
    request.configuration = configuration
    if operation.isOfSensor {
      request.deadlineInSeconds = Double(information.timeoutInMilliseconds(of: operation) + 15_000) / 1000
    }
    var answer = try await connection.ask(request)
    if operation == .stealLock, answer.status == .failure, !information.stealingWords.isEmpty {
      answer.message += answer.message.isEmpty ? information.stealingWords : "; \(information.stealingWords)"
    }
    guard answer.status == .success else { throw Self.refusal(operation, answer) }
    return answer
  }

  private static func refusal(_ operation: SensorOperation, _ answer: SensorAnswer) -> StationError {
    .saidNo(operation, answer.status, message: answer.message, badFields: answer.badFields)
  }

  /// Gives back a session that was begun for this.
  private func leave() async {
    guard isOwnSession, let session else { return }
    if operation.needsLock || operation == .tryLock || operation == .stealLock {
      _ = try? await connection.ask(SensorRequest(.unlock, session: session, deadlineInSeconds: 5))
    }
    _ = try? await connection.ask(SensorRequest(.unregister, session: session, deadlineInSeconds: 5))
  }
}
