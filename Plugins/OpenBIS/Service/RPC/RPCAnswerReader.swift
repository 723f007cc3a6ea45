import PluginAPI
import PluginJSON
import PluginNet

/// A reader of the response to one call while it arrives.
// Its variables belong to the thread of all transfers until the transfer has ended, then to the calling task.
final class RPCAnswerReader: @unchecked Sendable {
  /// The id of the call.
  let id: Int
  private let place: RPCPlace
  private let words: RPCWords
  private let reader: any RPCResultReader
  private let envelope: RPCEnvelope
  private var json: JSONReader?
  /// The first bytes of the body, for messages.
  private var beginning: [UInt8] = []
  private var size = 0
  private var head = HTTPHead(status: 0, address: "")
  /// A Boolean value indicating whether the body is a page instead of JSON; checked when the head is known to be a
  /// success.
  private var isPage = false

  /// The number of bytes of a page that are kept for display.
  private static let shownBytes = 400
  private static let shownCharacters = 80
  /// The size of the longest text in bytes, more than a list of four million children needs.
  ///
  /// It limits the memory of one response, however well it was compressed.
  static let textLimitInBytes = 128 << 20

  init(_ place: RPCPlace, _ words: RPCWords, id: Int, _ reader: any RPCResultReader) {
    self.place = place
    self.words = words
    self.id = id
    self.reader = reader
    envelope = RPCEnvelope(reader)
  }

  /// Receives the head.
  func begin(_ head: HTTPHead) {
    self.head = head
    isPage = head.mediaType == "text/html" || head.mediaType == "application/xhtml+xml"
  }

  /// Receives a piece of the body; closes the gate while the rows' channel is full.
  func take(_ piece: UnsafeRawBufferPointer, _ gate: HTTPGate) throws -> HTTPFlow {
    size += piece.count
    if beginning.count < Self.shownBytes { beginning += piece.prefix(Self.shownBytes - beginning.count) }
    if isPage { return beginning.count < Self.shownBytes ? .more : .enough }
    try reading { reader in try reader.push(piece) }
    if let channel = reader.channel, channel.isFull {
      gate.close()
      channel.whenThereIsRoom { gate.open() }
    }
    return .more
  }

  /// Returns the response's metadata after all of it was received.
  ///
  /// - Throws: `RPCFailure` for an error of the server, `RPCError` for a response that is not an answer.
  func finish(_ head: HTTPHead) throws -> RPCAnswer {
    if isPage || size == 0 { throw noJSON() }
    try reading { reader in try reader.finish() }
    do {
      try envelope.check(id: id)
    } catch {
      throw RPCError.protocolBroken(place, reason: words.clean(error.reason))
    }
    if let fault = envelope.fault { throw failure(fault) }
    guard head.isSuccess else {
      throw RPCError.protocolBroken(place, reason: "it has a result, but the status is \(head.status)")
    }
    return RPCAnswer(
      serverTimeInSeconds: head.headers["Date"].flatMap(HTTPDate.seconds), sizeInBytes: size,
      replacedSurrogates: json?.replacedSurrogates ?? 0)
  }

  /// Continues reading, and translates errors into those of the call.
  private func reading(_ body: (JSONReader) throws -> Void) throws {
    do {
      let json = try self.json ?? makeReader()
      self.json = json
      try body(json)
    } catch let error as JSONError {
      if case .libraryMissing = error { throw error }
      if case .outOfMemory = error { throw error }
      if !envelope.hasBegun, error != .otherEncoding { throw noJSON() }
      throw RPCError.unreadable(place, reason: words.clean(error.report.message))
    } catch let error as UselessResult {
      if !envelope.hasBegun { throw noJSON() }
      throw RPCError.useless(place, reason: words.clean(error.reason))
    } catch let error as GraphError {
      if !envelope.hasBegun { throw noJSON() }
      throw RPCError.graph(place, error)
    }
  }

  private func makeReader() throws -> JSONReader {
    // The closure does not retain the reader: the envelope owns nothing of it.
    let envelope = envelope
    var options = JSONReader.Options()
    options.textInBytes = Self.textLimitInBytes
    return try JSONReader(options) { event in try envelope.take(event) }
  }

  /// Returns the error for a response that is not JSON; a missing interface responds with a page and status 404.
  private func noJSON() -> RPCError {
    if head.status == 404 { return .methodMissing(place) }
    let text = words.clean(String(decoding: beginning, as: UTF8.self), limit: Self.shownCharacters)
    return .notJSON(place, status: head.status, type: words.clean(head.mediaType, limit: 60), beginning: text)
  }

  private func failure(_ fault: RPCEnvelope.Fault) -> RPCFailure {
    let message = words.clean(fault.message)
    let error: RPCError =
      switch fault.code {
      case -32601: .methodMissing(place)
      case -32602, -32600, -32700: .refused(place, message: message)
      default: .remote(place, exception: words.clean(fault.exception, limit: 200), message: message)
      }
    return RPCFailure(error: error, endsSession: Self.endsSession(fault.exception) && !envelope.hasResult)
  }

  /// Returns true if an exception's name is that of an expired session; messages are never examined.
  ///
  /// - Source: the sources of openBIS, its V1 and V3 interfaces; the package differs between the parts of openBIS.
  private static func endsSession(_ exception: String) -> Bool {
    exception == "InvalidSessionException" || exception.hasSuffix(".InvalidSessionException")
  }
}

/// An error reported by the server, before it is decided how to handle it.
struct RPCFailure: Error {
  var error: RPCError
  /// A Boolean value indicating whether a new session may help.
  var endsSession: Bool
}
