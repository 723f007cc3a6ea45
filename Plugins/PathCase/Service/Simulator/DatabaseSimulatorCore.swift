internal import PluginServer
internal import Synchronization

/// Answers the requests of a simulated service.
final class DatabaseSimulatorCore: Sendable {
  /// What changes while it runs.
  struct State {
    /// The documents, and those of a later state with which faults mix them.
    var documents: [String: [UInt8]] = [:]
    var later: [String: [UInt8]] = [:]
    var faults: [DatabaseFaultRule] = []
    /// How often each document was asked for.
    var counts: [String: Int] = [:]
    var requests: [String] = []
    var running = 0
    var most = 0
  }

  let state = Mutex(State())
  private let delay: Duration

  init(_ records: DatabaseRecords, faults: [DatabaseFaultRule], delayInMilliseconds: Int) {
    delay = .milliseconds(delayInMilliseconds)
    state.withLock { $0.faults = faults }
    serve(records)
  }

  /// Serves the documents of a state of the database.
  func serve(_ records: DatabaseRecords) {
    var later = records
    later.snapshot += "-later"
    let documents = ContractWriter.documents(of: records)
    let others = ContractWriter.documents(of: later)
    state.withLock { state in
      state.documents = Dictionary(documents.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
      state.later = Dictionary(others.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
    }
  }

  func answer(_ request: ServerRequest) async throws -> ServerResponse {
    let path = String(request.path.drop { $0 == "/" })
    let (bytes, fault) = state.withLock { state -> ([UInt8]?, DatabaseFault?) in
      state.requests.append(path)
      state.running += 1
      state.most = max(state.most, state.running)
      let number = state.counts[path] ?? 0
      state.counts[path] = number + 1
      let fault = state.faults.first { $0.holds(for: path, number: number) }?.fault
      return (content(path, fault, state), fault)
    }
    defer { state.withLock { $0.running -= 1 } }
    if fault == .delay { try await Task.sleep(for: delay) }
    guard let bytes else { return ServerResponse(404, text: "there is no '\(path)'\n") }
    return Self.response(bytes, fault, path: request.path)
  }

  /// The bytes of a document; with some faults others.
  private func content(_ path: String, _ fault: DatabaseFault?, _ state: State) -> [UInt8]? {
    guard var bytes = state.documents[path] else { return nil }
    switch fault {
    case .mixedSnapshot: return state.later[path] ?? bytes
    case .shortBody: return Array(bytes.prefix(bytes.count / 2))
    case .hashMismatch:
      // The last letter of the snapshot's name, which leaves it well-formed.
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
      default: nil
      }
    switch fault {
    case .error500: return ServerResponse(500, text: "it broke\n")
    case .busy503: return ServerResponse(503, text: "busy\n")
    case .tooMany429: return ServerResponse(429, headers: [.init("Retry-After", "1")])
    case .missing404: return ServerResponse(404, text: "gone\n")
    case .redirectLoop: return ServerResponse(302, headers: [.init("Location", path)])
    default: return ServerResponse(type: "text/xml; charset=utf-8", bytes, fault: wire)
    }
  }
}
