import PluginAPI

/// Commands for single operations of the protocol, for testing sensors and for getting one out of a bad state.
enum ProtocolCommands {
  static let all: [WSABICommand] =
    plain.map(command) + [steal] + SensorCaptureCommands.all + SensorDownloadCommands.all

  /// An operation as a command.
  private struct Offer: Sendable {
    var name: String
    var operation: SensorOperation
    var summary: String
    var example: String
    /// True if a session that was begun for it is left open.
    var keepsSession = false
    var takesSettings = false
    /// True if it can end an operation that another client began, which is then audited.
    var isAudited: Bool { operation == .cancel }

    /// True if it releases something of a session, which a new session would not have.
    var wantsSession: Bool { [.unlock, .unregister].contains(operation) }
    /// The arguments after the address in the example.
    var exampleOptions: String { wantsSession ? " --session 01234567-89ab-cdef-0123-456789abcdef" : "" }
  }

  private static let plain: [Offer] = [
    Offer(
      name: "register", operation: .register, summary: "Begin a session at a sensor",
      example: "A session for further commands", keepsSession: true),
    Offer(
      name: "unregister", operation: .unregister, summary: "End a session and release its lock",
      example: "End a session"),
    Offer(
      name: "lock", operation: .tryLock, summary: "Lock a sensor", example: "A lock for further commands",
      keepsSession: true),
    Offer(name: "unlock", operation: .unlock, summary: "Release the lock of a sensor", example: "Release the lock"),
    Offer(
      name: "initialize", operation: .initialize, summary: "Initialize a sensor for captures",
      example: "Initialize the sensor"),
    Offer(
      name: "uninitialize", operation: .uninitialize, summary: "Uninitialize a sensor",
      example: "Uninitialize the sensor"),
    Offer(
      name: "configuration", operation: .getConfiguration, summary: "Show the configuration of a sensor",
      example: "The current settings"),
    Offer(
      name: "configure", operation: .setConfiguration, summary: "Configure a sensor",
      example: "Settings for the next capture",
      takesSettings: true),
    Offer(
      name: "information", operation: .getServiceInfo, summary: "Show the service information of a sensor",
      example: "Timeouts and settings"),
    Offer(
      name: "status", operation: .getSensorStatus, summary: "Show the status of a sensor", example: "The current status"
    ),
    Offer(
      name: "cancel", operation: .cancel, summary: "Cancel the operation of a session at a sensor",
      example: "Cancel a capture"),
  ]

  static let session = Option(
    "session", String.self, "Session from 'sensor register' or 'sensor lock'")

  private static let settings = Option("set", list: String.self, "Setting as KEY=VALUE")
  private static let cancels = Option(flag: "cancel", "Cancel the operation of the other client")

  /// Returns the sentence of the help about the session.
  private static func sentence(_ offer: Offer) -> String {
    if offer.isAudited {
      return
        "Without '--session', the command begins a session with a lock and ends it afterwards; this cancels the "
        + "operation of another client. The audit log records the cancellation if there is a store."
    }
    if offer.operation == .unlock {
      return
        "Give the session of 'sensor register' or 'sensor lock'. Without one, the command releases a lock in the "
        + "store: of 'sensor steal', of a killed run, or of a capture whose lock the sensor did not release."
    }
    if offer.wantsSession { return "Give the session of 'sensor register' or 'sensor lock'." }
    guard offer.operation.needsSession else { return "No lock is needed." }
    return "Without '--session', the command begins a session" + (offer.operation.needsLock ? " with a lock" : "")
      + (offer.keepsSession ? " and leaves it open; the result contains its id." : " and ends it afterwards.")
  }

