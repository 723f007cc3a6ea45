import PluginAPI
import PluginImages

/// Conversions of captures to pictures for display, thumbnails, scoring and export.
enum CapturePicture {
  /// The most pixels that are decoded: a slap of four fingers at 1000 per inch has 9.6 million.
  static let mostPixels = 40_000_000
  /// The longest edge of a thumbnail, in pixels.
  ///
  /// - Source: the grid of wsabi2 shows 114 points at twice the resolution.
  private static let thumbnailEdge = 228
  /// The compression level of thumbnail files, 0 … 9; a higher one takes longer than all other work on a capture.
  private static let thumbnailCompression = 1

  /// Returns the picture of a capture.
  ///
  /// - Parameter bytes: All data of the capture.
  /// - Throws: ``PictureError``, before any room is made for a picture that is too large.
  static func picture(_ bytes: [UInt8], mostPixels: Int = mostPixels) throws(PictureError) -> Picture {
    guard let header = PictureHeader(bytes) else { throw .noPicture }
    guard header.pixelCount <= mostPixels else {
      throw .tooLarge(width: header.width, height: header.height, mostPixels: mostPixels)
    }
    if header.format == .wsq { return try fingerprint(bytes, mostPixels) }
    do {
      return try ImageReader.picture(from: bytes, maximumPixels: mostPixels)
    } catch {
      throw .unreadable(header.format, error)
    }
  }

  /// Returns the picture of a WSQ file.
  private static func fingerprint(_ bytes: [UInt8], _ mostPixels: Int) throws(PictureError) -> Picture {
    do {
      let (width, height, grays) = try WSQDecoder.decode(bytes, mostPixels: mostPixels)
      var pixels = [UInt8](repeating: 255, count: 4 * grays.count)
      for (index, gray) in grays.enumerated() {
        for channel in 0..<3 { pixels[4 * index + channel] = gray }
      }
      return Picture(width: width, height: height, pixels: pixels)
    } catch {
      throw .unreadableFingerprint(error)
    }
  }

  /// Returns a thumbnail of a capture, as a PNG; nil for data that cannot be shown.
  static func thumbnail(_ bytes: [UInt8]) -> [UInt8]? {
    (try? picture(bytes)).flatMap { thumbnail(of: $0) }
  }

  /// Returns the thumbnail of a picture, as a PNG; nil for an empty one.
  static func thumbnail(of picture: Picture) -> [UInt8]? {
    let small = picture.scaled(toFit: Size(width: thumbnailEdge, height: thumbnailEdge))
    return try? PNGWriter.bytes(of: small, compressionLevel: thumbnailCompression)
  }

  /// Returns the gray image of a capture, for scorers and comparisons; an unknown scale counts as 500 pixels per inch.
  ///
  /// - Parameter stated: The pixels per inch that the service states, for a picture that does not.
  static func gray(_ bytes: [UInt8], statedPixelsPerInch stated: Int? = nil) throws(PictureError) -> GrayImage {
    gray(try picture(bytes), of: bytes, statedPixelsPerInch: stated)
  }

  /// Returns the gray image of a decoded picture; its original data determines the scale.
  static func gray(_ picture: Picture, of bytes: [UInt8], statedPixelsPerInch stated: Int? = nil) -> GrayImage {
    picture.gray(pixelsPerInch: Double(PictureHeader(bytes)?.pixelsPerInch ?? stated ?? 500))
  }

  /// Returns the picture in the form of a transaction: bitmaps as bare rows, all others unchanged.
  ///
  /// - Parameter stated: The pixels per inch that the service states, for a picture that does not.
  /// - Throws: ``PictureError`` for a picture that transactions do not support.
  static func exchanged(
    _ bytes: [UInt8], statedPixelsPerInch stated: Int? = nil
  ) throws(PictureError) -> ExchangedImage {
    guard let header = PictureHeader(bytes) else { throw .noPicture }
    let compression: ExchangedImage.Compression? =
      switch header.format {
      case .bmp: nil
      case .png: .png
      case .jpeg: header.isLossless ? .losslessJPEG : .jpeg
      case .wsq: .wsq
      case .jpeg2000: header.isLossless ? .losslessJPEG2000 : .jpeg2000
      }
    if let compression {
      return ExchangedImage(
        bytes: bytes, compression: compression, width: header.width, height: header.height,
        bitsPerPixel: header.bitsPerPixel, pixelsPerInch: header.pixelsPerInch ?? stated)
    }
    let picture = try picture(bytes)
    return ExchangedImage(
      bytes: rows(of: picture), compression: .none, width: picture.width, height: picture.height,
      bitsPerPixel: picture.isGray ? 8 : 24, pixelsPerInch: header.pixelsPerInch ?? stated)
  }

