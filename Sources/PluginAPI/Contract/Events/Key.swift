/// A key with its modifiers.
///
/// In text form: `a`, `A`, `ctrl-p`, `alt-x`, `shift-tab`, `down`, `enter`, `f5`, `space`.
public struct Key: Sendable, Hashable {
  /// The code of a key.
  public enum Code: Sendable, Hashable {
    /// A key that types a character.
    case character(Character)
    /// Return.
    case enter
    /// Escape.
    case escape
    /// Tab.
    case tab
    /// Backspace.
    case backspace
    /// Delete forward.
    case delete
    /// Insert.
    case insert
    /// Cursor up.
    case up
    /// Cursor down.
    case down
    /// Cursor left.
    case left
    /// Cursor right.
    case right
    /// Home.
    case home
    /// End.
    case end
    /// Page up.
    case pageUp
    /// Page down.
    case pageDown
    /// A function key, 1…24.
    case function(Int)
  }

  /// Modifier keys.
  public struct Modifiers: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Shift; not set for characters, which carry it themselves.
    public static let shift = Modifiers(rawValue: 1)
    /// Alt or Meta.
    public static let alt = Modifiers(rawValue: 2)
    /// Control.
    public static let control = Modifiers(rawValue: 4)
  }

  /// The code of the key.
  public var code: Code
  /// The modifier keys held down.
  public var modifiers: Modifiers

  /// Creates a key.
  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// The character that the key types without modifiers; nil if it types none.
  public var typedCharacter: Character? {
    if case .character(let character) = code, modifiers.isEmpty { character } else { nil }
  }
}

extension Key: CustomStringConvertible {
  private static let names: [(name: String, code: Code)] = [
    ("enter", .enter), ("escape", .escape), ("tab", .tab), ("backspace", .backspace), ("delete", .delete),
    ("insert", .insert), ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("home", .home),
    ("end", .end), ("page-up", .pageUp), ("page-down", .pageDown), ("space", .character(" ")),
  ]

  /// The text form of the key, which ``init(_:)-(String)`` parses.
  public var description: String {
    let prefix =
      (modifiers.contains(.control) ? "ctrl-" : "") + (modifiers.contains(.alt) ? "alt-" : "")
      + (modifiers.contains(.shift) ? "shift-" : "")
    if let named = Key.names.first(where: { $0.code == code }) { return prefix + named.name }
    switch code {
    case .character(let character): return prefix + String(character)
    case .function(let number): return prefix + "f\(number)"
    default: return prefix
    }
  }

  /// Creates a key from its text form.
  ///
  /// - Returns: nil if the text does not name a key.
  public init?(_ text: String) {
    var rest = Substring(text)
    var modifiers: Modifiers = []
    for (prefix, modifier) in [("ctrl-", Modifiers.control), ("alt-", .alt), ("shift-", .shift)]
    where rest.hasPrefix(prefix) && rest.count > prefix.count {
      rest = rest.dropFirst(prefix.count)
      modifiers.insert(modifier)
    }
    if let named = Key.names.first(where: { $0.name == rest }) {
      self.init(named.code, modifiers)
    } else if rest == "esc" {
      self.init(.escape, modifiers)
    } else if rest.count == 1, let character = rest.first {
      self.init(.character(character), modifiers)
    } else if rest.first == "f", let number = Int(rest.dropFirst()), (1...24).contains(number) {
      self.init(.function(number), modifiers)
    } else {
      return nil
    }
  }
}
