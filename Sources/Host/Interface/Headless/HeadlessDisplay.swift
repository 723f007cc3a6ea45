import PluginAPI

/// A display in memory: keeps the last frame.
@MainActor final class HeadlessDisplay: Display {
  private(set) var geometry: ScreenGeometry
  let graphics = GraphicsMode.halfBlock
  var onEvent: (@MainActor (DisplayEvent) -> Void)?
  /// The last frame, pictures drawn as cells; nil before the first.
  private(set) var frame: TextFrame?
  /// The number of frames shown.
  private(set) var frameCount = 0
  /// What was put on the clipboard last.
  private(set) var copied: String?
  /// How often the program was suspended.
  private(set) var suspensions = 0

  init(size: Size) {
    geometry = ScreenGeometry(size: size)
  }

  func show(_ frame: TextFrame) {
    var whole = frame
    HalfBlocks.draw(into: &whole)
    self.frame = whole
    frameCount += 1
  }

  func copy(_ text: String) { copied = text }
  func suspend() { suspensions += 1 }
  func close() { onEvent = nil }

  /// Changes the size, as a terminal does when its window is dragged.
  func resize(to size: Size) {
    geometry = ScreenGeometry(size: size, pixelsPerCell: geometry.pixelsPerCell)
    onEvent?(.resized)
  }
}

/// Shows pictures as half-blocks: the upper pixel of a cell in its foreground, the lower in its background.
enum HalfBlocks {
  /// Takes the pictures out of a frame and draws them into the cells nothing else was drawn into.
  static func draw(into frame: inout TextFrame) {
    let pictures = frame.takePictures()
    if pictures.isEmpty { return }
    let size = frame.frameSize
    frame.replaceCells { cells in
      for placed in pictures.reversed() {
        let shown = placed.rect.intersection(Rect(size))
        for y in shown.y..<shown.y + shown.height {
          for x in shown.x..<shown.x + shown.width where cells[y * size.width + x].glyph == 0 {
            cells[y * size.width + x] = cell(of: placed, x: x - placed.rect.x, y: y - placed.rect.y)
          }
        }
      }
    }
  }

  private static func cell(of placed: TextFrame.PlacedPicture, x: Int, y: Int) -> Cell {
    let upper = color(of: placed, x: x, y: 2 * y)
    let lower = color(of: placed, x: x, y: 2 * y + 1)
    switch (upper, lower) {
    case (nil, nil): return .empty
    case (let upper?, nil): return Cell("▀", style: Style(foreground: upper))
    case (nil, let lower?): return Cell("▄", style: Style(foreground: lower))
    case (let upper?, let lower?): return Cell("▀", style: Style(foreground: upper, background: lower))
    }
  }

  /// The colour of the picture at a half of a cell, nearest pixel; nil where it is more transparent than not.
  private static func color(of placed: TextFrame.PlacedPicture, x: Int, y: Int) -> Color? {
    let picture = placed.picture
    let column = min(picture.width - 1, x * picture.width / placed.rect.width)
    let row = min(picture.height - 1, y * picture.height / (2 * placed.rect.height))
    let at = 4 * (row * picture.width + column)
    guard picture.pixels[at + 3] >= 128 else { return nil }
    return .rgb(picture.pixels[at], picture.pixels[at + 1], picture.pixels[at + 2])
  }
}
