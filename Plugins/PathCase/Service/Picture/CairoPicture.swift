import CPicture
import Glibc
import PluginAPI

/// Writes pictures as PDF and PNG files with cairo, which is loaded on first use.
///
/// The same picture always gives the same bytes on a system; with other fonts its letters differ.
enum CairoPicture {
  /// The maximum number of pixels on a PNG's side, and in total.
  private static let limits = (side: 30_000, area: 120_000_000)

  /// Returns a PDF of one page.
  ///
  /// - Parameter width: The width in points.
  /// - Throws: ``PictureError``.
  static func pdf(_ picture: VectorPicture, width: Double? = nil) throws(ErrorReport) -> [UInt8] {
    try openLibrary()
    let scale = scale(picture, width)
    let file = GrowingFile()
    let sheet = picture.title.withCString { title in
      picture_pdf(
        max(1, picture.width * scale), max(1, picture.height * scale), title, GrowingFile.sink, file.pointer)
    }
    guard let sheet else { throw PictureError.failed(reason: "out of memory") }
    draw(picture, on: sheet, scale: scale)
    let reason = picture_finish(sheet, GrowingFile.sink, file.pointer)
    return try file.taken(reason)
  }

  /// The maximum number of pixels on the longer side of a PNG without a given width.
  static let usualSide = 4000.0

  /// Returns the pixels per point for a PNG without a given width.
  ///
  /// Two are sharp on today's screens; pictures that would exceed ``usualSide`` have fewer.
  static func usualScale(_ picture: VectorPicture) -> Double {
    min(2, usualSide / max(picture.width, picture.height, 1))
  }

  /// Returns a PNG.
  ///
  /// - Parameter width: The width in pixels.
  /// - Throws: ``PictureError/tooLarge(width:height:)`` and others.
  static func png(_ picture: VectorPicture, width: Double? = nil) throws(ErrorReport) -> [UInt8] {
    try openLibrary()
    let scale = width == nil ? usualScale(picture) : scale(picture, width)
    // A side of 4000 pixels must not become 4001 by rounding.
    let (columns, rows) = (
      (picture.width * scale - 1e-6).rounded(.up), (picture.height * scale - 1e-6).rounded(.up)
    )
    guard columns <= Double(limits.side), rows <= Double(limits.side), columns * rows <= Double(limits.area) else {
      throw PictureError.tooLarge(width: Int(min(columns, 1e9)), height: Int(min(rows, 1e9)))
    }
    guard let sheet = picture_png(Int32(max(1, columns)), Int32(max(1, rows))) else {
      throw PictureError.failed(reason: "out of memory")
    }
    draw(picture, on: sheet, scale: scale)
    let file = GrowingFile()
    let reason = picture_finish(sheet, GrowingFile.sink, file.pointer)
    return try file.taken(reason)
  }

  private static func openLibrary() throws(ErrorReport) {
    if let problem = picture_open() { throw PictureError.libraryMissing(reason: String(cString: problem)) }
  }

  private static func scale(_ picture: VectorPicture, _ width: Double?) -> Double {
    guard let width, picture.width > 0 else { return 1 }
    return width / picture.width
  }

  // MARK: Drawing

  private static func draw(_ picture: VectorPicture, on sheet: OpaquePointer, scale: Double) {
    picture_cover(sheet, raw(picture.background))
    picture_view(sheet, picture.left, picture.top, scale)
    for shape in picture.items.lazy.map(\.shapes).joined() {
      switch shape {
      case .path(let path, let style): draw(path, style, on: sheet)
      case .text(let text): draw(text, on: sheet)
      }
    }
  }

  private static func draw(_ path: PicturePath, _ style: PictureStyle, on sheet: OpaquePointer) {
    picture_clear(sheet)
    for step in path.steps {
      switch step {
      case .move(let point): picture_move(sheet, point.x, point.y)
      case .line(let point): picture_line(sheet, point.x, point.y)
      case .curve(let first, let second, let end):
        picture_curve(sheet, first.x, first.y, second.x, second.y, end.x, end.y)
      case .close: picture_close(sheet)
      }
    }
    if let fill = style.fill { picture_fill(sheet, raw(fill)) }
    if let stroke = style.stroke {
      picture_stroke(sheet, raw(stroke), style.strokeWidth, style.dashes, Int32(style.dashes.count))
    }
    picture_clear(sheet)
  }

  private static func draw(_ text: PictureText, on sheet: OpaquePointer) {
    text.text.withCString { string in
      var line = picture_text()
      line.text = string
      (line.x, line.y, line.size) = (text.position.x, text.position.y, text.size)
      line.anchor =
        switch text.anchor {
        case .start: 0
        case .middle: 0.5
        case .end: 1
        }
      // Fonts with other metrics than Helvetica's are at most slightly wider.
      line.width = LetterWidths.width(text.text, size: text.size, isBold: text.isBold) * 1.02
      (line.is_bold, line.is_italic) = (text.isBold ? 1 : 0, text.isItalic ? 1 : 0)
      line.colour = raw(text.color)
      if let halo = text.halo { line.halo = raw(halo) }
      picture_write(sheet, line)
    }
  }

  private static func raw(_ color: PictureColor) -> picture_colour {
    picture_colour(
      red: Double(color.red) / 255, green: Double(color.green) / 255, blue: Double(color.blue) / 255,
      cover: color.cover)
  }
}

/// The bytes of a file received from cairo so far.
private final class GrowingFile {
  private var bytes: [UInt8] = []

  /// A pointer to the file, valid while the file is in use.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let sink: picture_sink = { context, bytes, count in
    guard let context, let bytes else { return 0 }
    let file = Unmanaged<GrowingFile>.fromOpaque(context).takeUnretainedValue()
    file.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
    return 1
  }

  /// Returns the file, or throws if there is a reason why it is incomplete.
  func taken(_ reason: UnsafePointer<CChar>?) throws(ErrorReport) -> [UInt8] {
    if let reason { throw PictureError.failed(reason: String(cString: reason)) }
    return bytes
  }
}

/// The errors of writing pictures.
enum PictureError {
  static let all: [DeclaredError] = [libraryMissing, tooLarge, failed]

  static let libraryMissing = DeclaredError(
    "pathcase.cairo-missing", .failure, "the library that draws PDF and PNG is not installed")

  static func libraryMissing(reason: String) -> ErrorReport {
    libraryMissing(
      "cairo cannot be used: \(reason)", advice: "install it with 'sudo apt-get install libcairo2', or draw SVG")
  }

  static let tooLarge = DeclaredError(
    "pathcase.picture-too-large", .usage, "the PNG would have too many pixels")

  static func tooLarge(width: Int, height: Int) -> ErrorReport {
    tooLarge(
      "the picture of \(width) × \(height) pixels would be too large",
      advice: "give a smaller '--width', or draw SVG or PDF")
  }

  static let failed = DeclaredError(
    "pathcase.picture-failed", .failure, "the picture cannot be drawn because memory or the disk is full")

  static func failed(reason: String) -> ErrorReport { failed("the picture cannot be drawn: \(reason)") }
}
