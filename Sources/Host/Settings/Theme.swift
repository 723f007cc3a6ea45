import PluginAPI

/// The colors of roles.
struct Theme: Sendable, Hashable {
  /// The packed colors by the number of their role; 0 for the terminal's own color.
  private var colors: [UInt32]

  /// The theme of palette entries, so that the terminal's own theme decides.
  static let standard = Theme([.secondary: 8, .accent: 6, .error: 1, .warning: 3, .success: 2, .match: 3])

  private init(_ entries: [Color.Role: UInt8]) {
    colors = [UInt32](repeating: 0, count: Self.roles.count + 1)
    for (role, entry) in entries { colors[Int(role.rawValue)] = Color.palette(entry).packed }
  }

  /// Reads a theme: an object with a color for each role, such as `{"error": "#a40e26", "accent": 6}`.
  ///
  /// A color is `"default"`, the number of a palette entry or `"#rrggbb"`. Roles that are not named have the color of the
  /// standard theme.
  init(_ file: (fields: Record, path: String)) throws(InterfaceFileError) {
    self = .standard
    for field in file.fields.fields {
      guard let role = Self.roles[field.name] else {
        let advice = Suggestion.advice(for: field.name, in: Array(Self.roles.keys).sorted())
        throw .broken(
          .theme, path: file.path, "'\(field.name)' is not a role" + (advice.map { "; " + $0 } ?? ""))
      }
      guard let color = Self.color(field.value) else {
        let shown = JSONWriter.text(of: field.value)
        throw .broken(
          .theme, path: file.path,
          "'\(field.name)' is \(shown), not \"default\", a number from 0 to 255 or a color such as \"#a40e26\"")
      }
      colors[Int(role.rawValue)] = color.packed
    }
  }

  /// The roles by their names in files.
  private static let roles: [String: Color.Role] = [
    "heading": .heading, "secondary": .secondary, "accent": .accent, "selection": .selection,
    "inactive-selection": .inactiveSelection, "error": .error, "warning": .warning, "success": .success,
    "match": .match,
  ]

  private static func color(_ value: Value) -> Color? {
    if let entry = value.integer { return UInt8(exactly: entry).map(Color.palette) }
    guard let text = value.text else { return nil }
    if text == "default" { return .standard }
    guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit),
      let rgb = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    return .rgb(UInt8(rgb >> 16), UInt8(rgb >> 8 & 255), UInt8(rgb & 255))
  }

  /// Returns the packed color of a role's packed color; the terminal's own for a role that this host does not know.
  @inline(__always) func color(ofRole packed: UInt32) -> UInt32 {
    let role = Int(packed & 0xFF)
    return role < colors.count ? colors[role] : 0
  }
}
