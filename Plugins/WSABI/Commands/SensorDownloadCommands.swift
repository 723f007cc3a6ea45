import PluginAPI
import PluginText

/// Commands that download data from a sensor by its id, for testing: into a named file, not into a store.
enum SensorDownloadCommands {
  static let all = [download, thrifty, raw, information, stream]

  private static let capture = Argument(
    "capture", String.self, "Capture id from 'sensor capture'")
  private static let output = Option(
    "output", String.self, kind: .outputFile, "Output file; an existing file is not replaced")
  /// The option of reduced downloads; others have no limit.
  private static let mostPixels = Option(
    Parameter(
      "max-size", .integer(minimum: 1, maximum: 1_000_000), "Maximum size: for a picture, the longest edge",
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
        \(sentence)No session or lock is needed. The file is not encrypted; only its owner can read it. It appears \
        once it is complete and is not stored for a person. If there is a store, its user needs the right to export, \
        and the audit log records the download.
        """,
        examples: [
          .init(
            "sensor \(name) http://127.0.0.1:8000/sensor/1 7d1a5b3e-0c2f-4e8a-b6d4-93f1e5a7c802 --output it.bmp",
            "A capture of 'sensor capture'")
        ])
    ) { call, station in try await fetch(operation, call, station) }
  }

  static let download = command(.download, "download", "Download captured data to a file", [], "")

  static let thrifty = command(
    .thriftyDownload, "thrifty-download", "Download a smaller version of captured data", [mostPixels],
    "The service rejects a size that is not smaller than the data. ")

  static let raw = command(
    .rawDownload, "raw-download", "Download captured data without the XML around it", [],
    "The service sends the bytes alone; few services support that. ")

  private static func identifier(_ call: CommandCall) throws(ErrorReport) -> SensorUUID {
    guard let id = SensorUUID(call[capture]) else { throw StationError.badID(call[capture], of: "captured data") }
    return id
  }

  private static func fetch(_ operation: SensorOperation, _ call: CommandCall, _ station: Station) async throws {
    let id = try identifier(call)
    guard let path = call[output], !path.isEmpty else { throw StationError.missing("output") }
    let connection = try station.connection(call)
    let audit = try await OperationAudit(call, station, for: .exportRecords)
    let file = try FileSink(for: path)
    let sink = HeadSink(file)
    var request = SensorRequest(operation, capture: id, deadlineInSeconds: 600)
    request.maxSize = call[mostPixels]
    let stopwatch = Stopwatch()
    do {
      let response = try await connection.ask(request, into: sink)
      guard response.status == .success, let data = response.data else {
        throw SensorRefusal(operation, response, at: connection.address)
      }
      var event = AuditEvent(.exported, address: connection.address.text, outcome: operation.rawValue)
      (event.captureID, event.sha256) = (id, data.sha256)
      // Logged before an unrecorded copy can exist.
      try await audit.log(event)
      try file.settle(at: path)
      call.warn(notFiled)
      try await call.emit(
        DownloadedFile(
          address: connection.address, operation: operation, captureID: id, path: path, response: response, data: data,
          sniffedType: SniffedType.of(sink.start), milliseconds: stopwatch.milliseconds))
    } catch {
      sink.abandon()
      throw error
    }
  }

  private static let notFiled = Diagnostic(
    .note, code: "wsabi.not-filed", "the file is not encrypted and belongs to no person",
    advice: "delete it when you no longer need it")

  static let information = WSABICommand(
    CommandDescription(
      "sensor download-info", "Show the metadata of captured data",
      output: .model(SensorResponse.self), effects: [.network]
    ).taking([SensorCommands.address, capture] + SensorTrustOptions.all).explained(
      "No session or lock is needed. Nothing is stored.",
      examples: [
        .init(
          "sensor download-info http://127.0.0.1:8000/sensor/1 7d1a5b3e-0c2f-4e8a-b6d4-93f1e5a7c802",
          "A capture of 'sensor capture'")
      ])
  ) { call, station in
    let id = try identifier(call)
    let talk = try await SensorTalk(call, station, .getDownloadInfo, capture: id)
    try await talk.finish(keepsSession: false) { try await talk.asked(nil) }
  }

  private static let streamName = Argument(
    "name", String.self, "Name of the stream: the part of its address after 'stream/'")
  private static let streamSession = ProtocolCommands.session.summarized(
    "Session of 'sensor lock', for streams that only the holder of the lock can see")
  private static let frames = Option("frames", in: 1...1_000_000, "Number of pictures", default: 10)

  static let stream = WSABICommand(
    CommandDescription(
      "sensor stream", "Read a stream of a sensor and count its pictures",
      output: .model(FollowedStream.self), effects: [.network]
    ).taking([SensorCommands.address, streamName, streamSession, frames] + SensorTrustOptions.all).explained(
      "Takes no lock and stores nothing. 'preview' shows the pictures.",
      examples: [
        .init("sensor stream http://127.0.0.1:8000/sensor/1 live --frames 3", "Check that it has a live preview")
      ]
    )
  ) { call, station in
    let connection = try station.connection(call)
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
  let response: SensorAnswer
  let data: SensorData
  let sniffedType: String?
  let milliseconds: Double

  private var claimedType: String { response.metadata?["contentType"]?.plainText ?? response.contentType ?? "" }

  static let typeName = "wsabi.downloaded-file"
  static let fields = Fields<DownloadedFile> {
    Field("address", \.address.text, "Address of the sensor")
    Field("operation", \.operation.rawValue, "Protocol operation")
    Field("status", \.response.status.word, "Status of the response")
    Field("captureId", \.captureID.text, "Capture id")
    Field("file", \.path, "Path of the file, not encrypted")
    Field("sizeInBytes", \.data.sizeInBytes, "Size of the data")
    Field(
      "sha256", { Hexadecimal.text($0.data.sha256) }, "SHA-256 of the data, in hexadecimal digits")
    Field("claimedType", { SanitizedText.line($0.claimedType, limit: 200) }, "Type according to the service")
    Field("sniffedType", \.sniffedType, "Type according to the first bytes; null if unknown")
    Field(
      "metadata", { $0.response.metadata ?? WireDictionary() }, "Metadata of the sensor, which is not in the file")
    Field("milliseconds", \.milliseconds, "Time to the last byte")
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
    Field("address", \.address.text, "Address of the sensor")
    Field("operation", { _ in SensorOperation.stream.rawValue }, "Protocol operation")
    Field("pictures", \.pictures, "Number of pictures received")
    Field("sizeInBytes", \.sizeInBytes, "Size of all pictures")
    Field("isOver", \.isOver, "True if the service ended the stream")
    Field("milliseconds", \.milliseconds, "Time from the request to the last picture")
  }
}
