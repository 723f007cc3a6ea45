import PluginAPI
import PluginNet
import PluginText
import PluginXML
import Synchronization

/// The Protein Data Bank of 2008: SOAP search, titles.jsp, gzipped PDB files.
///
/// - Source: the requests of Molecules 1.2 (2008), its file SLSMoleculeSearchViewController.m.
struct SOAPService: Sendable {
  private static let name = "the SOAP service"
  private let services: RemoteServices

  init(_ services: RemoteServices) {
    self.services = services
  }

  /// Returns the codes of entries with a keyword.
  ///
  /// The response contains all codes, thousands for common words: it is streamed, and the connection is closed once
  /// there are enough. A truncated response is usable if it contains codes.
  /// - Throws: ``ServiceError/fault(service:reason:)``, ``ServiceError/unreadableReply(service:reason:)``, network
  ///   errors.
  func search(_ keyword: String, rows: Int) async throws -> [String] {
    let reader = SOAPReplyReader(limit: rows)
    var request = HTTPRequest(
      services.endpoints[.soapQuery], body: Array(Self.searchBody(keyword).utf8),
      headers: ["Content-Type": "text/xml", "SOAPAction": "\"\""], limitInBytes: Self.replyLimit(rows: rows))
    request.deadlineInSeconds = services.deadlineInSeconds
    request.isRepeatable = true
    let head: HTTPHead
    do {
      head = try await services.client.stream(request) { try reader.receive($0) }
    } catch let error as HTTPError {
      guard reader.isUsable(after: error) else { throw error }
      return reader.codes
    }
    if let fault = reader.fault { throw ServiceError.fault(service: Self.name, reason: fault) }
    try head.checked()
    if let problem = reader.problem { throw ServiceError.unreadableReply(service: Self.name, reason: problem) }
    return reader.codes
  }

  /// Returns the largest number of bytes of a response: the original application dropped the connection after 3700 for
  /// its 50 codes; three times as much leaves room for longer elements.
  static func replyLimit(rows: Int) -> Int { 4096 + rows * 222 }

