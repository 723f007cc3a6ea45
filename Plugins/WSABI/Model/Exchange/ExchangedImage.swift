/// A captured picture in the form of an export.
struct ExchangedImage: Sendable, Hashable {
  /// The compression of the image, by the codes of the standard (field `CGA`).
  ///
  /// - Source: ANSI/NIST-ITL 1-2011, table 15.
  enum Compression: String, Sendable, CaseIterable {
    /// Rows of samples, from the top, without anything before or between them.
    case none = "NONE"
    case wsq = "WSQ20"
    case jpeg = "JPEGB"
    case losslessJPEG = "JPEGL"
    case jpeg2000 = "JP2"
    case losslessJPEG2000 = "JP2L"
    case png = "PNG"
  }

  var bytes: [UInt8]
  var compression: Compression
  var width: Int
  var height: Int
  /// Bits per pixel: 8 for gray, 24 for color.
  var bitsPerPixel: Int
  /// Pixels per inch; nil if the picture does not say.
  var pixelsPerInch: Int?
}
