/// An image format, recognized by its first bytes.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// Portable Network Graphics; of an animation only the first picture is read.
  case png = "PNG"
  /// JPEG.
  case jpeg = "JPEG"
  /// JPEG 2000: a file of boxes, or a bare codestream.
  case jpeg2000 = "JPEG 2000"
  /// Windows bitmap.
  case bmp = "BMP"
  /// Scalable Vector Graphics.
  case svg = "SVG"

  /// Recognizes the format of a file by its content; nil if it is none of these.
  ///
  /// - Parameter bytes: The file, or at least its first 4096 bytes.
  public init?(recognizing bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20])
      || bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51])
    {
      self = .jpeg2000
    } else if bytes.starts(with: [0x42, 0x4D]) {
      self = .bmp
    } else if ImageFormat.isDrawing(bytes.prefix(4096)) {
      self = .svg
    } else {
      return nil
    }
  }

  /// Returns true if the first element of an XML text is `svg`, after declarations and comments.
  private static func isDrawing(_ start: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: start, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard text.first == "<", let tag = firstElement(of: text) else { return false }
    let name = tag.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
    return name == "svg" || name.hasSuffix(":svg")
  }

  /// Returns the text that starts with the name of the first element.
  private static func firstElement(of text: Substring) -> Substring? {
    var rest = text
    while let open = rest.firstIndex(of: "<") {
      rest = rest[open...].dropFirst()
      if rest.hasPrefix("!--") {
        guard let end = end(of: "-->", in: rest) else { return nil }
        rest = rest[end...]
      } else if rest.first != "?", rest.first != "!" {
        return rest
      }
    }
    return nil
  }

  private static func end(of mark: String, in text: Substring) -> Substring.Index? {
    var rest = text
    while !rest.isEmpty {
      if rest.hasPrefix(mark) { return rest.index(rest.startIndex, offsetBy: mark.count) }
      rest = rest.dropFirst()
    }
    return nil
  }
}
