internal import PluginServer
internal import PluginStore
internal import Synchronization

/// Responds to the requests of a simulated service.
final class DatabaseSimulatorCore: Sendable {
  /// The mutable state while it runs.
  struct State {
    /// The documents, and those of a later state that faults mix in.
    var documents: [String: [UInt8]] = [:]
    var later: [String: [UInt8]] = [:]
    var faults: [DatabaseFaultRule] = []
    /// The number of requests for each document.
    var counts: [String: Int] = [:]
    var requests: [String] = []
    var running = 0
    var most = 0
  }

  let state = Mutex(State())
  private let setup: DatabaseSimulatorSetup

  init(_ records: DatabaseRecords, _ setup: DatabaseSimulatorSetup) {
    self.setup = setup
    state.withLock { $0.faults = setup.faults }
    serve(records)
  }

  /// Serves the documents of a state of the database.
  func serve(_ records: DatabaseRecords) {
    var later = records
    later.snapshot += "-later"
    let damaged = state.withLock { $0.faults.filter { $0.fault == .malformed } }
    let documents = documents(of: records, damaged: damaged)
    let others = self.documents(of: later, damaged: damaged)
    state.withLock { ($0.documents, $0.later) = (documents, others) }
  }

  /// Returns the documents as sent, with a manifest computed from them.
  private func documents(of records: DatabaseRecords, damaged: [DatabaseFaultRule]) -> [String: [UInt8]] {
    let written = ContractWriter.documents(of: records).dropFirst().map { document in
      var document = document
      let isDamaged = damaged.contains { $0.holds(for: document.path, number: 0) }
      document.bytes = setup.envelope.wrapped(
        isDamaged ? Array(document.bytes.prefix(document.bytes.count / 2)) : document.bytes)
      return document
    }
    let manifest = DatabaseManifest(snapshot: records.snapshot, documents: written.map(\.entry))
    var all = Dictionary(written.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
    all["manifest.xml"] = setup.envelope.wrapped(ContractWriter.document(of: manifest))
    return all
  }

  func answer(_ request: ServerRequest) async throws -> ServerResponse {
    var path = String(request.path.drop { $0 == "/" })
    let again = "again/"
    let isRedirected = path.hasPrefix(again)
    if isRedirected { path = String(path.dropFirst(again.count)) }
    let (bytes, fault) = state.withLock { state -> ([UInt8]?, DatabaseFault?) in
      state.requests.append(path)
      state.running += 1
      state.most = max(state.most, state.running)
      let number = state.counts[path] ?? 0
      state.counts[path] = number + 1
      let fault = state.faults.first {
        $0.holds(for: path, number: number) && !(isRedirected && $0.fault == .redirect)
      }?.fault
      return (content(path, fault, state), fault)
    }
    defer { state.withLock { $0.running -= 1 } }
    let latency = setup.latencies[path] ?? setup.latencyInMilliseconds
    let wait = latency + (fault == .delay ? setup.delayInMilliseconds : 0)
    if wait > 0 { try await Task.sleep(for: .milliseconds(wait)) }
    guard let bytes else { return ServerResponse(404, text: "there is no '\(path)'\n") }
    let tag = "\"\(SHA256.hexadecimal(of: bytes))\""
    if fault == nil || fault == .delay, request.header("If-None-Match") == tag {
      return ServerResponse(304, headers: [.init("ETag", tag)])
    }
    var response = Self.response(bytes, fault, path: path)
    if response.status == 200 { response.headers.append(.init("ETag", tag)) }
    return response
  }

  /// Returns the bytes of a document, altered by some faults.
  private func content(_ path: String, _ fault: DatabaseFault?, _ state: State) -> [UInt8]? {
    guard var bytes = state.documents[path] else { return nil }
    switch fault {
    case .mixedSnapshot: return state.later[path] ?? bytes
    case .shortBody: return Array(bytes.prefix(bytes.count / 2))
    case .hashMismatch:
      // Any digit will do: the digest is checked before anything is read.
      if let place = bytes.firstIndex(of: UInt8(ascii: "1")) { bytes[place] = UInt8(ascii: "2") }
      return bytes
    case .webPage: return Array("<!DOCTYPE html><html><body>Please log in</body></html>".utf8)
    case .soapFault:
      return Array(
        """
        <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault>\
        <faultcode>soap:Server</faultcode><faultstring>the database is being changed</faultstring>\
        </soap:Fault></soap:Body></soap:Envelope>
        """.utf8)
    default: return bytes
    }
  }

  private static func response(_ bytes: [UInt8], _ fault: DatabaseFault?, path: String) -> ServerResponse {
    let half = bytes.count / 2
    let wire: ServerResponse.Fault? =
      switch fault {
      case .reset: .reset(after: half)
      case .cut: .cut(after: half)
      case .overstated: .overstated(by: 10)
      case .stall: .stall(after: half)
      case .drip: .drip(bytes: max(1, bytes.count / 20), milliseconds: 10)
      default: nil
      }
    switch fault {
    case .error500: return ServerResponse(500, text: "it broke\n")
    case .busy503: return ServerResponse(503, text: "busy\n")
    case .tooMany429: return ServerResponse(429, headers: [.init("Retry-After", "1")])
    case .missing404: return ServerResponse(404, text: "gone\n")
    case .redirectLoop: return ServerResponse(302, headers: [.init("Location", "/\(path)")])
    case .redirect: return ServerResponse(302, headers: [.init("Location", "/again/\(path)")])
    default: return ServerResponse(type: "text/xml; charset=utf-8", bytes, fault: wire)
    }
  }
}
