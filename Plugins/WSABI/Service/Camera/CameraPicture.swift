import PluginAPI
import PluginImages

/// A camera's picture as a file.
struct CameraPicture: Sendable {
  var bytes: [UInt8]
  var contentType: String
  /// In pixels.
  var width: Int
  var height: Int

  /// The most pixels of a camera that are believed.
  private static let mostPixels = 64_000_000

  /// Creates the complete picture of a frame: the camera's own file if every program can read it, otherwise a PNG.
  ///
  /// - Parameter isPNG: True to make a PNG in any case.
  /// - Throws: ``ImageError`` for a frame that is damaged.
  init(_ frame: CameraFrame, isPNG: Bool) throws(ImageError) {
    let (picture, file) = try Self.read(frame)
    (width, height) = (picture.width, picture.height)
    if let file, !isPNG, CameraJPEG.hasTables(file) {
      (bytes, contentType) = (file, "image/jpeg")
    } else {
      (bytes, contentType) = (try PNGWriter.bytes(of: picture), "image/png")
    }
  }

  /// Returns the picture of a frame; of JPEG with the bytes that are its file.
  private static func read(_ frame: CameraFrame) throws(ImageError) -> (Picture, file: [UInt8]?) {
    switch frame.size.form {
    case .yuyv: return (pixels(of: frame), nil)
    case .jpeg:
      let file = CameraJPEG.trimmed(frame.bytes)
      return (try ImageReader.picture(from: file, maximumPixels: mostPixels), file)
    }
  }

  /// Returns a small picture of a frame for a preview; JPEG is passed on unchanged.
  ///
  /// - Throws: As for the whole picture.
  static func preview(_ frame: CameraFrame) throws(ImageError) -> [UInt8] {
    switch frame.size.form {
    case .jpeg: return CameraJPEG.trimmed(frame.bytes)
    case .yuyv: return try PNGWriter.bytes(of: pixels(of: frame).reduced(toLongestEdge: 320))
    }
  }

  /// Returns the type of previews of a form.
  static func previewType(_ form: CameraSize.Form) -> String { form == .jpeg ? "image/jpeg" : "image/png" }

  /// Returns the colors of a frame of luminance and chrominance; a frame that is too short is refused earlier.
  ///
  /// - Source: ITU-R BT.601-7, section 2.5.2 (levels 16 to 235); Linux kernel, "V4L2_PIX_FMT_YUYV".
  static func pixels(of frame: CameraFrame) -> Picture {
    let (width, height) = (frame.size.width & ~1, frame.size.height)
    var pixels = [UInt8](repeating: 255, count: 4 * width * height)
    frame.bytes.withUnsafeBufferPointer { bytes in
      pixels.withUnsafeMutableBufferPointer { pixels in
        for row in 0..<height {
          for pair in 0..<(width / 2) {
            let place = row * frame.stride + 4 * pair
            guard place + 3 < bytes.count else { return }
            let (blue, red) = (Int(bytes[place + 1]) - 128, Int(bytes[place + 3]) - 128)
            for side in 0..<2 {
              let light = 298 * (Int(bytes[place + 2 * side]) - 16) + 128
              let target = 4 * (row * width + 2 * pair + side)
              pixels[target] = UInt8(clamping: (light + 409 * red) >> 8)
              pixels[target + 1] = UInt8(clamping: (light - 100 * blue - 208 * red) >> 8)
              pixels[target + 2] = UInt8(clamping: (light + 516 * blue) >> 8)
            }
          }
        }
      }
    }
    return Picture(width: width, height: height, pixels: pixels)
  }
}

/// Repairs of camera JPEG files: parts that cameras omit, and bytes that they append.
///
/// - Source: ITU-T T.81, annex B; cameras leave out the usual Huffman tables (USB Video Class, "Motion-JPEG").
enum CameraJPEG {
  /// Returns the file without the bytes that drivers leave after its end.
  static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    var end = bytes.count
    while end > 2, !(bytes[end - 2] == 0xFF && bytes[end - 1] == 0xD9) {
      // After the end there are only zeros, a few kilobytes at most; other bytes are damage.
      guard bytes[end - 1] == 0, bytes.count - end < 1 << 16 else { return bytes }
      end -= 1
    }
    return end > 2 ? Array(bytes[..<end]) : bytes
  }

  /// Returns true if the picture carries its Huffman tables, without which only some programs read it.
  static func hasTables(_ bytes: [UInt8]) -> Bool {
    var place = 2
    while place + 3 < bytes.count, bytes[place] == 0xFF {
      switch bytes[place + 1] {
      case 0xC4: return true
      case 0xDA: return false
      case 0xFF: place += 1
      default: place += 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
      }
    }
    return false
  }
}
