import PluginAPI

extension PluginID {
  /// The letters and digits that people confuse with others.
  private static let twins: [(seen: String, meant: String)] = [
    ("rn", "m"), ("vv", "w"), ("1", "l"), ("i", "l"), ("0", "o"), ("5", "s"), ("-", ""),
  ]
  /// The minimum length of ids that look alike after one edit: many shorter ids differ in one letter.
  private static let fewestLetters = 5

  /// Returns the known id that people may confuse with this one; nil if there is none.
  ///
  /// Ids look alike if they differ only in letters such as `rn` and `m`, or in one edit: a letter added, removed or
  /// replaced, or two letters swapped. Ids that differ in digits only, such as `lab1` and `lab2`, do not.
  /// - Complexity: O(*n* · *m*) in the number of known ids and their lengths.
  static func lookAlike(of id: String, among known: some Sequence<String>) -> String? {
    let shape = shape(id)
    let others = known.filter { $0 != id }.sorted()
    return others.first { Self.shape($0) == shape && !differInDigits(id, $0) }
      ?? others.first {
        min($0.utf8.count, id.utf8.count) >= fewestLetters && isOneEdit(Array(id.utf8), Array($0.utf8))
      }
  }

  /// Returns an id with one letter for all that look the same.
  private static func shape(_ id: String) -> [UInt8] {
    var shape: [UInt8] = []
    var remaining = Array(id.utf8)[...]
    while let first = remaining.first {
      if let twin = twins.first(where: { remaining.starts(with: $0.seen.utf8) }) {
        shape += Array(twin.meant.utf8)
        remaining = remaining.dropFirst(twin.seen.utf8.count)
      } else {
        shape.append(first)
        remaining = remaining.dropFirst()
      }
    }
    return shape
  }

  private static func differInDigits(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { $0 == $1 || areDigits($0, $1) }
  }

  private static func areDigits(_ left: UInt8, _ right: UInt8) -> Bool {
    (0x30...0x39).contains(left) && (0x30...0x39).contains(right)
  }

  /// Returns true if one edit turns a text into the other.
  private static func isOneEdit(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let start = zip(left, right).prefix { $0 == $1 }.count
    let (left, right) = (left[start...], right[start...])
    let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
    let (old, new) = (Array(left.dropLast(end)), Array(right.dropLast(end)))
    switch (old.count, new.count) {
    case (0, 1), (1, 0): return true
    case (1, 1): return !areDigits(old[0], new[0])
    case (2, 2): return old[0] == new[1] && old[1] == new[0]
    default: return false
    }
  }

  /// Returns the warning about an id that people may confuse with another plugin's; nil if there is none.
  static func warning(about id: String, among known: some Sequence<String>) -> Diagnostic? {
    guard let other = lookAlike(of: id, among: known) else { return nil }
    return Diagnostic(
      .warning, code: "host.plugin-look-alike", "the id '\(id)' looks like that of the plugin '\(other)'",
      advice: "check that you mean '\(id)'")
  }
}
