import PluginAPI

/// Sixels: pixels in bands of six rows.
///
/// - Source: DEC VT330/VT340 Programmer Reference Manual, chapter 14; xterm control sequences, DA1 (4 is sixel
///   graphics).
struct SixelGraphics: PixelProtocol {
  let name = "sixel"
  let scrollsAtLastRow = true

  func isAnnounced(by response: [UInt8]) -> Bool {
    TerminalCapabilities.deviceAttributes(response)?.contains(4) == true
  }

  func openLibraries() throws(ErrorReport) { _ = try ChafaLibrary.shared() }

  func encode(_ picture: Picture, cells: Size, cellPixels: Size, movesCursor: Bool) throws(ErrorReport) -> [UInt8]? {
    try ChafaLibrary.shared().encode(picture, as: .sixel, cells: cells, cellPixels: cellPixels)
  }
}

extension GraphicsMode {
  static let sixel = GraphicsMode.pixels(SixelGraphics())
}
