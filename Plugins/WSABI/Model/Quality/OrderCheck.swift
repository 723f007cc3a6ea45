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
  func prints(item: Int, _ submodality: Submodality, _ image: GrayImage) -> [Print] {
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
    for (index, first) in prints.enumerated() {
      for second in prints[(index + 1)...] where first.item != second.item {
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

/// The segmentation of an image of several fingers.
///
/// - Source: connected components after Rosenfeld and Pfaltz, "Sequential operations in digital picture processing",
///   J. ACM 13 (1966), 471; that fingers of a slap do not touch each other is what makes it enough here.
enum SlapSegments {
  /// The edge of a block, in inches: a third of the gap between fingers.
  private static let block = 0.03
  /// The least a finger covers, in square inches.
  private static let leastArea = 0.08

  /// Returns the fingers of an image from left to right, each cut out; nil if there are fewer than the given number.
  static func fingers(_ image: GrayImage, count: Int) -> [GrayImage]? {
    let edge = max(4, Int((block * image.pixelsPerInch).rounded()))
    let (columns, rows) = (image.width / edge, image.height / edge)
    guard columns > 0, rows > 0 else { return nil }
    let isFinger = (0..<(columns * rows)).map { spread(image, $0 % columns * edge, $0 / columns * edge, edge) >= 18 }
    let least = leastArea / (block * block)
    let parts = components(isFinger, columns).filter { Double($0.count) >= least }.sorted { $0.count > $1.count }
    guard parts.count >= count else { return nil }
    let boxes = parts.prefix(count).map { part in
      (
        left: part.map { $0 % columns }.min() ?? 0, right: part.map { $0 % columns }.max() ?? 0,
        top: (part.min() ?? 0) / columns, bottom: (part.max() ?? 0) / columns
      )
    }
    return boxes.sorted { $0.left + $0.right < $1.left + $1.right }.map { box in
      cut(image, box.left * edge, box.top * edge, (box.right + 1) * edge, (box.bottom + 1) * edge)
    }
  }

  /// Returns the spread of a block's gray values.
  private static func spread(_ image: GrayImage, _ left: Int, _ top: Int, _ edge: Int) -> Float {
    var (sum, squares) = (0, 0)
    for row in top..<(top + edge) {
      for index in (row * image.width + left)..<(row * image.width + left + edge) {
        let gray = Int(image.pixels[index])
        sum += gray
        squares += gray * gray
      }
    }
    let count = Float(edge * edge)
    let mean = Float(sum) / count
    return max(0, Float(squares) / count - mean * mean).squareRoot()
  }

  /// Returns the connected components of the blocks, as lists of indices.
  private static func components(_ isFinger: [Bool], _ columns: Int) -> [[Int]] {
    var isOpen = isFinger
    var components: [[Int]] = []
    for start in isOpen.indices where isOpen[start] {
      isOpen[start] = false
      var (part, next) = ([start], 0)
      while next < part.count {
        let index = part[next]
        next += 1
        let isLeft = index % columns == 0
        let isRight = index % columns == columns - 1
        for neighbor in [index - columns, index + columns, isLeft ? -1 : index - 1, isRight ? -1 : index + 1]
        where isOpen.indices.contains(neighbor) && isOpen[neighbor] {
          isOpen[neighbor] = false
          part.append(neighbor)
        }
      }
      components.append(part)
    }
    return components
  }

  private static func cut(_ image: GrayImage, _ left: Int, _ top: Int, _ right: Int, _ bottom: Int) -> GrayImage {
    let (right, bottom) = (min(right, image.width), min(bottom, image.height))
    var pixels: [UInt8] = []
    for row in top..<bottom { pixels += image.pixels[(row * image.width + left)..<(row * image.width + right)] }
    return GrayImage(
      width: right - left, height: bottom - top, pixels: pixels, pixelsPerInch: image.pixelsPerInch)
  }
}
