import PluginAPI
import PluginImages

/// Makes pictures of what sensors delivered.
enum ScreenPictures {
  /// The longest edge of the small pictures that are kept, in pixels.
  ///
  /// - Source: wsabi2, whose cells show 228 × 228.
  static let thumbnailEdge = 228

  /// More pixels than any sensor's: a header that claims them is not believed.
  static let maximumPixels = 64_000_000

  /// A picture no larger than a size.
  ///
  /// - Throws: ``ImageError`` for what is none, or has too many pixels.
  static func decoded(_ bytes: [UInt8], fitting size: Size) throws -> Picture {
    try ImageReader.picture(from: bytes, maximumPixels: maximumPixels).fitted(into: size)
  }
}

extension ScreenStation {
  /// The picture of a capture with all its pixels.
  ///
  /// - Throws: ``ImageError`` if the data is no picture that can be shown; ``VaultError`` if it is not as it was stored.
  func pictureAndWait(of capture: CaptureRecord) throws -> Picture {
    let records = records()
    let bytes = try Waiting.value { try await records.data(of: capture) }
    return try ImageReader.picture(from: bytes, maximumPixels: ScreenPictures.maximumPixels)
  }

  /// The picture of a capture, no larger than a size in pixels.
  func pictureAndWait(of capture: CaptureRecord, fitting size: Size) throws -> Picture {
    try pictureAndWait(of: capture).fitted(into: size)
  }

  /// The small picture of a capture; made and kept at the first use.
  ///
  /// - Returns: Nil if the data is no picture that can be shown.
  func thumbnailAndWait(of capture: CaptureRecord, fitting size: Size) throws -> Picture? {
    let records = records()
    if let kept = try Waiting.value({ try await records.thumbnail(of: capture.id) }) {
      return try ScreenPictures.decoded(kept, fitting: size)
    }
    let edge = Size(width: ScreenPictures.thumbnailEdge, height: ScreenPictures.thumbnailEdge)
    let picture: Picture
    do {
      picture = try pictureAndWait(of: capture, fitting: edge)
    } catch is ImageError {
      return nil
    }
    let png = try PNGWriter.bytes(of: picture)
    try Waiting.value { try await records.setThumbnail(of: capture.id, png) }
    return picture.fitted(into: size)
  }
}
