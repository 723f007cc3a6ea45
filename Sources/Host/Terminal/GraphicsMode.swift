import PluginAPI

/// The ways to show a picture in a terminal.
enum GraphicsMode: Sendable {
  /// Characters, which every terminal shows.
  case cells(CellGraphics)
  /// Pixels, by a protocol of the terminal.
  case pixels(any PixelProtocol)

  static let halfBlock = GraphicsMode.cells(.halfBlock)
  static let braille = GraphicsMode.cells(.braille)
  static let ascii = GraphicsMode.cells(.ascii)

  /// The modes in pixels; of those that a terminal announces, the last is the best.
  static let pixelModes: [GraphicsMode] = [.sixel, .kitty, .iterm]
}

/// The ways to draw a picture with characters.
enum CellGraphics: String, Sendable, CaseIterable {
  /// Two pixels in a cell, one above the other, in two colors.
  case halfBlock = "half-block"
  /// 2×4 dots in a cell, in one color.
  case braille
  /// One ASCII character in a cell, by brightness.
  case ascii

  /// The number of picture pixels in a cell.
  var pixelsPerCell: Size {
    switch self {
    case .halfBlock, .ascii: Size(width: 1, height: 2)
    case .braille: Size(width: 2, height: 4)
    }
  }
}

extension GraphicsMode: RawRepresentable, Hashable, CaseIterable {
  static let allCases = CellGraphics.allCases.map(Self.cells) + pixelModes

  /// The word of the setting `host.graphics`.
  var rawValue: String {
    switch self {
    case .cells(let graphics): graphics.rawValue
    case .pixels(let pixels): pixels.name
    }
  }

  init?(rawValue: String) {
    guard let mode = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = mode
  }
}

extension GraphicsMode {
  /// Returns the best mode for a terminal: pixels if it supports them, otherwise half-blocks; braille without colors.
  static func best(for capabilities: TerminalCapabilities, depth: ColorDepth) -> GraphicsMode {
    let announced = pixelModes.last { mode in
      capabilities.pixelModes.contains(mode) && (try? mode.pixels?.openLibraries()) != nil
    }
    return announced ?? (depth == .none ? .braille : .halfBlock)
  }

  /// The protocol of a mode in pixels; nil for characters.
  var pixels: (any PixelProtocol)? {
    switch self {
    case .cells: nil
    case .pixels(let pixels): pixels
    }
  }

  /// The characters that pictures are drawn with; half-blocks for a mode in pixels, where its pixels cannot be shown.
  var cells: CellGraphics {
    switch self {
    case .cells(let graphics): graphics
    case .pixels: .halfBlock
    }
  }

  /// Returns the size of a cell in picture pixels.
  ///
  /// - Parameter cellPixels: The pixels of the terminal's cells, for the modes that show them.
  func pixelsPerCell(cellPixels: Size) -> Size {
    switch self {
    case .cells(let graphics): graphics.pixelsPerCell
    case .pixels: cellPixels
    }
  }
}
