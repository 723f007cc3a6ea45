import PluginAPI

/// Writes labels into pictures with the bitmap font: white with a dark rim, readable on every color.
struct LabelPainter {
  /// Pixels per dot of a letter.
  let scale: Int

  /// Chooses the size of the letters by the size of the picture: about a fiftieth of its shorter side.
  init(for size: Size) {
    scale = max(1, min(size.width, size.height) / 320)
  }

  /// Writes labels at their positions in a molecule.
  func paint(_ labels: [SceneLabel], from camera: Camera, into picture: inout Picture) {
    paint(place(labels, from: camera, onto: picture.size), [], into: &picture)
  }

  /// Returns the labels as an overlay to be drawn with a font, together with a legend.
  func overlay(_ labels: [SceneLabel], _ legend: ColorLegend?, from camera: Camera, size: Size) -> PictureOverlay {
    var overlay = PictureOverlay(size: size, fontSize: Double(BitmapFont.height * scale) * 1.2)
    overlay.texts = place(labels, from: camera, onto: size).map { label in
      let width = BitmapFont.width(of: label.text) * scale
      return .init(
        text: label.text, x: Double(label.x * scale) + Double(width) / 2,
        y: Double(label.y * scale) + Double((BitmapFont.height + 2) * scale) / 2)
    }
    if let legend { overlay.add(legend) }
    return overlay
  }

  /// Returns a picture with labels and a legend over it: in the font of the drawing function, else in the bitmap font.
  func written(
    _ labels: [SceneLabel], _ legend: ColorLegend? = nil, over picture: Picture, from camera: Camera,
    by drawing: PictureOverlay.Drawing?
  ) -> Picture {
    let overlay = overlay(labels, legend, from: camera, size: picture.size)
    if overlay.isEmpty { return picture }
    var written = picture
    if let layer = drawing?(overlay), layer.size == picture.size {
      written.lay(layer)
    } else {
      paint(overlay, into: &written)
    }
    return written
  }

  /// Writes an overlay with the bitmap font, if no other is available.
  func paint(_ overlay: PictureOverlay, into picture: inout Picture) {
    let labels = overlay.texts.map { text in
      let width = text.anchor == .middle ? Double(BitmapFont.width(of: text.text) * scale) : 0
      return LabelLayout.Placed(
        text: text.text, x: Int(text.x - width / 2) / scale,
        y: Int(text.y) / scale - (BitmapFont.height + 2) / 2)
    }
    paint(labels, overlay.patches, into: &picture)
  }

  private func place(_ labels: [SceneLabel], from camera: Camera, onto size: Size) -> [LabelLayout.Placed] {
    if labels.isEmpty || size.width <= 0 || size.height <= 0 { return [] }
    let layout = LabelLayout(
      width: size.width / scale, height: size.height / scale, letter: (BitmapFont.advance, BitmapFont.height + 2))
    return layout.place(labels, from: camera, onto: Viewport(width: size.width, height: size.height))
  }

  private func paint(_ labels: [LabelLayout.Placed], _ patches: [PictureOverlay.Patch], into picture: inout Picture) {
    guard !labels.isEmpty || !patches.isEmpty, !picture.isEmpty else { return }
    var pixels = picture.pixels
    for patch in patches { fill(patch, &pixels, picture.size) }
    for label in labels { write(label, rim: true, into: &pixels, picture.size) }
    for label in labels { write(label, rim: false, into: &pixels, picture.size) }
    picture.pixels = pixels
  }

  private func fill(_ patch: PictureOverlay.Patch, _ pixels: inout [UInt8], _ size: Size) {
    let columns = max(0, Int(patch.x))..<max(0, min(size.width, Int(patch.x + patch.width)))
    for row in max(0, Int(patch.y))..<max(0, min(size.height, Int(patch.y + patch.height))) {
      for column in columns {
        let place = 4 * (row * size.width + column)
        pixels.replaceSubrange(place..<place + 4, with: [patch.color.red, patch.color.green, patch.color.blue, 255])
      }
    }
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

  /// Fills the square of one dot, enlarged on all sides by some pixels.
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
