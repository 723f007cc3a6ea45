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
  static func fingers(_ image: GreyImage, count: Int) -> [GreyImage]? {
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
  private static func spread(_ image: GreyImage, _ left: Int, _ top: Int, _ edge: Int) -> Float {
    var (sum, squares) = (0, 0)
    for row in top..<(top + edge) {
      for place in (row * image.width + left)..<(row * image.width + left + edge) {
        let grey = Int(image.pixels[place])
        sum += grey
        squares += grey * grey
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
        let place = part[next]
        next += 1
        let isLeft = place % columns == 0
        let isRight = place % columns == columns - 1
        for neighbour in [place - columns, place + columns, isLeft ? -1 : place - 1, isRight ? -1 : place + 1]
        where isOpen.indices.contains(neighbour) && isOpen[neighbour] {
          isOpen[neighbour] = false
          part.append(neighbour)
        }
      }
      components.append(part)
    }
    return components
  }

  private static func cut(_ image: GreyImage, _ left: Int, _ top: Int, _ right: Int, _ bottom: Int) -> GreyImage {
    let (right, bottom) = (min(right, image.width), min(bottom, image.height))
    var pixels: [UInt8] = []
    for row in top..<bottom { pixels += image.pixels[(row * image.width + left)..<(row * image.width + right)] }
    return GreyImage(
      width: right - left, height: bottom - top, pixels: pixels, pixelsPerInch: image.pixelsPerInch)
  }
}