  /// Returns the picture of a transaction as a file that can be stored: bare rows become a bitmap or a PNG.
  ///
  /// - Throws: ``PictureError/otherSize(expected:found:)`` if the rows do not have the expected length.
  static func file(_ image: ExchangedImage) throws(PictureError) -> (bytes: [UInt8], type: String) {
    switch image.compression {
    case .png: return (image.bytes, "image/png")
    case .jpeg, .losslessJPEG: return (image.bytes, "image/jpeg")
    case .jpeg2000, .losslessJPEG2000: return (image.bytes, "image/jp2")
    case .wsq: return (image.bytes, "image/x-wsq")
    case .none: break
    }
    let (count, overflows) = image.width.multipliedReportingOverflow(by: image.height)
    let samples = image.bitsPerPixel / 8
    guard !overflows, count > 0, count <= mostPixels, [8, 24].contains(image.bitsPerPixel) else {
      throw .tooLarge(width: image.width, height: image.height, mostPixels: mostPixels)
    }
    guard image.bytes.count == count * samples else {
      throw .otherSize(expected: count * samples, found: image.bytes.count)
    }
    if samples == 1 {
      let gray = GrayImage(
        width: image.width, height: image.height, pixels: image.bytes,
        pixelsPerInch: Double(image.pixelsPerInch ?? 0))
      return (gray.bitmap, "image/bmp")
    }
    return try colors(image, count)
  }

  private static func colors(
    _ image: ExchangedImage, _ count: Int
  ) throws(PictureError) -> (bytes: [UInt8], type: String) {
    var pixels = [UInt8](repeating: 255, count: 4 * count)
    for index in 0..<count {
      for channel in 0..<3 { pixels[4 * index + channel] = image.bytes[3 * index + channel] }
    }
    do {
      return (
        try PNGWriter.bytes(of: Picture(width: image.width, height: image.height, pixels: pixels)), "image/png"
      )
    } catch {
      throw .unreadable(.png, error)
    }
  }

  /// Returns the samples row by row from the top: one for gray, red, green and blue for color.
  private static func rows(of picture: Picture) -> [UInt8] {
    let samples = picture.isGray ? 1 : 3
    var rows: [UInt8] = []
    rows.reserveCapacity(samples * picture.width * picture.height)
    for index in stride(from: 0, to: picture.pixels.count, by: 4) {
      rows += picture.pixels[index..<(index + samples)]
    }
    return rows
  }
}

/// The reason a capture cannot be shown, scored or put into a transaction.
enum PictureError: Error, Equatable, ReportableError {
  /// The data is not a picture, or its format is unknown.
  case noPicture
  case tooLarge(width: Int, height: Int, mostPixels: Int)
  case tooManyBytes(Int, mostBytes: Int)
  case unreadable(PictureHeader.Format, ImageError)
  /// A WSQ file that cannot be decoded.
  case unreadableFingerprint(WSQError)
  /// Bare rows that are longer or shorter than they should be, in bytes.
  case otherSize(expected: Int, found: Int)

  private static let unusable = DeclaredError(
    "wsabi.picture", .unusableInput, "cannot show a capture as a picture")
  /// The stable codes.
  static let errorCodes = [unusable.catalogueEntry]

  var report: ErrorReport {
    switch self {
    case .noPicture:
      Self.unusable("unknown picture format", advice: "export it as received, with '--format json'")
    case .tooLarge(let width, let height, let most):
      Self.unusable(
        "a picture of \(width)×\(height) pixels is larger than the \(most) allowed",
        advice: "export it to view it in another program")
    case .tooManyBytes(let count, let most):
      Self.unusable(
        "the picture of \(count) bytes is larger than the \(most) allowed",
        advice: "export it to view it in another program")
    case .unreadable(let format, let error):
      Self.unusable(
        "cannot read the \(format.rawValue) picture: \(error.report.message)", advice: "export it as received")
    case .unreadableFingerprint(let error):
      Self.unusable("cannot read the WSQ picture: \(error.reason)", advice: "export it as received")
    case .otherSize(let expected, let found):
      Self.unusable("a picture has \(found) bytes instead of \(expected)", advice: "get the file again")
    }
  }

  /// The flaw of the picture itself, worded to follow "the picture"; nil if it only cannot be read here.
  var flaw: String? {
    switch self {
    case .unreadable(_, .truncated(_, let reason)), .unreadableFingerprint(.truncated(let reason)):
      "ends too early: \(reason)"
    case .unreadable(_, .damaged(_, let reason)), .unreadableFingerprint(.damaged(let reason)):
      "is damaged: \(reason)"
    case .unreadable, .unreadableFingerprint, .noPicture, .tooLarge, .tooManyBytes, .otherSize: nil
    }
  }
}

extension GrayImage {
  /// The image as a Windows bitmap.
  var bitmap: [UInt8] {
    BitmapWriter.bytes(ofGrays: pixels, width: width, height: height, pixelsPerInch: pixelsPerInch)
  }
}
