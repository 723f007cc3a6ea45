internal import CTermpaint

/// A key in the form `CSI code ; modifiers u`, which termpaint reads only in part.
///
/// - Source: kitty keyboard protocol, https://sw.kovidgoyal.net/kitty/keyboard-protocol/ (level 1, "disambiguate").
struct KittyKey {
  /// The key as termpaint would report it.
  let input: TerminalInput

  private static let names: [Int: String] = [
    9: "Tab", 13: "Enter", 27: "Escape", 32: "Space", 127: "Backspace",
    57414: "Enter", 57417: "ArrowLeft", 57418: "ArrowRight", 57419: "ArrowUp", 57420: "ArrowDown",
    57421: "PageUp", 57422: "PageDown", 57423: "Home", 57424: "End", 57425: "Insert", 57426: "Delete",
  ]
  /// The characters typed by the keys 57399… of the number pad.
  private static let pad: [Character] = Array("0123456789./*-+")

  /// Reads a key.
  ///
  /// - Parameter bytes: A whole sequence that ends with `u`.
  /// - Returns: nil if it is none, or a key that this program has no name for.
  init?(_ bytes: UnsafeRawBufferPointer) {
    let fields = bytes[2..<bytes.count - 1].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard (1...3).contains(fields.count), let code = Self.number(fields[0]) else { return nil }
    let bits = max(0, (fields.count > 1 ? Self.number(fields[1]) ?? 1 : 1) - 1)
    var modifiers: Int32 = 0
    if bits & 1 != 0 { modifiers |= TERMPAINT_MOD_SHIFT }
    if bits & 2 != 0 { modifiers |= TERMPAINT_MOD_ALT }
    if bits & 4 != 0 { modifiers |= TERMPAINT_MOD_CTRL }
    if let name = Self.names[code] {
      input = .key(name: name, modifiers: modifiers)
    } else if (57399..<57399 + Self.pad.count).contains(code) {
      input = .character(String(Self.pad[code - 57399]), modifiers: modifiers)
    } else if code > 32, !(57344...63743).contains(code), let scalar = Unicode.Scalar(UInt32(code)) {
      input = .character(String(Character(scalar)), modifiers: modifiers)
    } else {
      return nil
    }
  }

  /// Returns the number before any colon of a field.
  private static func number(_ field: Slice<UnsafeRawBufferPointer>) -> Int? {
    var value = 0
    guard let first = field.first, first != UInt8(ascii: ":") else { return nil }
    for byte in field {
      if byte == UInt8(ascii: ":") { break }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), value < 10_000_000 else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }
}
