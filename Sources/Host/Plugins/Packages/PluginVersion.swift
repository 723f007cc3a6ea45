/// A version that can be compared with others.
///
/// - Source: Semantic Versioning 2.0.0, section 11.
struct PluginVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  let description: String
  private let numbers: [Int]
  /// The parts of a preview's label, such as `beta` and `2`; empty for a final version.
  private let label: [String]

  /// Reads a version; nil for any other text.
  init?(_ text: String) {
    guard PluginID.isVersion(text) else { return nil }
    let parts = text.prefix { $0 != "+" }.split(separator: "-", maxSplits: 1)
    description = text
    numbers = parts[0].split(separator: ".").compactMap { Int($0) }
    label = parts.count == 2 ? parts[1].split(separator: ".").map(String.init) : []
  }

  /// A Boolean value indicating whether the version is not final, such as `1.0.0-beta`.
  var isPreview: Bool { !label.isEmpty }

  static func < (left: PluginVersion, right: PluginVersion) -> Bool {
    if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
    if left.label.isEmpty || right.label.isEmpty { return !left.label.isEmpty && right.label.isEmpty }
    for (one, other) in zip(left.label, right.label) where one != other {
      switch (Int(one), Int(other)) {
      case (let one?, let other?): return one < other
      case (.some, nil): return true
      case (nil, .some): return false
      case (nil, nil): return one.utf8.lexicographicallyPrecedes(other.utf8)
      }
    }
    return left.label.count < right.label.count
  }

  /// Returns a Boolean value indicating whether the version is one of those that a text means, such as `1.2` for all
  /// of 1.2.
  func isMeant(by text: String) -> Bool {
    description == text || description.hasPrefix(text + ".") && !text.contains("-")
  }
}
