import PluginAPI
import PluginText

/// Commands that download data from a sensor by its id, for testing: into a named file, not into a store.
enum SensorDownloadCommands {
  static let all = [download, thrifty, raw, information, stream]

  private static let capture = Argument(
    "capture", String.self, "the id of the data, as 'sensor capture' gave it")
  private static let output = Option(
    "output", String.self, kind: .outputFile, "the file it goes to; nothing is replaced")
  /// The option of reduced downloads; others have no limit.
  private static let mostPixels = Option(
    Parameter(
      "max-size", .integer(minimum: 1, maximum: 1_000_000), "the most it may be: of a picture the longest edge",
      unit: "pixel", defaultValue: 1024)
  ) { Optional($0.integer) }

  private static func command(
    _ operation: SensorOperation, _ name: String, _ summary: String, _ more: [any CommandInput], _ sentence: String
  ) -> WSABICommand {
    WSABICommand(
      CommandDescription(
        "sensor \(name)", summary, output: .model(DownloadedFile.self), effects: [.reads, .writes, .network]
      ).taking(
        [SensorCommands.address, capture, output] + more + OperationAudit.options + SensorTrustOptions.all
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

  static let download = command(.download, "download", "writes captured data into a file", [], "")

  static let thrifty = command(
    .thriftyDownload, "thrifty-download", "writes captured data into a file, made smaller by the service", [mostPixels],
    "A service refuses what is not smaller than the data. ")

  static let raw = command(
    .rawDownload, "raw-download", "writes captured data into a file, as the service has it", [],
    "The data comes as it is, without the protocol around it: few services have that. ")

  private static func identifier(_ call: CommandCall) throws(ErrorReport) -> SensorUUID {
    guard let id = SensorUUID(call[capture]) else { throw StationError.badID(call[capture], of: "captured data") }
    return id
  }

  private static func connection(_ call: CommandCall, _ station: Station) throws -> SensorConnection {
    let address = try SensorTrustOptions(call: call).address()
    address.warnIfUnprotected(call)
    return station.connection(address, call.context)
  }

  private static func fetch(_ operation: SensorOperation, _ call: CommandCall, _ station: Station) async throws {
    let id = try identifier(call)
    guard let path = call[output], !path.isEmpty else { throw StationError.missing("output") }
    let connection = try connection(call, station)
    let audit = try await OperationAudit(call, station, for: .exportRecords)
    let file = try FileSink(for: path)
    let sink = HeadSink(file)
    var request = SensorRequest(operation, capture: id, deadlineInSeconds: 600)
    request.maxSize = call[mostPixels]
    let stopwatch = Stopwatch()
    do {
      let answer = try await connection.ask(request, into: sink)
      guard answer.status == .success, let data = answer.data else { throw SensorRefusal(operation, answer) }
      var event = AuditEvent(.exported, address: connection.address.text, outcome: operation.rawValue)
      (event.captureID, event.sha256) = (id, data.sha256)
      // Logged before an unrecorded copy can exist.
      try await audit.log(event)
      try file.settle(at: path)
      call.warn(notFiled)
      try await call.emit(
        DownloadedFile(
          address: connection.address, operation: operation, captureID: id, path: path, answer: answer, data: data,
          sniffedType: SniffedType.of(sink.start), milliseconds: stopwatch.milliseconds))
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
      output: .model(SensorResponse.self), effects: [.network]
    ).taking([SensorCommands.address, capture] + SensorTrustOptions.all).explained(
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

  private static let streamName = Argument(
    "name", String.self, "the name, which stands behind 'stream/' in its address")
  private static let streamSession = ProtocolCommands.session.summarized(
    "the session that holds the lock, as 'sensor lock' gave it, for what its holder alone is shown")
  private static let frames = Option("frames", in: 1...1_000_000, "how many pictures are enough", default: 10)

  static let stream = WSABICommand(
    CommandDescription(
      "sensor stream", "follows a stream of a sensor by its name, and counts its pictures",
      output: .model(FollowedStream.self), effects: [.network]
    ).taking([SensorCommands.address, streamName, streamSession, frames] + SensorTrustOptions.all).explained(
      "No lock is taken and nothing stored. 'preview' shows the pictures, by the stream that the service tells of.",
      examples: [.init("sensor stream http://127.0.0.1:8000/sensor/1 live --frames 3", "whether it has a live preview")]
    )
  ) { call, station in
    let connection = try connection(call, station)
    var request = SensorRequest(.stream, stream: call[streamName])
    let text = call[streamSession] ?? ""
    request.session = SensorUUID(text)
    if !text.isEmpty, request.session == nil { throw StationError.badID(text, of: "a session") }
    let stopwatch = Stopwatch()
    let count = call[frames]
    let (sizes, feed) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(count))
    let following = Task { [request] in
      defer { feed.finish() }
      return try await connection.stream(request) { feed.yield($0.bytes.count) }
    }
    var (pictures, size) = (0, 0)
    for await bytes in sizes {
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
    try await call.emit(
      FollowedStream(
        address: connection.address, pictures: pictures, sizeInBytes: size, isOver: isOver,
        milliseconds: stopwatch.milliseconds))
  }
}

/// Captured data that was written into a file.
private struct DownloadedFile: Model {
  let address: SensorAddress
  let operation: SensorOperation
  let captureID: SensorUUID
  let path: String
  let answer: SensorAnswer
  let data: SensorData
  let sniffedType: String?
  let milliseconds: Double

  private var claimedType: String { answer.metadata?["contentType"]?.plainText ?? answer.contentType ?? "" }

  static let typeName = "wsabi.downloaded-file"
  static let fields = Fields<DownloadedFile> {
    Field("address", \.address.text, "the sensor")
    Field("operation", \.operation.rawValue, "what was asked")
    Field("status", \.answer.status.word, "the word of the protocol")
    Field("captureId", \.captureID.text, "the id of the data")
    Field("file", \.path, "where it is now, as it came and not encrypted")
    Field("sizeInBytes", \.data.sizeInBytes, "of the data")
    Field(
      "sha256", { Hexadecimal.text($0.data.sha256) }, "of the data, in hexadecimal digits, taken while it came")
    Field("claimedType", { SanitizedText.line($0.claimedType, limit: 200) }, "the type the service says it has")
    Field("sniffedType", \.sniffedType, "the type its first bytes show; null if nobody knows them")
    Field(
      "metadata", { $0.answer.metadata ?? WireDictionary() }, "what the sensor says of it, which is in no file")
    Field("milliseconds", \.milliseconds, "the time to its last byte")
  }
}

/// A stream that was followed.
private struct FollowedStream: Model {
  let address: SensorAddress
  let pictures: Int
  let sizeInBytes: Int
  let isOver: Bool
  let milliseconds: Double

  static let typeName = "wsabi.followed-stream"
  static let fields = Fields<FollowedStream> {
    Field("address", \.address.text, "the sensor")
    Field("operation", { _ in SensorOperation.stream.rawValue }, "what was asked")
    Field("pictures", \.pictures, "how many came")
    Field("sizeInBytes", \.sizeInBytes, "of all of them")
    Field("isOver", \.isOver, "whether the service ended it")
    Field("milliseconds", \.milliseconds, "from the question to the last picture")
  }
}
