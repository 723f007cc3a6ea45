import PluginNet
import PluginText
import TestSupport

@testable import WSABI
@testable import WSABISimulator

/// A probe that sends requests to a service by plain HTTP and searches its responses for tags; shares no code with
/// client or simulator.
struct SensorProbe: Sendable {
  let base: String
  var deadlineInSeconds = 60.0
  private static let client = HTTPClient(.init(isOffline: false))

  init(_ base: String) { self.base = base }

  /// Sends a request; returns the response whatever its status, or 'no answer' if there was none.
  func ask(_ method: String, _ path: String, _ body: String? = nil, type: String = "application/xml") async
    -> ProbeAnswer
  {
    await ask(method, path, bytes: body.map { Array($0.utf8) }, type: type)
  }

  func ask(_ method: String, _ path: String, bytes: [UInt8]?, type: String) async -> ProbeAnswer {
    let sent = method == "GET" ? nil : bytes ?? []
    var request = HTTPRequest(base + path, body: sent, headers: ["Content-Type": type], limitInBytes: 1 << 28)
    request.method = method
    (request.isRepeatable, request.isSentOnce) = (false, true)
    request.deadlineInSeconds = deadlineInSeconds
    let start = ContinuousClock.now
    do {
      let response = try await Self.client.send(request)
      return ProbeAnswer(
        http: response.head.status, type: response.head.headers["Content-Type"] ?? "", body: response.body,
        statedLength: response.head.statedLength, encoding: response.head.headers["Content-Encoding"],
        time: ContinuousClock.now - start)
    } catch {
      return ProbeAnswer(http: 0, type: "", body: [])
    }
  }

  /// Sends a request on its own connection; the result has all bytes received, including heads and chunks.
  func bare(_ method: String, _ path: String) async -> ProbeAnswer {
    let parts = base.dropFirst("http://".count).split(separator: "/", maxSplits: 1)
    let port = parts.first?.split(separator: ":").last.flatMap { Int($0) } ?? 0
    let head = "\(method) /\(parts.last ?? "")\(path) HTTP/1.1\r\nHost: \(parts.first ?? "")\r\n"
    let request = Array((head + "Content-Length: 0\r\nConnection: close\r\n\r\n").utf8)
    let text = await within(Int(deadlineInSeconds)) { await RawClient.talk(port, request) } ?? ""
    return ProbeAnswer(http: text.hasPrefix("HTTP/1.1 200 ") ? 200 : 0, type: "", body: Array(text.utf8))
  }

  /// Returns the id of a new session.
  func register() async -> String { await ask("POST", "/register").text("sessionId") }

  /// Returns a session with the lock and an initialized sensor.
  func ready() async -> String {
    let session = await register()
    _ = await ask("POST", "/lock/\(session)")
    _ = await ask("POST", "/initialize/\(session)")
    return session
  }

  /// Returns a configuration document of strings.
  static func configuration(_ items: [(String, String)], namespace: SimulatedNamespace = .bioserv) -> String {
    let all = items.map { "<item><key>\($0)</key><value xsi:type=\"\($1)</value></item>" }.joined()
    return """
      <?xml version="1.0"?><configuration xmlns="\(namespace.urn)" \
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema">\(all)</configuration>
      """
  }
}

/// A response to the probe.
struct ProbeAnswer: Sendable {
  /// 0 without a response.
  let http: Int
  let type: String
  let body: [UInt8]
  var statedLength: Int?
  var encoding: String?
  /// The time from the request to the end of the response.
  var time = Duration.zero

  var whole: String { String(decoding: body, as: UTF8.self) }
  /// The status of the protocol, or that of HTTP if there is no document.
  var status: String {
    let word = text("status")
    return word.isEmpty ? "http \(http)" : word
  }
  var badFields: [String] { elements("badFields") }
  var captureIDs: [String] { elements("captureIds") }
  /// The keys of the metadata, in order.
  var keys: [String] { pieces("<key>", "</key>") }

  /// Returns the text of the first element with a name.
  func text(_ name: String) -> String { pieces("<\(name)>", "</\(name)>").first ?? "" }

  /// Returns the value of a key, with its tags.
  func value(_ key: String) -> String {
    guard let item = pieces("<item>", "</item>").first(where: { $0.hasPrefix("<key>\(key)</key>") }) else { return "" }
    let start = item.dropFirst("<key>\(key)</key>".count).drop { $0 != ">" }.dropFirst()
    return start.hasSuffix("</value>") ? String(start.dropLast("</value>".count)) : String(start)
  }

  /// The bytes of the data; empty if there is none, or it is not base64.
  var data: [UInt8] { Base64.bytes(text("sensorData")) ?? [] }

  /// The sizes of the chunks of a bare response, including the empty last one; empty if it was not chunked.
  var chunkSizes: [Int] {
    let (line, ends) = (Array("\r\n".utf8), Array("\r\n\r\n".utf8))
    guard whole.contains("Transfer-Encoding: chunked\r\n"), var place = find(ends, 0).map({ $0 + ends.count }) else {
      return []
    }
    var sizes: [Int] = []
    while let end = find(line, place), let size = Int(String(decoding: body[place..<end], as: UTF8.self), radix: 16) {
      sizes.append(size)
      place = end + line.count + size + line.count
    }
    return sizes
  }

  private func elements(_ name: String) -> [String] {
    let whole = ProbeAnswer(http: http, type: type, body: Array(text(name).utf8))
    return whole.pieces("<element>", "</element>")
  }

  /// Returns the texts between two marks.
  private func pieces(_ begin: String, _ end: String) -> [String] {
    let (begin, end) = (Array(begin.utf8), Array(end.utf8))
    var (found, place): ([String], Int) = ([], 0)
    while let start = find(begin, place).map({ $0 + begin.count }), let stop = find(end, start) {
      found.append(String(decoding: body[start..<stop], as: UTF8.self))
      place = stop
    }
    return found
  }

  private func find(_ mark: [UInt8], _ from: Int) -> Int? {
    from <= body.count ? ByteSearch.firstIndex(of: mark, in: body[from...]) : nil
  }
}
