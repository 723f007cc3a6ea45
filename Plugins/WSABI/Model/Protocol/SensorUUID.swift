import PluginText

/// The id of a session or of captured data: a UUID, kept as the service wrote it.
///
/// Two ids are compared ignoring case. Only such ids become part of an address.
struct SensorUUID: Sendable {
  /// The id as received: 8-4-4-4-12 hexadecimal digits of either case.
  let text: String

  /// Creates an id from a text in the form of a UUID, ignoring surrounding blanks; nil for any other text.
  init?(_ text: String) {
    let bytes = Array(text.trimmed().utf8)
    guard bytes.count == 36 else { return nil }
    for (index, byte) in bytes.enumerated() {
      switch index {
      case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
      default: guard Self.isDigit(byte) else { return nil }
      }
    }
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { Hexadecimal.value(byte) != nil }

  /// The spelling by which it is compared and filed.
  var key: String { text.lowercased() }
}

extension SensorUUID: Hashable, CustomStringConvertible {
  static func == (left: SensorUUID, right: SensorUUID) -> Bool { left.key == right.key }

  func hash(into hasher: inout Hasher) { hasher.combine(key) }

  var description: String { text }
}
