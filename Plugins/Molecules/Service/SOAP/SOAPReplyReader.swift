import PluginNet
import PluginText
import PluginXML
import Synchronization

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
  func take(_ piece: UnsafeRawBufferPointer) throws -> HTTPFlow {
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
    return try XMLReader(limits: limits) { [weak self] in try self?.take($0) }
  }

  private func take(_ event: XMLEvent) throws {
    switch event {
    case .begin(let element): if Self.counts(element.name) { texts.append([]) }
    case .text(let bytes):
      // A code is short: longer text is not a code and need not be stored.
      if let last = texts.indices.last, texts[last].count < 4096 { texts[last] += bytes }
    case .end(let name):
      if name.local == "Envelope" { state.withLock { $0.hasEnded = true } }
      if Self.counts(name), let text = texts.popLast() { try take(String(decoding: text, as: UTF8.self), of: name) }
    @unknown default: break
    }
  }

  private static func counts(_ name: XMLName) -> Bool {
    name.local == "keywordQueryReturn" || name.local == "faultstring"
  }

  private func take(_ text: String, of name: XMLName) throws {
    let trimmed = text.replacingLineEnds().trimmed()
    let isEnough = state.withLock { state in
      if name.local == "faultstring" { state.fault = trimmed.isEmpty ? "it does not say why" : trimmed }
      if name.local == "keywordQueryReturn", !trimmed.isEmpty, !state.codes.contains(trimmed) {
        state.codes.append(trimmed)
      }
      return state.fault != nil || state.codes.count >= limit
    }
    if isEnough { throw Enough() }
  }
}
