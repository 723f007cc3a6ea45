import PluginAPI
import PluginJSON
import PluginNet
import PluginText

/// A reader of the response to one call while it arrives.
// Its variables belong to the thread of all transfers until the transfer has ended, then to the calling task.
final class RPCResponseReader: @unchecked Sendable {
  /// The id of the call.
  let id: Int
  private let target: RPCTarget
  private let sanitizer: MessageSanitizer
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

  init(_ target: RPCTarget, _ sanitizer: MessageSanitizer, id: Int, _ reader: any RPCResultReader) {
    self.target = target
    self.sanitizer = sanitizer
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
  func finish(_ head: HTTPHead) throws -> RPCResponse {
    if isPage || size == 0 { throw noJSON() }
    try reading { reader in try reader.finish() }
    do {
      try envelope.check(id: id)
    } catch {
      throw RPCError.protocolBroken(target, reason: sanitizer.clean(error.reason))
    }
    if let fault = envelope.fault { throw failure(fault) }
    guard head.isSuccess else {
      throw RPCError.protocolBroken(target, reason: "it has a result, but the status is \(head.status)")
    }
    return RPCResponse(
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
      throw RPCError.unreadable(target, reason: sanitizer.clean(error.report.message))
    } catch let error as UselessResult {
      if !envelope.hasBegun { throw noJSON() }
      throw RPCError.useless(target, reason: sanitizer.clean(error.reason))
    } catch let error as GraphError {
      if !envelope.hasBegun { throw noJSON() }
      throw RPCError.graph(target, error)
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
    if head.status == 404 { return .methodMissing(target) }
    let text = sanitizer.clean(String(decoding: beginning, as: UTF8.self), limit: Self.shownCharacters)
    return .notJSON(target, status: head.status, type: sanitizer.clean(head.mediaType, limit: 60), beginning: text)
  }

  private func failure(_ fault: RPCEnvelope.Fault) -> RPCFailure {
    let message = sanitizer.clean(fault.message)
    let error: RPCError =
      switch fault.code {
      case -32601: .methodMissing(target)
      case -32602, -32600, -32700: .refused(target, message: message)
      default: .remote(target, exception: sanitizer.clean(fault.exception, limit: 200), message: message)
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

/// A reader of a JSON-RPC response while it arrives, which forwards the events of its result.
///
/// - Source: JSON-RPC 2.0, section 5; `"error":null` beside a result is accepted, as of version 1.
// Its variables belong to the thread of all transfers while a response arrives.
final class RPCEnvelope {
  /// The content of the member `error`.
  struct Fault: Equatable {
    var code = 0
    var message = ""
    /// The class of the server's exception; "" if it is not reported.
    var exception = ""
  }

  private enum Member {
    case none, result, error, id
  }

  private let reader: any RPCResultReader
  private var member = Member.none
  /// The number of open objects and lists within the result.
  private var depth = 0
  private var isOpen = false
  /// A Boolean value indicating whether the whole object was read.
  private(set) var isComplete = false
  /// A Boolean value indicating whether a result other than null has begun, which the reader cannot undo.
  private(set) var hasResult = false
  private var hasNullResult = false
  private(set) var fault: Fault?
  /// The id as written in the response; nil if there was none.
  private var id: [UInt8]?

  init(_ reader: any RPCResultReader) {
    self.reader = reader
  }

  /// A Boolean value indicating whether a response has begun, ignoring leading blanks.
  var hasBegun: Bool { isOpen || isComplete }

  /// Processes an event of the response.
  func take(_ event: JSONEvent) throws -> JSONFlow {
    if member == .result { return try takeResult(event) }
    switch event {
    case .beginObject where !isOpen: isOpen = true
    case .endObject: (isOpen, isComplete) = (false, true)
    case .key("result"):
      if hasResult || hasNullResult { throw UselessResult("it has two results") }
      member = .result
    case .key("error"):
      member = .error
      return .raw
    case .key("id"):
      member = .id
      return .raw
    case .key: return .skip
    case .raw(let text):
      if member == .error { fault = Self.fault(Array(text.bytes)) } else { id = Array(text.bytes) }
      member = .none
    default: throw UselessResult("it is not an object")
    }
    return .more
  }

  private func takeResult(_ event: JSONEvent) throws -> JSONFlow {
    switch event {
    case .beginObject, .beginArray:
      hasResult = true
      let flow = try reader.take(event)
      // Skipped values and raw values do not report an end.
      if flow == .more { depth += 1 } else if flow == .skip, depth == 0 { member = .none }
      return flow
    case .endObject, .endArray: depth -= 1
    case .null where depth == 0: hasNullResult = true
    case .key: break
    default: hasResult = true
    }
    let flow = try reader.take(event)
    if depth == 0 { member = .none }
    return flow
  }

  /// Checks the response as a whole.
  ///
  /// - Throws: ``UselessResult`` with the violation of the protocol.
  func check(id expected: Int) throws(UselessResult) {
    guard isComplete else { throw UselessResult("it has no content") }
    let text = id.map { String(decoding: $0, as: UTF8.self) }
    if fault != nil {
      // Requests that could not be parsed are answered with null.
      if text == nil || text == "null" { return }
    } else if !hasResult, !hasNullResult {
      throw UselessResult("it has neither a result nor an error")
    }
    guard text == "\(expected)" || text == "\"\(expected)\"" else {
      throw UselessResult(text == nil ? "it has no id of a call" : "it belongs to another call")
    }
  }

  /// Returns the content of `error`; nil for null.
  private static func fault(_ json: [UInt8]) -> Fault? {
    guard let value = try? Value(json: json, depth: 64) else { return Fault(message: "unreadable error message") }
    if value.isNull { return nil }
    if let text = value.text { return Fault(message: text) }
    var fault = Fault(code: value["code"].integer ?? 0, message: value["message"].text ?? "")
    fault.exception = value["data"]["exceptionTypeName"].text ?? ""
    if fault.message.isEmpty { fault.message = value["data"]["message"].text ?? "no reason given" }
    return fault
  }
}

/// A sanitizer of a server's texts for messages, without secrets and control characters, and of limited length.
struct MessageSanitizer: Sendable {
  private let secrets: [String]

  /// Creates a sanitizer that hides the secrets of a call.
  init(hiding secrets: [Secret?]) {
    // A shorter secret would hide half of all words, and reveal itself by that.
    self.secrets = secrets.compactMap { $0?.text }.filter { $0.utf8.count >= 4 }
  }

  private static let mark = "•••"

  /// Returns the text without secrets, on one line, of limited length in characters.
  func clean(_ text: String, limit: Int = 500) -> String {
    var text = text
    for secret in secrets { text = ByteSearch.replacing(secret, in: text, with: Self.mark) }
    text = Self.withoutTokens(text)
    var line = ""
    for scalar in text.unicodeScalars {
      if scalar == " " || scalar.properties.generalCategory == .control {
        if !line.isEmpty, !line.hasSuffix(" ") { line.append(" ") }
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    while line.hasSuffix(" ") { line.removeLast() }
    // Marks of writing direction hide and reorder the text beside them.
    line = SanitizedText.line(line, limit: .max >> 8)
    return line.count > limit ? String(line.prefix(limit)) + "…" : line
  }

  /// Hides everything that looks like a token: `user-digits'x'hex` and `$pat-…`; other users' tokens are secret too.
  ///
  /// - Source: the sources of openBIS, its V1 and V3 interfaces (the shape of tokens).
  private static func withoutTokens(_ text: String) -> String {
    var out = ""
    var word = ""
    func flush() {
      out += isToken(word) ? mark : word
      word = ""
    }
    for character in text {
      if character.isWhitespace || "'\"<>(),;&=?".contains(character) {
        flush()
        out.append(character)
      } else {
        word.append(character)
      }
    }
    flush()
    return out
  }

  private static func isToken(_ word: String) -> Bool {
    if word.utf8.count < 12 { return false }
    if word.hasPrefix("$pat-") { return true }
    guard let dash = word.utf8.lastIndex(of: UInt8(ascii: "-")) else { return false }
    let remaining = word.utf8[word.utf8.index(after: dash)...]
    let digits = remaining.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    let tail = remaining.dropFirst(digits.count)
    guard digits.count >= 8, tail.first == UInt8(ascii: "x") else { return false }
    return tail.dropFirst().prefix { Hexadecimal.value($0) != nil }.count >= 4
  }
}

/// The date in the head of a response.
///
/// - Source: RFC 9110, section 5.6.7 (IMF-fixdate, the only form that servers may send).
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil if the text is not a date.
  static func seconds(_ text: String) -> Double? {
    let fields = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }.map { String(Substring($0)) }
    guard fields.count == 8, fields[7] == "GMT", let day = Int(fields[1]), let month = months.firstIndex(of: fields[2]),
      let year = Int(fields[3]), let hour = Int(fields[4]), let minute = Int(fields[5]), let second = Int(fields[6]),
      (1970...9999).contains(year), (1...31).contains(day), (0..<24).contains(hour), (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    return Double(days(year, month + 1, day) * 86400 + hour * 3600 + minute * 60 + second)
  }

  /// Returns the days since 1970 of a day of the Gregorian calendar, with years beginning in March.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let years = month < 3 ? year - 1 : year
    let (era, yearOfEra) = (years / 400, years % 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
