/// Places labels in a picture without overlaps, the nearest first.
struct LabelLayout: Sendable {
  /// A label with its position in the picture.
  struct Placed: Equatable, Sendable {
    var text: String
    /// The upper left corner of the text, in units of the layout.
    var x: Int
    var y: Int
  }

  /// The size of the picture in units: cells, or dots of letters.
  let width: Int
  let height: Int
  /// The size of a letter in units, with the space around it.
  var letter: (width: Int, height: Int) = (1, 1)
  /// The most labels; more would hide the molecule.
  static let most = 400

  init(width: Int, height: Int, letter: (width: Int, height: Int) = (1, 1)) {
    self.width = width
    self.height = height
    self.letter = letter
  }

  /// Places labels in a view.
  ///
  /// - Parameters:
  ///   - labels: the labels, in any order.
  ///   - camera: the camera of the picture.
  ///   - viewport: the picture; its pixels are spread over the units of the layout.
  /// - Complexity: O(labels × log labels).
  func place(_ labels: [SceneLabel], from camera: Camera, onto viewport: Viewport) -> [Placed] {
    guard viewport.width > 0, viewport.height > 0, width > 0, height > 0 else { return [] }
    let projection = Projection(camera, onto: viewport)
    let scale = SIMD2(
      Float(width) / Float(viewport.width), Float(height) / (Float(viewport.height) * viewport.pixelAspect))
    var ordered: [(index: Int, point: SIMD3<Float>)] = []
    for index in labels.indices {
      let point = projection(labels[index].place)
      if point.isFinitePlace { ordered.append((index, point)) }
    }
    ordered.sort { $0.point.z == $1.point.z ? $0.index < $1.index : $0.point.z > $1.point.z }
    var taken = [Bool](repeating: false, count: width * height)
    var placed: [Placed] = []
    for (index, point) in ordered {
      if placed.count == Self.most { break }
      let text = labels[index].text
      let size = (width: text.count * letter.width, height: letter.height)
      let middle = SIMD2(point.x, point.y) * scale
      guard middle.x >= 0, middle.y >= 0, middle.x < 1e6, middle.y < 1e6 else { continue }
      let x: Int = Int(middle.x) - size.width / 2
      let y: Int = Int(middle.y) - size.height / 2
      guard x >= 0, y >= 0, x + size.width <= width, y + size.height <= height else { continue }
      // One unit of space on each side.
      let columns = max(0, x - 1)..<min(width, x + size.width + 1)
      let rows = y..<y + size.height
      guard !rows.contains(where: { row in columns.contains { taken[row * width + $0] } }) else { continue }
      for row in rows { for column in columns { taken[row * width + column] = true } }
      placed.append(Placed(text: text, x: x, y: y))
    }
    return placed
  }
}
