internal import CTermpaint
import PluginAPI

/// Translates termpaint's inputs into events: keys, one event per paste, mouse actions with their clicks.
struct InputTranslator {
  /// The maximum length of a paste in bytes; a longer one is surely a mistake and is cut.
  private static let longestPaste = 16 << 20

  private var paste: String?
  private var clicks = ClickCounter()
  private var heldButton = Mouse.Button.none

  private static let codes: [String: Key.Code] = [
    "Enter": .enter, "Space": .character(" "), "Tab": .tab, "Backspace": .backspace, "Delete": .delete,
    "End": .end, "Home": .home, "Insert": .insert, "PageDown": .pageDown, "PageUp": .pageUp,
    "ArrowDown": .down, "ArrowLeft": .left, "ArrowRight": .right, "ArrowUp": .up, "Escape": .escape,
    "NumpadDivide": .character("/"), "NumpadMultiply": .character("*"), "NumpadSubtract": .character("-"),
    "NumpadAdd": .character("+"), "NumpadEnter": .enter, "NumpadDecimal": .character("."),
  ]

  /// Returns the event of an input; nil if it is not meant for the interface, or is incomplete.
  ///
  /// - Parameter time: The time in seconds on a clock that only goes forward.
  mutating func event(of input: TerminalInput, at time: Double) -> Event? {
    switch input {
    case .character(let text, let modifiers):
      guard let character = text.first else { return nil }
      return .key(Key(.character(character), Self.modifiers(modifiers).subtracting(.shift)))
    case .key(let name, let modifiers):
      return Self.code(name).map { code in
        let held = Self.modifiers(modifiers)
        if case .character = code { return .key(Key(code, held.subtracting(.shift))) }
        return .key(Key(code, held))
      }
    case .mouse(let report): return mouse(report, at: time).map(Event.mouse)
    case .pasteBegan:
      paste = ""
      return nil
    case .pasted(let text):
      if paste?.utf8.count ?? .max < Self.longestPaste { paste?.append(text == "\r" ? "\n" : text) }
      return nil
    case .pasteEnded:
      defer { paste = nil }
      return paste.map(Event.paste)
    case .focus(let hasFocus): return .focus(hasFocus)
    case .repaintRequested, .statusReport, .answer: return nil
    }
  }

  private static func code(_ name: String) -> Key.Code? {
    if let code = codes[name] { return code }
    if name.hasPrefix("Numpad"), let digit = name.last, name.count == 7 { return .character(digit) }
    if name.hasPrefix("F"), let number = Int(name.dropFirst()) { return .function(number) }
    return nil
  }

  private static func modifiers(_ bits: Int32) -> Key.Modifiers {
    var modifiers: Key.Modifiers = []
    if bits & TERMPAINT_MOD_SHIFT != 0 { modifiers.insert(.shift) }
    if bits & TERMPAINT_MOD_ALT != 0 { modifiers.insert(.alt) }
    if bits & TERMPAINT_MOD_CTRL != 0 { modifiers.insert(.control) }
    return modifiers
  }

  private mutating func mouse(_ report: MouseReport, at time: Double) -> Mouse? {
    let position = Point(x: report.column, y: report.row)
    let held = Self.modifiers(report.modifiers)
    let buttons: [Mouse.Button] = [.left, .middle, .right]
    let button = (0..<3).contains(report.button) ? buttons[Int(report.button)] : .none
    switch (report.action, report.button) {
    case (TERMPAINT_MOUSE_PRESS, 4): return Mouse(.scroll(-1), button: .none, at: position, modifiers: held)
    case (TERMPAINT_MOUSE_PRESS, 5): return Mouse(.scroll(1), button: .none, at: position, modifiers: held)
    case (TERMPAINT_MOUSE_PRESS, 0...2):
      heldButton = button
      let count = clicks.press(button, at: position, time: time)
      return Mouse(.press(clicks: count), button: button, at: position, modifiers: held)
    case (TERMPAINT_MOUSE_RELEASE, 0...3):
      // Old reports do not state which button was released.
      defer { heldButton = .none }
      return Mouse(.release, button: button == .none ? heldButton : button, at: position, modifiers: held)
    case (TERMPAINT_MOUSE_MOVE, 0...2):
      return Mouse(.drag, button: button, at: position, modifiers: held)
    default: return nil
    }
  }
}

/// Counts presses: the second on the same cell within 400 ms is a double click.
private struct ClickCounter {
  private static let longestPauseInSeconds = 0.4
  private var last: (button: Mouse.Button, position: Point, time: Double, count: Int)?

  /// Returns the number of clicks that end with a press: 1 or 2.
  mutating func press(_ button: Mouse.Button, at position: Point, time: Double) -> Int {
    var count = 1
    if let last, last.count == 1, last.button == button, last.position == position,
      time - last.time <= Self.longestPauseInSeconds
    {
      count = 2
    }
    last = (button, position, time, count)
    return count
  }
}

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