  private static func command(_ offer: Offer) -> WSABICommand {
    let operation = offer.operation
    let own: [any CommandInput] = (operation.needsSession ? [session] : []) + (offer.takesSettings ? [settings] : [])
    let isStored = offer.isAudited || operation == .unlock
    let inputs = [SensorCommands.address] + own + (isStored ? OperationAudit.options : []) + SensorTrustOptions.all
    return WSABICommand(
      CommandDescription(
        "sensor \(offer.name)", offer.summary,
        output: .model(SensorResponse.self),
        effects: isStored ? [.reads, .writes, .network] : [.network]
      ).taking(inputs).explained(
        sentence(offer) + " A status other than success is an error.",
        examples: [.init("sensor \(offer.name) http://127.0.0.1:8000/sensor/1\(offer.exampleOptions)", offer.example)])
    ) { call, station in
      let hasSession = !(call[session] ?? "").isEmpty
      if operation == .unlock, !hasSession { return try await unlockLeft(call, station) }
      let isLogged = offer.isAudited && !hasSession
      let audit = isLogged ? try await OperationAudit(call, station, for: .useSensors) : nil
      let talk = try await SensorTalk(call, station, operation)
      try await talk.finish(keepsSession: offer.keepsSession) {
        if let audit { return try await cancelled(talk, audit) }
        var settings = WireDictionary()
        for text in call[Self.settings] { try ItemSetting.take(text, into: &settings, talk.information) }
        return try await talk.asked(offer.takesSettings ? settings : nil)
      }
    }
  }

  /// Releases a lock at the sensor with the session in the store.
  ///
  /// - Throws: ``StationError/sessionNeeded(_:)`` if the store has none, or cannot be read.
  private static func unlockLeft(_ call: CommandCall, _ station: Station) async throws {
    let records = try await StationKey(call: call).recordsIfAny(station)
    let address = try SensorTrustOptions(call: call).address()
    var all = try await records.leftLocks(at: address)[...]
    guard let left = all.popFirst() else { throw StationError.sessionNeeded(.unlock) }
    for other in all { await records.leave(other, wasTried: false) }
    do {
      let talk = try await SensorTalk(call, station, .unlock, left: left.lock.session)
      try await talk.finish(keepsSession: false) { try await talk.asked(nil) }
    } catch {
      if showsFree(error) { try await records.gaveBack(left) } else { await records.leave(left, wasTried: true) }
      throw error
    }
    try await records.gaveBack(left)
  }

  /// Returns true if an unlock that failed shows that its session no longer has the lock.
  private static func showsFree(_ error: any Error) -> Bool {
    if let refusal = error as? SensorRefusal {
      return refusal.operation == .unlock && SensorOperation.unlock.showsFree(refusal.status, isDoubted: false)
    }
    guard let fault = error as? SensorFault else { return false }
    return fault.operation == .unlock && fault.kind == .status(404)
  }

  /// Cancels an operation that another client began, and logs it.
  private static func cancelled(_ talk: SensorTalk, _ audit: OperationAudit) async throws -> SensorResponse {
    // If the lock is not available, no operation is disturbed.
    try await talk.prepare()
    let stopwatch = Stopwatch()
    let response = try await SensorIntervention.cancel.perform(
      at: talk.address, logging: { await audit.logAfterwards([$0]) }
    ) {
      try await talk.ask(.cancel)
    }
    return talk.response(response, milliseconds: stopwatch.milliseconds)
  }

