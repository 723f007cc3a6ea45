/// A name of the domain name system; letters of ASCII are the same in either case.
///
/// - Source: RFC 1035, section 3.1; RFC 6762, section 16.
struct DomainName: Sendable {
  /// Labels, each preceded by its length, the empty one last; at most 255 bytes.
  let wire: [UInt8]

  /// Creates a name from its wire form with pointers resolved; nil if it is malformed.
  init?(wire: [UInt8]) {
    var place = 0
    while place < wire.count, wire[place] != 0 {
      if wire[place] > 63 { return nil }
      place += 1 + Int(wire[place])
    }
    guard place + 1 == wire.count, wire.count <= 255 else { return nil }
    self.wire = wire
  }

  /// Creates a name from labels of 1 to 63 bytes; nil for others, and for more than 255 bytes in total.
  init?(labels: [String]) {
    guard labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else { return nil }
    var wire: [UInt8] = []
    for label in labels {
      wire.append(UInt8(label.utf8.count))
      wire += Array(label.utf8)
    }
    self.init(wire: wire + [0])
  }

  /// The bytes of the first label; empty for the root.
  var firstLabel: ArraySlice<UInt8> { wire[1...].prefix(Int(wire[0])) }

  /// Returns true if this name is one label followed by another name.
  func isJustBelow(_ other: DomainName) -> Bool {
    let rest = wire[(1 + (wire.count > 1 ? Int(wire[0]) : 0))...]
    return wire[0] > 0 && Self.areEqual(rest, other.wire[...])
  }

  /// True if the name is valid on this link only: it ends with `local`.
  var isLocal: Bool {
    let end: [UInt8] = [5] + Array("local".utf8) + [0]
    return wire.count > end.count && Self.areEqual(wire.suffix(end.count), end[...])
  }

  fileprivate static func areEqual(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { folded($0) == folded($1) }
  }

  // Lengths of labels are below the letters.
  private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

extension DomainName: Hashable {
  static func == (left: DomainName, right: DomainName) -> Bool {
    areEqual(left.wire[...], right.wire[...])
  }

  func hash(into hasher: inout Hasher) { for byte in wire { hasher.combine(Self.folded(byte)) } }
}