  /// Returns the body of a keyword search request.
  ///
  /// - Source: SOAP 1.1, section 7 (rpc) and 5 (encoding).
  static func searchBody(_ keyword: String) -> String {
    let envelope = "http://schemas.xmlsoap.org/soap/envelope/"
    let encoding = "http://schemas.xmlsoap.org/soap/encoding/"
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <SOAP-ENV:Envelope xmlns:xsd="http://www.w3.org/2001/XMLSchema" \
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:SOAP-ENC="\(encoding)" \
      SOAP-ENV:encodingStyle="\(encoding)" xmlns:SOAP-ENV="\(envelope)"><SOAP-ENV:Body>\
      <m:keywordQuery xmlns:m="webservices.pdb.org"><in0 xsi:type="xsd:string">\(XMLEscape.content(keyword))</in0>\
      <in1 xsi:type="xsd:boolean">false</in1><in2 xsi:type="xsd:boolean">false</in2></m:keywordQuery>\
      </SOAP-ENV:Body></SOAP-ENV:Envelope>

      """
  }

  /// Returns the hits with their titles; those without a title are unchanged.
  func described(_ hits: [SearchHit]) async throws -> [SearchHit] {
    let titles = try await titles(hits.map(\.code))
    return hits.map { SearchHit(code: $0.code, title: titles[$0.code.uppercased()] ?? "") }
  }

  /// Returns titles by code; none for an empty response.
  private func titles(_ codes: [String]) async throws -> [String: String] {
    // Every code is preceded by a comma, including the first one.
    let list = codes.map { "," + $0 }.joined()
    let address = services.endpoints[.soapTitles]
    let mark = address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    let response = try await services.send(
      HTTPRequest(address + mark + "structureIdList=" + list, limitInBytes: 1 << 20))
    try response.head.checked()
    return Self.titles(response.body)
  }

  /// Returns the titles of a response: a line each, four characters of code, then the title.
  static func titles(_ reply: [UInt8]) -> [String: String] {
    var titles: [String: String] = [:]
    for line in reply.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      guard line.count > 4 else { continue }
      let code = String(decoding: line.prefix(4), as: UTF8.self).uppercased()
      guard (try? RCSBService.checked(code)) != nil else { continue }
      var title = String(decoding: line.dropFirst(4), as: UTF8.self).trimmed()
      while title.hasSuffix(";") { title.removeLast() }
      titles[code] = title
    }
    return titles
  }

  /// Returns the page of an entry.
  func page(_ code: String) async throws -> MoleculePage {
    let code = try RCSBService.checked(code)
    guard let title = try await titles([code])[code] else { throw ServiceError.unknownCode(code, service: Self.name) }
    return MoleculePage(
      code: code, title: title, abstract: nil,
      address: HTTPAddress.with(services.endpoints[.soapPages], query: [("structureId", code)]))
  }

  /// Returns the file of an entry.
  func file(_ code: String) throws(ErrorReport) -> RemoteFile {
    let code = try RCSBService.checked(code)
    let name = code + ".pdb.gz"
    return RemoteFile(
      address: HTTPAddress.appending(name, to: services.endpoints[.soapFiles]), name: name, code: code,
      service: Self.name)
  }
}

/// Reads the codes of a keywordQuery response while it arrives.
///
/// Hits are texts of elements `keywordQueryReturn`, whatever their prefix. They are in an outer element of the same
/// name, the array, which has no text of its own and is not a hit.
final class SOAPReplyReader: Sendable {
  private struct State {
    var codes: [String] = []
    var fault: String?
    var problem: String?
    var hasEnded = false
  }

  private let limit: Int
  private let state = Mutex(State())
  // Only the thread of the transfers uses it, one piece after the other.
  nonisolated(unsafe) private var reader: XMLReader?
  /// The texts of the open elements that are hits.
  nonisolated(unsafe) private var texts: [[UInt8]] = []

  init(limit: Int) {
    self.limit = limit
  }

  var codes: [String] { state.withLock { $0.codes } }
  /// The failure reported by the service.
  var fault: String? { state.withLock { $0.fault } }
  /// The reason why the response is malformed; nil for a truncated one.
  var problem: String? {
    state.withLock { state in
      state.problem ?? (state.hasEnded || !state.codes.isEmpty ? nil : "it ends before its first code")
    }
  }

  /// Returns true if the part received before the connection failed can be used.
  func isUsable(after error: HTTPError) -> Bool {
    switch error {
    case .cutShort, .tooLarge, .timedOut: !codes.isEmpty && fault == nil
    default: false
    }
  }

  /// Receives a piece of the response.
  func receive(_ piece: UnsafeRawBufferPointer) throws -> HTTPFlow {
    let reader = try self.reader ?? makeReader()
    self.reader = reader
    do {
      try reader.push(piece)
    } catch is Enough {
      return .enough
    } catch let error as XMLError {
      state.withLock { $0.problem = $0.codes.isEmpty ? error.description : nil }
      return .enough
    }
    return .more
  }

  private struct Enough: Error {}

  private func makeReader() throws -> XMLReader {
    var limits = XMLReader.Limits()
    limits.depth = 64
    return try XMLReader(limits: limits) { [weak self] in try self?.receive($0) }
  }

  private func receive(_ event: XMLEvent) throws {
    switch event {
    case .begin(let element): if Self.counts(element.name) { texts.append([]) }
    case .text(let bytes):
      // A code is short: longer text is not a code and need not be stored.
      if let last = texts.indices.last, texts[last].count < 4096 { texts[last] += bytes }
    case .end(let name):
      if name.local == "Envelope" { state.withLock { $0.hasEnded = true } }
      if Self.counts(name), let text = texts.popLast() { try add(String(decoding: text, as: UTF8.self), of: name) }
    @unknown default: break
    }
  }

  private static func counts(_ name: XMLName) -> Bool {
    name.local == "keywordQueryReturn" || name.local == "faultstring"
  }

  private func add(_ text: String, of name: XMLName) throws {
    let trimmed = text.replacingLineEnds().trimmed()
    let isEnough = state.withLock { state in
      if name.local == "faultstring" { state.fault = trimmed.isEmpty ? "no reason given" : trimmed }
      if name.local == "keywordQueryReturn", !trimmed.isEmpty, !state.codes.contains(trimmed) {
        state.codes.append(trimmed)
      }
      return state.fault != nil || state.codes.count >= limit
    }
    if isEnough { throw Enough() }
  }
}