  static let steal = WSABICommand(
    CommandDescription(
      "sensor steal", "Steal the lock of a sensor from another client",
      output: .model(SensorResponse.self), effects: [.reads, .writes, .network]
    ).taking(
      [SensorCommands.address, session, cancels, PersonCommands.yes] + OperationAudit.options + SensorTrustOptions.all
    ).explained(
      """
      Sensors reject a theft for some time after their last use. The command verifies the theft by locking the sensor. \
      The audit log records the theft if there is a store. Locks are never stolen automatically. Without '--session', \
      the new session stays open with the lock: the next 'capture' at the sensor uses it, and 'sensor unlock' or \
      'operations resume' releases it.
      """,
      examples: [
        .init("sensor steal http://127.0.0.1:8000/sensor/1 --cancel --yes", "A sensor that another client left locked")
      ])
  ) { call, station in
    let audit = try await OperationAudit(call, station, for: .useSensors)
    try await PersonCommands.confirm(call, "take the sensor from a client that may be capturing")
    let talk = try await SensorTalk(call, station, .stealLock)
    let lock = (call[session] ?? "").isEmpty ? talk.session.map { HeldLock(address: talk.address, session: $0) } : nil
    try await talk.finish(keepsSession: true) {
      if let lock { try await audit.willLock(lock) }
      let stopwatch = Stopwatch()
      var milliseconds = 0.0
      let response = try await SensorIntervention.steal.perform(at: talk.address, logging: { try await audit.log($0) })
      {
        do {
          let response = try await talk.ask(.stealLock)
          milliseconds = stopwatch.milliseconds
          try await talk.ask(.tryLock)
          return response
        } catch {
          if let lock, showsNotTaken(error) { await audit.didNotLock(lock) }
          throw stealError(error)
        }
      }
      if call[cancels] { try await talk.ask(.cancel) }
      if let lock { call.warn(stolen(lock, isKnown: try await audit.handOver(lock))) }
      return talk.response(response, milliseconds: milliseconds)
    }
  }

  /// Returns the error of a steal; advice to steal the lock would lead in a circle.
  private static func stealError(_ error: any Error) -> any Error {
    guard var refusal = error as? SensorRefusal else { return error }
    refusal.verifiesTheft = refusal.operation == .tryLock
    return refusal
  }

  /// Returns true if a steal that failed shows for certain that its session has no lock.
  private static func showsNotTaken(_ error: any Error) -> Bool {
    guard let refusal = error as? SensorRefusal else { return false }
    return refusal.operation == .stealLock || refusal.operation.showsFree(refusal.status, isDoubted: false)
  }

  /// Returns the note about a lock that was not released.
  ///
  /// - Parameter isKnown: True if the store has a record of it.
  private static func stolen(_ lock: HeldLock, isKnown: Bool) -> Diagnostic {
    let address = lock.address.text
    return Diagnostic(
      .note, code: "wsabi.lock-stolen", "this station now holds the lock of '\(address)'",
      advice: isKnown
        ? "use it with 'capture' at this sensor, or release it with 'sensor unlock \(address)'"
        : "release it with 'sensor unlock \(address) --session \(lock.session.text)'")
  }
}

/// Commands that have a sensor capture on its own, for testing; the data is not filed under a person.
private enum SensorCaptureCommands {
  static let all = [capture, begin, end]

  private static func description(
    _ name: String, _ summary: String, _ sentence: String, _ output: CommandDescription.Output, example: String,
    _ options: String = ""
  ) -> CommandDescription {
    CommandDescription(
      "sensor \(name)", summary, output: output, effects: [.reads, .writes, .network]
    ).taking(
      [SensorCommands.address, ProtocolCommands.session] + OperationAudit.options + SensorTrustOptions.all
    ).explained(
      sentence + " If there is a store, the audit log records the operation. A capture is never retried automatically.",
      examples: [.init("sensor \(name) http://127.0.0.1:8000/sensor/1\(options)", example)])
  }

  static let capture = WSABICommand(
    description(
      "capture", "Capture with a sensor and show the capture ids",
      "Nothing is stored: the data is only at the sensor, which may delete it. Download it with 'sensor download'. "
        + "'capture' captures for an item and stores the data.", .model(SensorResponse.WithCaptures.self),
      example: "One capture, without an item")
  ) { call, station in
    try await received(.capture, call, station)
  }

