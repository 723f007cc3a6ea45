import PluginAPI

/// Commands that have a sensor capture on its own, for testing; the data is not filed under a person.
enum SensorCaptureCommands {
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
      sentence + " It is told in the audit log if there is a store. It is never asked twice by itself.",
      examples: [.init("sensor \(name) http://127.0.0.1:8000/sensor/1\(options)", example)])
  }

  static let capture = WSABICommand(
    description(
      "capture", "has a sensor capture, and says under which ids",
      "Nothing is fetched or stored: what was captured is at the sensor alone, which may drop it. 'sensor download' gets "
        + "it; 'capture' captures for an item and keeps all.", .model(SensorResponse.WithCaptures.self),
      example: "one capture, of nobody")
  ) { call, station in
    try await received(.capture, call, station)
  }

  static let end = WSABICommand(
    description(
      "end-capture", "waits for the capture that was begun, and says under which ids its data is",
      "It needs the session of 'sensor begin-capture'. Nothing is fetched or stored: what was captured is at the sensor "
        + "alone.", .model(SensorResponse.WithCaptures.self), example: "what was begun before",
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
      if operation == .capture { try await audit.tell(event(.captureAsked, talk)) }
      let start = SensorCommands.milliseconds()
      let answer: SensorAnswer
      do {
        answer = try await talk.askForCaptures()
      } catch {
        let isUnknown = (error as? SensorFault)?.mayHaveHappened ?? true
        await audit.tellAfterwards([event(.captureEnded, talk, outcome: isUnknown ? "unknown" : "not asked")])
        if isUnknown { call.warn(unknown) }
        throw error
      }
      guard answer.status == .success else {
        await audit.tellAfterwards([event(.captureEnded, talk, outcome: answer.status.word)])
        throw SensorTalk.refusal(operation, answer)
      }
      call.warn(notFiled(answer.captureIDs.count))
      await audit.tellAfterwards(
        answer.captureIDs.map { id in
          var told = event(.captureAnswered, talk, outcome: "not filed")
          told.captureID = id
          return told
        })
      let milliseconds = SensorCommands.milliseconds() - start
      return SensorResponse.WithCaptures(response: talk.response(answer, milliseconds: milliseconds))
    }
  }

  static let begin = WSABICommand(
    description(
      "begin-capture", "has a sensor begin to capture, and does not wait for it",
      "The session stays open with the lock, and its number is part of the result: 'sensor end-capture' with it says under "
        + "which ids the data is, and nobody finds it otherwise.", .model(SensorResponse.self),
      example: "a capture that goes on")
  ) { call, station in
    let audit = try await OperationAudit(call, station, for: .capture)
    let talk = try await SensorTalk(call, station, .beginCapture)
    try await talk.finish(keepsSession: true) {
      try await talk.prepare()
      try await audit.tell(event(.captureAsked, talk))
      let start = SensorCommands.milliseconds()
      do {
        let answer = try await talk.ask(.beginCapture)
        call.warn(goesOn)
        return talk.response(answer, milliseconds: SensorCommands.milliseconds() - start)
      } catch {
        let status = (error as? SensorRefusal)?.status.word ?? "unknown"
        await audit.tellAfterwards([event(.captureEnded, talk, outcome: status)])
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
        ? "what was captured is at the sensor alone, and filed under nobody"
        : "the \(count) captures are at the sensor alone, and filed under nobody",
      advice: "fetch each with 'sensor download URI ID --output FILE' before the sensor drops it")
  }

  private static let unknown = Diagnostic(
    .warning, code: "wsabi.capture-unknown",
    "nobody knows whether the sensor captured; if it did, its data is there and cannot be found",
    advice: "it is not repeated by itself")

  private static let goesOn = Diagnostic(
    .warning, code: "wsabi.capture-open", "the sensor captures, and its session and lock stay open",
    advice: "receive it with 'sensor end-capture URI --session ID', then give the session back with 'sensor unregister'"
  )
}
