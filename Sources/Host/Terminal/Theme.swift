import PluginAPI

/// The colors of roles.
enum Theme {
  /// Palette entries by role, so that the terminal's own theme decides; nil for the terminal's own color.
  private static let entries: [UInt8?] = {
    var entries = [UInt8?](repeating: nil, count: 256)
    let colors: [(Color.Role, UInt8)] = [
      (.secondary, 8), (.accent, 6), (.error, 1), (.warning, 3), (.success, 2), (.match, 3),
    ]
    for (role, entry) in colors { entries[Int(role.rawValue)] = entry }
    return entries
  }()

  /// Returns the packed color of a role's packed color.
  static func color(ofRole packed: UInt32) -> UInt32 {
    entries[Int(packed & 0xFF)].map { Color.palette($0).packed } ?? 0
  }
}
