import PluginAPI

/// The kitty graphics protocol.
///
/// - Source: kitty, "Terminal graphics protocol", https://sw.kovidgoyal.net/kitty/graphics-protocol/
struct KittyGraphics: PixelProtocol {
  let name = "kitty"
  let query = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
  let scrollsAtLastRow = false

  func isAnnounced(by response: [UInt8]) -> Bool {
    guard response.starts(with: "\u{1B}_G".utf8) else { return false }
    let parts = String(decoding: response.dropFirst(3), as: UTF8.self).split(separator: ";", maxSplits: 1)
    return parts.count == 2 && parts[0].split(separator: ",").contains("i=31") && parts[1].hasPrefix("OK")
  }

  func openLibraries() throws(ErrorReport) { _ = try ChafaLibrary.shared() }

  func deletion(at place: Point?) -> String? {
    guard let place else { return "\u{1B}_Ga=d,d=A\u{1B}\\" }
    return "\u{1B}_Ga=d,d=P,x=\(place.x + 1),y=\(place.y + 1)\u{1B}\\"
  }

  func encode(_ picture: Picture, cells: Size, cellPixels: Size, movesCursor: Bool) throws(ErrorReport) -> [UInt8]? {
    try ChafaLibrary.shared().encode(picture, as: .kitty, cells: cells, cellPixels: cellPixels)
  }
}

extension GraphicsMode {
  static let kitty = GraphicsMode.pixels(KittyGraphics())
}
