import PluginText

/// Changes the bytes of a document.
struct FaultyBytes: Sendable {
  private let fault: SimulatorFault

  init(_ fault: SimulatorFault) { self.fault = fault }

  func changed(_ bytes: [UInt8]) -> [UInt8] {
    switch fault {
    case .cutTag: Array(bytes.dropLast(5))
    case .junkBehind: bytes + Array("<more/>junk".utf8)
    case .mismatchedTags: bytes.replacing("</status>", with: "</state>")
    case .doctype: prolog(bytes, "<!DOCTYPE result>")
    case .externalEntity:
      prolog(bytes, "<!DOCTYPE result [<!ENTITY file SYSTEM \"file:///etc/hostname\">]>")
        .inserting(Self.plain("<message>&file;</message>"), before: "<status>")
    case .entityBomb: prolog(bytes, Self.bomb).inserting(Self.plain("<message>&e9;</message>"), before: "<status>")
    case .deep: bytes.inserting(Self.nesting, before: "<status>")
    case .manyItems: bytes.inserting(Self.items, before: "</metadata>")
    case .bigKey:
      bytes.inserting(
        Self.plain("<item><key>") + [UInt8](repeating: UInt8(ascii: "k"), count: 10 << 20)
          + Self.plain("</key><value/></item>"), before: "</metadata>")
    case .badUTF8:
      bytes.inserting([UInt8]("<message>".utf8) + [0xC3, 0x28, 0xFF] + Self.plain("</message>"), before: "<status>")
    case .escapeCharacters:
      bytes.inserting([UInt8]("<message>".utf8) + [0x1B] + Self.plain("[2J</message>"), before: "<status>")
    case .nul: bytes.inserting([0], before: "</status>")
    case .utf16: utf16(bytes)
    case .bom: [0xEF, 0xBB, 0xBF] + bytes
    default: bytes
    }
  }

  /// Returns the document with an insertion between its declaration and its first element.
  private func prolog(_ bytes: [UInt8], _ text: String) -> [UInt8] {
    let place =
      ByteSearch.firstIndex(of: "<result".utf8, in: bytes) ?? ByteSearch.firstIndex(of: "<w:result".utf8, in: bytes)
      ?? 0
    return Array(bytes[..<place]) + Array(text.utf8) + Array(bytes[place...])
  }

  private static func plain(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Elements within each other, 100000 of them.
  private static let nesting = plain(
    String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000))

  /// 300000 items of different keys, made once.
  private static let items: [UInt8] = {
    let one = "<item><key>k000000</key><value/></item>"
    let (length, last) = (one.utf8.count, 17)
    var items = plain(String(repeating: one, count: 300_000))
    items.withUnsafeMutableBufferPointer { items in
      for number in 0..<300_000 {
        var (rest, place) = (number, number * length + last)
        while rest > 0 {
          items[place] += UInt8(rest % 10)
          rest /= 10
          place -= 1
        }
      }
    }
    return items
  }()

  private static let bomb: String = {
    let steps = (1...9).map { step in
      "<!ENTITY e\(step) \"\(String(repeating: "&e\(step - 1);", count: 10))\">"
    }
    return "<!DOCTYPE result [<!ENTITY e0 \"boom\">\(steps.joined())]>"
  }()

  /// Returns little-endian UTF-16 with a byte order mark and a matching declaration.
  private func utf16(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes.replacing("UTF-8", with: "UTF-16"), as: UTF8.self)
    return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
  }
}

extension [UInt8] {
  /// Returns the bytes with the first occurrence of a text replaced.
  func replacing(_ text: String, with other: String) -> [UInt8] {
    guard let place = ByteSearch.firstIndex(of: text.utf8, in: self) else { return self }
    return Array(self[..<place]) + Array(other.utf8) + Array(self[(place + text.utf8.count)...])
  }
}