  static let end = WSABICommand(
    description(
      "end-capture", "Wait for the end of a capture and show the capture ids",
      "Give the session of 'sensor begin-capture'. Nothing is downloaded or stored: the data is only at the "
        + "sensor.", .model(SensorResponse.WithCaptures.self), example: "A capture begun earlier",
      " --session 2e6e1e1f-9d4b-4c56-8a20-f5e0a2b7c9d1")
  ) { call, station in
    if (call[ProtocolCommands.session] ?? "").isEmpty { throw StationError.missing("session") }
    try await received(.endCapture, call, station)
  }

  /// Requests captures, and emits the result before anything else.
  private static func received(_ operation: SensorOperation, _ call: CommandCall, _ station: Station) async throws {
    let audit = try await OperationAudit(call, station, for: .capture)
    let talk = try await SensorTalk(call, station, operation)
    try await talk.finish(keepsSession: false) {
      try await talk.prepare()
      if operation == .capture { try await audit.log(event(.captureAsked, talk)) }
      let stopwatch = Stopwatch()
      let response: SensorAnswer
      do {
        response = try await talk.askForCaptures()
      } catch {
        let isUnknown = (error as? SensorFault)?.mayHaveHappened ?? true
        await audit.logAfterwards([event(.captureEnded, talk, outcome: isUnknown ? "unknown" : "not asked")])
        if isUnknown { call.warn(unknown) }
        throw error
      }
      guard response.status == .success else {
        await audit.logAfterwards([event(.captureEnded, talk, outcome: response.status.word)])
        throw SensorRefusal(operation, response, at: talk.address)
      }
      call.warn(notFiled(response.captureIDs.count))
      await audit.logAfterwards(
        response.captureIDs.map { id in
          var event = event(.captureAnswered, talk, outcome: "not filed")
          event.captureID = id
          return event
        })
      let milliseconds = stopwatch.milliseconds
      return SensorResponse.WithCaptures(response: talk.response(response, milliseconds: milliseconds))
    }
  }

  static let begin = WSABICommand(
    description(
      "begin-capture", "Begin a capture with a sensor without waiting for its end",
      "The session and its lock stay open. Keep the session id of the result: only 'sensor end-capture' with this "
        + "session shows the ids of the data.", .model(SensorResponse.self),
      example: "Begin a capture")
  ) { call, station in
    let audit = try await OperationAudit(call, station, for: .capture)
    let talk = try await SensorTalk(call, station, .beginCapture)
    try await talk.finish(keepsSession: true) {
      try await talk.prepare()
      try await audit.log(event(.captureAsked, talk))
      let stopwatch = Stopwatch()
      do {
        let response = try await talk.ask(.beginCapture)
        call.warn(goesOn)
        return talk.response(response, milliseconds: stopwatch.milliseconds)
      } catch {
        let status = (error as? SensorRefusal)?.status.word ?? "unknown"
        await audit.logAfterwards([event(.captureEnded, talk, outcome: status)])
        throw error
      }
    }
  }

  private static func event(_ action: AuditAction, _ talk: SensorTalk, outcome: String = "") -> AuditEvent {
    var event = AuditEvent(action, address: talk.address.text, outcome: outcome)
    event.session = talk.session
    return event
  }

  private static func notFiled(_ count: Int) -> Diagnostic {
    Diagnostic(
      .warning, code: "wsabi.not-filed",
      count == 1
        ? "the capture is only at the sensor and belongs to no person"
        : "the \(count) captures are only at the sensor and belong to no person",
      advice: "download each with 'sensor download URI ID --output FILE' before the sensor deletes it")
  }

  private static let unknown = Diagnostic(
    .warning, code: "wsabi.capture-unknown",
    "the outcome of the capture is unknown; if there is data, it cannot be found",
    advice: "it is not retried automatically")

  private static let goesOn = Diagnostic(
    .warning, code: "wsabi.capture-open", "the sensor is capturing; its session and lock stay open",
    advice: "receive the ids with 'sensor end-capture URI --session ID', then end the session with 'sensor unregister'"
  )
}
