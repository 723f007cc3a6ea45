/// A check that captures of fingers are where they belong: no finger twice under two names, and slaps with the same
/// fingers as the single ones.
struct OrderCheck: Sendable {
  /// A finger as a capture shows it.
  struct Print: Sendable {
    /// The item it was captured for.
    var item: Int
    /// The finger position that the item claims, 1 (right thumb) … 10 (left little finger).
    var position: Int
    fileprivate var ridges: SameFinger.Prepared
  }

  /// A finding of the check.
  struct Finding: Sendable, Hashable {
    /// The kind of a finding.
    enum Kind: String, Sendable, CaseIterable {
      /// Two fingers by name are one by their ridges.
      case sameFingerTwice
      /// One finger by name is not the same by its ridges.
      case differentFingers
    }

    var kind: Kind
    /// The items, the smaller number first.
    var items: [Int]
    /// The finger positions that the items claim, 1 … 10, in the order of the items.
    var positions: [Int]
    /// From about 0.08 for different fingers up to 1.
    var likeness: Float
  }

  private let same = SameFinger()

  /// Returns the prints of the fingers in a capture.
  ///
  /// - Returns: Empty if the fingers cannot be separated or their positions are unknown.
  func prints(item: Int, _ submodality: Submodality, _ image: GreyImage) -> [Print] {
    var positions = submodality.parts.compactMap(\.fingerPosition)
    guard !positions.isEmpty, positions.count == submodality.parts.count else { return [] }
    // On the left hand the little finger is leftmost.
    if submodality.wireName.lowercased() == "leftslap" { positions.reverse() }
    let fingers = positions.count == 1 ? [image] : SlapSegments.fingers(image, count: positions.count) ?? []
    return zip(positions, fingers).map { position, finger in
      Print(item: item, position: position, ridges: same.prepared(RidgeField(finger)))
    }
  }

  /// Returns the findings about the prints of a person, by item.
  ///
  /// - Complexity: O(*prints*²) comparisons, each some milliseconds.
  func findings(_ prints: [Print]) -> [Finding] {
    var findings: [Finding] = []
    for (place, first) in prints.enumerated() {
      for second in prints[(place + 1)...] where first.item != second.item {
        let likeness = same.likeness(first.ridges, second.ridges)
        let isOneName = first.position == second.position
        let isSame = likeness >= SameFinger.threshold
        guard isOneName ? likeness < SameFinger.differentBelow : isSame else { continue }
        let (one, other) = first.item < second.item ? (first, second) : (second, first)
        findings.append(
          Finding(
            kind: isSame ? .sameFingerTwice : .differentFingers, items: [one.item, other.item],
            positions: [one.position, other.position], likeness: likeness))
      }
    }
    return findings.sorted { ($0.items[0], $0.items[1], $0.positions[0]) < ($1.items[0], $1.items[1], $1.positions[0]) }
  }
}
