import PluginAPI

/// Writes labels into pictures with the bitmap font: white with a dark rim, readable on every colour.
struct LabelPainter {
  /// Pixels to the dot of a letter.
  let scale: Int

  /// Chooses the size of the letters by the size of the picture: about a fiftieth of its shorter side.
  init(for size: Size) {
    scale = max(1, min(size.width, size.height) / 320)
  }

  /// Writes labels at their places of a molecule.
  func paint(_ labels: [SceneLabel], from camera: Camera, into picture: inout Picture) {
    guard !labels.isEmpty, !picture.isEmpty else { return }
    let layout = LabelLayout(
      width: picture.width / scale, height: picture.height / scale,
      letter: (BitmapFont.advance, BitmapFont.height + 2))
    let viewport = Viewport(width: picture.width, height: picture.height)
    let placed = layout.place(labels, from: camera, onto: viewport)
    var pixels = picture.pixels
    for label in placed { write(label, rim: true, into: &pixels, picture.size) }
    for label in placed { write(label, rim: false, into: &pixels, picture.size) }
    picture.pixels = pixels
  }

  private func write(_ label: LabelLayout.Placed, rim: Bool, into pixels: inout [UInt8], _ size: Size) {
    for (index, letter) in label.text.enumerated() {
      for (row, bits) in BitmapFont.rows(of: letter).enumerated() {
        for column in 0..<BitmapFont.width where bits >> (4 - column) & 1 == 1 {
          let x = (label.x + index * BitmapFont.advance + column) * scale
          let y = (label.y + 1 + row) * scale
          fill(x, y, grow: rim ? scale : 0, color: rim ? 16 : 255, &pixels, size)
        }
      }
    }
  }

  /// Fills the square of one dot, larger on all sides by some pixels.
  private func fill(_ x: Int, _ y: Int, grow: Int, color: UInt8, _ pixels: inout [UInt8], _ size: Size) {
    for row in max(0, y - grow)..<max(0, min(size.height, y + scale + grow)) {
      for column in max(0, x - grow)..<max(0, min(size.width, x + scale + grow)) {
        let place = 4 * (row * size.width + column)
        for channel in 0..<3 { pixels[place + channel] = color }
        pixels[place + 3] = 255
      }
    }
  }
}
