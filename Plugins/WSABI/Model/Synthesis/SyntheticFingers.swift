/// Images of one or several fingers, as a fingerprint sensor delivers them.
struct SyntheticFingers: Sendable {
  /// The visible fingers, 1 (right thumb) to 10 (left little finger), from left to right.
  let positions: [Int]
  let isRolled: Bool
  private let impressions: [FingerImpression]
  private(set) var image: GreyImage
  private var nextRow = 0
  private let scale: Float
  /// Noise added to the white of the glass.
  private let glass: SmoothNoise

  /// Creates the fingers that a submodality shows; nil for one that shows no finger.
  ///
  /// - Parameters:
  ///   - impression: The number of the capture, which varies the placement.
  ///   - pixelsPerInch: 500 is usual.
  init?(_ submodality: Submodality, seed: UInt64, impression: Int, pixelsPerInch: Int) {
    let word = submodality.wireName.lowercased()
    let named = submodality.parts.compactMap(\.fingerPosition)
    var positions = named.isEmpty ? Self.unknown(word) : named
    // On the left hand the little finger is leftmost.
    if word == "leftslap" { positions.reverse() }
    guard !positions.isEmpty else { return nil }
    self.positions = positions
    isRolled = word.hasSuffix("rolled")
    scale = Float(pixelsPerInch) / 500
    var chance = SeededChance(seed, impression &* 131 &+ (positions.first ?? 0))
    let size = Self.size(positions.count, isRolled: isRolled)
    impressions = Self.impressions(positions, isRolled: isRolled, size, &chance)
    image = GreyImage(
      width: Int(Float(size.width) * scale), height: Int(Float(size.height) * scale), grey: 0,
      pixelsPerInch: Double(pixelsPerInch))
    glass = SmoothNoise(seed, impression)
  }

  /// True if the whole image is drawn.
  var isDone: Bool { nextRow >= image.height }

  /// Draws some rows.
  ///
  /// - Parameter masters: Those of ``positions``, in the same order.
  mutating func draw(_ masters: [FingerMaster], rows: Int = 48) {
    let end = min(image.height, nextRow + rows)
    for row in nextRow..<end {
      for column in 0..<image.width {
        let place = glass.value(Float(column) / 90, Float(row) / 90) * 2
        image.pixels[row * image.width + column] = UInt8(250 + place)
      }
    }
    for (master, impression) in zip(masters, impressions) {
      impression.draw(master, into: &image, rows: nextRow..<end, scale: scale)
    }
    nextRow = end
  }

  private static func unknown(_ word: String) -> [Int] {
    switch word {
    case "unknownflat", "unknownrolled": [2]
    case "twofingerslap": [2, 3]
    case "unknownslap": [2, 3, 4, 5]
    default: []
    }
  }

  /// Returns the size in 500ths of an inch.
  private static func size(_ count: Int, isRolled: Bool) -> (width: Int, height: Int) {
    count > 1 ? (1600, 1500) : isRolled ? (640, 720) : (400, 500)
  }

  private static func impressions(
    _ positions: [Int], isRolled: Bool, _ size: (width: Int, height: Int), _ chance: inout SeededChance
  ) -> [FingerImpression] {
    let middle = (x: Float(size.width) / 2, y: Float(size.height) / 2)
    if positions.count == 1 {
      return [
        FingerImpression(
          x: middle.x, y: middle.y, turn: 0, halfWidth: isRolled ? 272 : 165, halfHeight: isRolled ? 320 : 218, &chance)
      ]
    }
    let pitch = Float(size.width) / Float(positions.count)
    return positions.enumerated().map { index, position in
      let place = (Float(index) + 0.5) * pitch
      let lean = (place - middle.x) / middle.x
      let isThumb = position == 1 || position == 6
      // The middle finger reaches highest, the little one lowest.
      let drop: Float = isThumb ? 0 : [60, 0, 40, 190][(position - 2) % 5 % 4]
      return FingerImpression(
        x: place, y: middle.y - 120 + drop, turn: isThumb ? lean * 0.1 : lean * 0.16,
        halfWidth: isThumb ? 220 : (position % 5 == 0 ? 140 : 165), halfHeight: isThumb ? 300 : 270, &chance)
    }
  }
}
