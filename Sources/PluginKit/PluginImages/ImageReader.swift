internal import CImageDecoders
public import PluginAPI

/// A reader of images, whose format is recognized by content.
///
/// Libraries are opened when the first image of their kind is read. May be used on any thread; decoding takes time, so
/// not on the event loop.
public enum ImageReader {
  /// The default maximum number of pixels: 50 million, 200 MB.
  public static let usualMaximumPixels = 50_000_000

  /// Returns the picture in a file.
  ///
  /// Colors become 8-bit sRGB, palettes and grays RGBA. Orientation tags are ignored.
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - maximumPixels: The maximum number of pixels, checked before anything is allocated.
  ///   - drawingSize: The size in pixels for formats without pixels of their own, fitted inside with the proportions
  ///     kept; nil for the size that the drawing states.
  /// - Throws: ``ImageError``.
  public static func picture(
    from bytes: [UInt8], maximumPixels: Int = usualMaximumPixels, drawingSize: Size? = nil
  ) throws(ImageError) -> Picture {
    guard let format = ImageFormat(recognizing: bytes) else { throw .unknownFormat }
    switch format {
    case .bmp: return try BitmapReader.picture(from: bytes, maximumPixels: maximumPixels)
    case .png:
      return try decode(bytes, .png, maximumPixels, size: image_png_size) { file, count, pixels, _, _ in
        image_png_read(file, count, pixels)
      }
    case .jpeg:
      return try decode(bytes, .jpeg, maximumPixels, size: image_jpeg_size) { image_jpeg_read($0, $1, $2, $3, $4) }
    case .jpeg2000:
      return try decode(bytes, .jpeg2000, maximumPixels, size: image_jpeg2000_size) {
        image_jpeg2000_read($0, $1, $2, $3, $4)
      }
    case .svg: return try drawing(bytes, maximumPixels, drawingSize)
    }
  }

  /// Returns the size of an image in pixels, from its first bytes; 0×0 for a drawing that states none.
  ///
  /// - Throws: ``ImageError``.
  public static func size(of bytes: [UInt8]) throws(ImageError) -> Size {
    guard let format = ImageFormat(recognizing: bytes) else { throw .unknownFormat }
    switch format {
    case .bmp: return try BitmapReader.header(of: bytes).size
    case .png: return try measure(bytes, .png, image_png_size)
    case .jpeg: return try measure(bytes, .jpeg, image_jpeg_size)
    case .jpeg2000: return try measure(bytes, .jpeg2000, image_jpeg2000_size)
    case .svg: return try measure(bytes, .svg, image_svg_size)
    }
  }

  typealias Measure = (UnsafePointer<UInt8>?, Int) -> image_outcome
  typealias Decode = (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int32, Int32) -> image_outcome

  private static func measure(_ bytes: [UInt8], _ format: ImageFormat, _ call: Measure) throws(ImageError) -> Size {
    let outcome = bytes.withUnsafeBufferPointer { call($0.baseAddress, $0.count) }
    try check(outcome, format)
    return Size(width: Int(outcome.width), height: Int(outcome.height))
  }

  private static func decode(
    _ bytes: [UInt8], _ format: ImageFormat, _ maximumPixels: Int, size: Measure, _ call: Decode
  ) throws(ImageError) -> Picture {
    try decode(bytes, format, try measure(bytes, format, size), maximumPixels, call)
  }

