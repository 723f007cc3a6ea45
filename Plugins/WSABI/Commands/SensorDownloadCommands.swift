import PluginAPI
import PluginText

/// Commands that download data from a sensor by its id, for testing: into a named file, not into a store.
enum SensorDownloadCommands {
  static let all = [download, thrifty, raw, information, stream]

  private static let capture = Parameter(
    "capture", .text, "the id of the data, as 'sensor capture' gave it", isRequired: true)

  private static let output = Parameter("output", .outputFile, "the file it goes to; nothing is replaced")

  private static let fields: [ValueSchema.Field] = [
    .init("address", .text, "the sensor"), .init("operation", .text, "what was asked"),
    .init("status", .text, "the word of the protocol"), .init("captureId", .text, "the id of the data"),
    .init("file", .text, "where it is now, as it came and not encrypted"),
    .init("sizeInBytes", .integer, "of the data"),
    .init("sha256", .text, "of the data, in hexadecimal digits, taken while it came"),
    .init("claimedType", .text, "the type the service says it has"),
    .init("sniffedType", .optional(.text), "the type its first bytes show; null if nobody knows them"),
    .init("metadata", .map(.text), "what the sensor says of it, which is in no file"),
    .init("milliseconds", .number, "the time to its last byte"),
  ]

  private static func command(
    _ operation: SensorOperation, _ name: String, _ summary: String, _ more: [Parameter] = [], _ sentence: String = ""
  ) -> WSABICommand {
    WSABICommand(
      CommandDescription(
        "sensor \(name)", summary, output: .init(.record(fields)), effects: [.reads, .writes, .network]
      ).taking(
        [SensorCommands.address, capture],
        options: [output] + more + OperationAudit.options + SensorTrustOptions.all
      ).explained(
        """
        \(sentence)Neither session nor lock is needed. The file is not encrypted and its owner alone can read it; it is \
        there once all of it came. Nothing is filed under a person. If there is a store, its user must be allowed to \
        export, and the audit log tells of it.
        """,
        examples: [
          .init(
            "sensor \(name) http://127.0.0.1:8000/sensor/1 7d1a5b3e-0c2f-4e8a-b6d4-93f1e5a7c802 --output it.bmp",
            "what 'sensor capture' made")
        ])
    ) { call, station in try await fetch(operation, call, station) }
  }

  static let download = command(.download, "download", "writes captured data into a file")

  static let thrifty = command(
    .thriftyDownload, "thrifty-download", "writes captured data into a file, made smaller by the service",
    [
      Parameter(
        "max-size", .integer(minimum: 1, maximum: 1_000_000), "the most it may be: of a picture the longest edge",
        unit: "pixel", defaultValue: 1024)
    ], "A service refuses what is no smaller than the data. ")

  static let raw = command(
    .rawDownload, "raw-download", "writes captured data into a file, as the service has it",
    "The data comes as it is, without the protocol around it: few services have that. ")

  private static func command(
    _ operation: SensorOperation, _ name: String, _ summary: String, _ sentence: String
  ) -> WSABICommand { command(operation, name, summary, [], sentence) }

  private static func identifier(_ call: CommandCall) throws(StationError) -> SensorUUID {
    guard let id = SensorUUID(call.text("capture")) else { throw .badID(call.text("capture"), of: "captured data") }
    return id
  }

  private static func connection(_ call: CommandCall, _ station: Station) throws -> SensorConnection {
    let address = try SensorTrustOptions(call: call).address(call.text("uri"))
    address.warnIfUnprotected(call)
    return station.connection(address, call.context)
  }

