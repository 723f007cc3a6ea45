import PluginText

/// A document on its way out: bytes, with the data of a capture somewhere among them.
struct SimulatedDocument: Sendable {
  /// The form of the data in the document; all but the first two are faults.
  enum DataForm: Sendable, Hashable {
    case plain
    /// In lines of 76 characters.
    case wrapped
    case inCDATA
    case junk
    /// Without its last characters, so that no group is whole.
    case cut
    /// With padding in the middle.
    case paddedInside
    case empty
  }

  var head: [UInt8] = []
  var data: SimulatedData?
  var tail: [UInt8] = []
  var dataForm = DataForm.plain

  /// Its length; nil if only writing it determines it.
  var count: Int? {
    guard let data else { return head.count + tail.count }
    return dataForm == .plain ? head.count + tail.count + (data.count + 2) / 3 * 4 : nil
  }

  /// All of it.
  var bytes: [UInt8] {
    guard let data else { return head + tail }
    return head + text(of: data) + tail
  }

  /// Hands it over piece by piece.
  func write(_ take: ([UInt8]) async throws -> Void) async throws {
    guard let data, dataForm == .plain else { return try await take(bytes) }
    try await take(head)
    try await data.writeBase64(take)
    try await take(tail)
  }

  private func text(of data: SimulatedData) -> [UInt8] {
    let text = dataForm == .empty ? [] : Base64.encoded(data.bytes)
    switch dataForm {
    case .plain, .empty: return text
    case .wrapped:
      var lines: [UInt8] = []
      for start in stride(from: 0, to: text.count, by: 76) {
        lines += text[start..<min(text.count, start + 76)] + [0x0D, 0x0A]
      }
      return lines
    case .inCDATA: return Array("<![CDATA[".utf8) + text + Array("]]>".utf8)
    case .junk: return Array(text.prefix(text.count / 2)) + Array("*!~ junk ~!*".utf8) + text.suffix(text.count / 2)
    case .cut: return Array(text.prefix(max(1, text.count - 3)))
    case .paddedInside: return Array(text.prefix(text.count / 8 * 4)) + Array("QQ==".utf8) + text.suffix(8)
    }
  }
}