  private static func decode(
    _ bytes: [UInt8], _ format: ImageFormat, _ size: Size, _ maximumPixels: Int, _ call: Decode
  ) throws(ImageError) -> Picture {
    try check(size, maximumPixels)
    var outcome = image_outcome()
    let count = 4 * size.width * size.height
    let pixels = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      // A decoder that fails leaves the remaining pixels unchanged.
      target.initialize(repeating: 0)
      outcome = bytes.withUnsafeBufferPointer {
        call($0.baseAddress, $0.count, target.baseAddress, Int32(size.width), Int32(size.height))
      }
      initialized = count
    }
    try check(outcome, format)
    return Picture(width: size.width, height: size.height, pixels: pixels)
  }

  private static func drawing(
    _ bytes: [UInt8], _ maximumPixels: Int, _ wanted: Size?
  ) throws(ImageError) -> Picture {
    let own = try measure(bytes, .svg, image_svg_size)
    let size: Size
    if let wanted {
      size = own.width > 0 && own.height > 0 ? own.scaled(toFit: wanted) : wanted
    } else {
      size = own
    }
    if size.width <= 0 || size.height <= 0 { throw .withoutSize }
    return try decode(bytes, .svg, size, maximumPixels) { image_svg_draw($0, $1, $2, $3, $4) }
  }

  static func check(_ size: Size, _ maximumPixels: Int) throws(ImageError) {
    let (area, overflows) = size.width.multipliedReportingOverflow(by: size.height)
    if overflows || area > maximumPixels || size.width > 1_000_000 || size.height > 1_000_000 {
      throw .tooLarge(width: size.width, height: size.height, maximumPixels: maximumPixels)
    }
  }

  static func check(_ outcome: image_outcome, _ format: ImageFormat) throws(ImageError) {
    if outcome.status == IMAGE_DONE { return }
    let message = withUnsafeBytes(of: outcome.message) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
    // On one line, like every message.
    let reason = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    switch outcome.status {
    case IMAGE_TRUNCATED: throw .truncated(format, reason: reason)
    case IMAGE_UNSUPPORTED: throw .unsupported(format, reason: reason)
    case IMAGE_NO_MEMORY: throw .outOfMemory
    case IMAGE_NO_LIBRARY:
      let names = message.split(separator: " ").map(String.init)
      throw .libraryMissing(library: names.first ?? message, package: names.last ?? message)
    default: throw .damaged(format, reason: reason)
    }
  }
}

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

/// An error in reading or writing images.
public enum ImageError: Error, Equatable, Sendable {
  /// The content has an unknown format.
  case unknownFormat
  /// The file ends too early.
  case truncated(ImageFormat, reason: String)
  /// The file violates the rules of its format.
  case damaged(ImageFormat, reason: String)
  /// The file uses an unsupported part of its format.
  case unsupported(ImageFormat, reason: String)
  /// The image has more pixels than allowed; nothing was allocated for it.
  case tooLarge(width: Int, height: Int, maximumPixels: Int)
  /// A drawing states no size, and none was requested.
  case withoutSize
  /// A system library is missing.
  case libraryMissing(library: String, package: String)
  /// There is not enough memory.
  case outOfMemory
  /// A picture to be written has no pixels, or frames of an animation differ in size.
  case unwritable(reason: String)
}

extension ImageError: ReportableError {
  /// The error as users and scripts see it.
  public var report: ErrorReport {
    switch self {
    case .unknownFormat:
      ErrorReport(
        code: "image.unknown-format", kind: .unusableInput,
        "the content is not a PNG, JPEG, JPEG 2000, BMP or SVG image",
        advice: "convert it to PNG")
    case .truncated(let format, let reason):
      ErrorReport(
        code: "image.truncated", kind: .unusableInput, "the \(format.rawValue) image is truncated: \(reason)",
        advice: "download or copy the file again")
    case .damaged(let format, let reason):
      ErrorReport(
        code: "image.damaged", kind: .unusableInput, "the \(format.rawValue) image is damaged: \(reason)",
        advice: "download or copy the file again")
    case .unsupported(let format, let reason):
      ErrorReport(
        code: "image.unsupported", kind: .unusableInput,
        "this kind of \(format.rawValue) image is not supported: \(reason)",
        advice: "convert it to PNG")
    case .tooLarge(let width, let height, let maximum):
      ErrorReport(
        code: "image.too-large", kind: .unusableInput,
        "the image of \(width)×\(height) pixels is larger than the limit of \(maximum) pixels", advice: "scale it down")
    case .withoutSize:
      ErrorReport(code: "image.without-size", kind: .unusableInput, "the drawing has no size", advice: "specify a size")
    case .libraryMissing(let library, let package):
      ErrorReport(
        code: "image.library-missing", kind: .failure, "the library '\(library)' is not installed",
        advice: "install the package '\(package)'", details: ["package": .text(package)])
    case .outOfMemory:
      ErrorReport(code: "image.out-of-memory", kind: .failure, "there is not enough memory for the image")
    case .unwritable(let reason):
      ErrorReport(code: "image.unwritable", kind: .failure, "cannot write the picture: \(reason)")
    }
  }
}

extension ImageError: CustomStringConvertible {
  /// The error in words, with advice.
  public var description: String { report.description }
}
