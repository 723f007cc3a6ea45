import PluginAPI

/// A display in memory, which records the last frame.
@MainActor final class HeadlessDisplay: Display {
  private(set) var geometry: ScreenGeometry
  let graphics: GraphicsMode
  var onEvent: (@MainActor (DisplayEvent) -> Void)?
  /// The last frame, pictures drawn as cells; nil before the first.
  private(set) var frame: TextFrame?
  /// The number of frames shown.
  private(set) var frameCount = 0
  /// The text copied to the clipboard most recently.
  private(set) var copied: String?
  /// The number of times the program was suspended.
  private(set) var suspensions = 0

  /// Creates a screen of a size; pictures are drawn as cells in every mode.
  init(size: Size, graphics: GraphicsMode = .halfBlock, background: Color = .black) {
    self.graphics = graphics.needsPixels ? .halfBlock : graphics
    geometry = ScreenGeometry(
      size: size, pixelsPerCell: self.graphics.pixelsPerCell(cellPixels: Size(width: 1, height: 2)),
      background: background)
  }

  func repaint() { onEvent?(.resized) }

  @discardableResult func show(_ frame: TextFrame) -> Bool {
    var whole = frame
    PictureCells(graphics, depth: .trueColor, background: geometry.background).draw(&whole)
    if !frame.pictures.isEmpty { Self.fillCells(of: &whole, emptyIn: frame) }
    self.frame = whole
    frameCount += 1
    return true
  }

  /// Draws cells of a single color that is not dark as full blocks: as text, a space before a color shows nothing.
  private static func fillCells(of whole: inout TextFrame, emptyIn frame: TextFrame) {
    whole.replaceCells { cells in
      for index in cells.indices where frame.cells[index].glyph == 0 && cells[index].glyph == 0x20 {
        let color = cells[index].style.background
        if let (red, green, blue) = color.components, max(red, green, blue) >= 64 {
          cells[index] = Cell("█", style: Style(foreground: color))
        }
      }
    }
  }

  func copy(_ text: String) { copied = text }
  func suspend() { suspensions += 1 }
  func close() { onEvent = nil }

  /// Changes the size, as a terminal does when its window is dragged.
  func resize(to size: Size) {
    geometry.size = size
    onEvent?(.resized)
  }
}