  private static func fetch(_ operation: SensorOperation, _ call: CommandCall, _ station: Station) async throws {
    let (id, path) = (try identifier(call), call.text("output"))
    if path.isEmpty { throw StationError.missing("output") }
    let connection = try connection(call, station)
    let audit = try await OperationAudit(call, station, for: .exportRecords)
    let file = try FileSink(for: path)
    let sink = HeadSink(file)
    var request = SensorRequest(operation, capture: id, deadlineInSeconds: 600)
    request.maxSize = call["max-size"].integer
    let start = SensorCommands.milliseconds()
    do {
      let answer = try await connection.ask(request, into: sink)
      guard answer.status == .success, let data = answer.data else { throw SensorTalk.refusal(operation, answer) }
      var event = AuditEvent(.exported, address: connection.address.text, outcome: operation.rawValue)
      (event.captureID, event.sha256) = (id, data.sha256)
      // Logged before an unrecorded copy can exist.
      try await audit.tell(event)
      try file.settle(at: path)
      let type = answer.metadata?["contentType"]?.plainText ?? answer.contentType ?? ""
      call.warn(notFiled)
      try await call.emit([
        "address": .text(connection.address.text), "operation": .text(operation.rawValue),
        "status": .text(answer.status.word), "captureId": .text(id.text), "file": .text(path),
        "sizeInBytes": .integer(data.sizeInBytes), "sha256": .text(Hexadecimal.text(data.sha256)),
        "claimedType": .text(SanitizedText.line(type, limit: 200)),
        "sniffedType": .optional(SniffedType.of(sink.start)),
        "metadata": (answer.metadata ?? WireDictionary()).fieldValue,
        "milliseconds": .number(SensorCommands.milliseconds() - start),
      ])
    } catch {
      sink.abandon()
      throw error
    }
  }

  private static let notFiled = Diagnostic(
    .note, code: "wsabi.not-filed", "the file is a copy that is not encrypted, and filed under nobody",
    advice: "remove it when it is not needed any more")

  static let information = WSABICommand(
    CommandDescription(
      "sensor download-info", "says what a sensor tells of captured data, without the data",
      output: .init(.record(ProtocolCommands.fields), typeName: WSABIValueType.sensorAnswer), effects: [.network]
    ).taking([SensorCommands.address, capture], options: SensorTrustOptions.all).explained(
      "Neither session nor lock is needed. Nothing is stored.",
      examples: [
        .init(
          "sensor download-info http://127.0.0.1:8000/sensor/1 7d1a5b3e-0c2f-4e8a-b6d4-93f1e5a7c802",
          "what 'sensor capture' made")
      ])
  ) { call, station in
    let id = try identifier(call)
    let talk = try await SensorTalk(call, station, .getDownloadInfo, capture: id)
    try await talk.finish(keepsSession: false) { try await talk.asked(nil) }
  }

  static let stream = WSABICommand(
    CommandDescription(
      "sensor stream", "follows a stream of a sensor by its name, and counts its pictures",
      output: .init(
        .record([
          .init("address", .text, "the sensor"), .init("operation", .text, "what was asked"),
          .init("pictures", .integer, "how many came"), .init("sizeInBytes", .integer, "of all of them"),
          .init("isOver", .bool, "whether the service ended it"),
          .init("milliseconds", .number, "from the question to the last picture"),
        ])), effects: [.network]
    ).taking(
      [
        SensorCommands.address,
        Parameter("name", .text, "the name, which stands behind 'stream/' in its address", isRequired: true),
      ],
      options: [
        Parameter(
          "session", .text,
          "the session that holds the lock, as 'sensor lock' gave it, for what its holder alone is shown"),
        Parameter("frames", .integer(minimum: 1, maximum: 1_000_000), "how many pictures are enough", defaultValue: 10),
      ] + SensorTrustOptions.all
    ).explained(
      "No lock is taken and nothing stored. 'preview' shows the pictures, by the stream that the service tells of.",
      examples: [.init("sensor stream http://127.0.0.1:8000/sensor/1 live --frames 3", "whether it has a live preview")]
    )
  ) { call, station in
    let connection = try connection(call, station)
    var request = SensorRequest(.stream, stream: call.text("name"))
    let text = call.text("session")
    request.session = SensorUUID(text)
    if !text.isEmpty, request.session == nil { throw StationError.badID(text, of: "session") }
    let start = SensorCommands.milliseconds()
    let count = call["frames"].integer ?? 10
    let (frames, feed) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(count))
    let following = Task { [request] in
      defer { feed.finish() }
      return try await connection.stream(request) { feed.yield($0.bytes.count) }
    }
    var (pictures, size) = (0, 0)
    for await bytes in frames {
      (pictures, size) = (pictures + 1, size + bytes)
      if pictures == count { break }
    }
    let isOver = pictures < count
    if !isOver { following.cancel() }
    let result = await following.result
    try Task.checkCancellation()
    if isOver {
      _ = try result.get()
      if pictures == 0 { throw StationError.noPreview(address: connection.address.text) }
    }
    try await call.emit([
      "address": .text(connection.address.text), "operation": .text(SensorOperation.stream.rawValue),
      "pictures": .integer(pictures), "sizeInBytes": .integer(size), "isOver": .bool(isOver),
      "milliseconds": .number(SensorCommands.milliseconds() - start),
    ])
  }
}
