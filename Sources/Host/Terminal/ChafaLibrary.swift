internal import Glibc
import PluginAPI
import Synchronization

/// libchafa, opened when the first picture in pixels is drawn: it encodes sixels and the kitty protocol.
///
/// - Source: chafa 1.8 and newer, chafa-canvas.h, chafa-canvas-config.h, chafa-term-info.h, chafa-term-db.h.
final class ChafaLibrary: Sendable {
  private typealias Make = @convention(c) () -> OpaquePointer?
  private typealias Release = @convention(c) (OpaquePointer?) -> Void
  private typealias SetOne = @convention(c) (OpaquePointer?, Int32) -> Void
  private typealias SetTwo = @convention(c) (OpaquePointer?, Int32, Int32) -> Void
  private typealias SetFloat = @convention(c) (OpaquePointer?, Float) -> Void
  private typealias From = @convention(c) (OpaquePointer?) -> OpaquePointer?
  private typealias Draw = @convention(c) (OpaquePointer?, Int32, UnsafePointer<UInt8>?, Int32, Int32, Int32) -> Void
  private typealias Print = @convention(c) (OpaquePointer?, OpaquePointer?) -> UnsafeMutableRawPointer?
  private typealias FreeText = @convention(c) (UnsafeMutableRawPointer?, Int32) -> UnsafeMutableRawPointer?

  /// GLib's `GString`.
  private struct Text {
    var start: UnsafeMutablePointer<UInt8>?
    var count: UInt
    var capacity: UInt
  }

  private struct Functions: Sendable {
    let newConfig: Make
    let releaseConfig: Release
    let setGeometry: SetTwo
    let setCellGeometry: SetTwo
    let setPixelMode: SetOne
    let setCanvasMode: SetOne
    let setThreshold: SetFloat
    let newCanvas: From
    let releaseCanvas: Release
    let draw: Draw
    let print: Print
    let database: Make
    let fallbackInfo: From
    let releaseInfo: Release
    let freeText: FreeText
  }

  /// The name the loader finds the library by.
  private static let file = "libchafa.so.0"
  private static let opened = Mutex<Result<ChafaLibrary, ErrorReport>?>(nil)

  private let functions: Functions

  private init(_ functions: Functions) { self.functions = functions }

  /// Returns the library, opened at the first call.
  ///
  /// - Throws: ``TerminalError/libraryMissing(name:package:reason:)``, ``TerminalError/libraryUnusable(name:symbol:)``.
  static func shared() throws(ErrorReport) -> ChafaLibrary {
    let result = opened.withLock { opened in
      if let opened { return opened }
      let result = open(file)
      opened = result
      return result
    }
    return try result.get()
  }

  /// Opens a library by its name; another one than chafa in tests only.
  static func open(_ file: String) -> Result<ChafaLibrary, ErrorReport> {
    guard let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      let reason = dlerror().map { String(cString: $0) } ?? "unknown reason"
      return .failure(TerminalError.libraryMissing(name: file, package: "libchafa0", reason: reason))
    }
    do throws(ErrorReport) {
      return .success(ChafaLibrary(try functions(handle, file)))
    } catch {
      return .failure(error)
    }
  }

  private static func functions(_ handle: UnsafeMutableRawPointer, _ file: String) throws(ErrorReport) -> Functions {
    func find<F>(_ symbol: String, as type: F.Type) throws(ErrorReport) -> F {
      guard let address = dlsym(handle, symbol) else { throw TerminalError.libraryUnusable(name: file, symbol: symbol) }
      return unsafeBitCast(address, to: type)
    }
    return Functions(
      newConfig: try find("chafa_canvas_config_new", as: Make.self),
      releaseConfig: try find("chafa_canvas_config_unref", as: Release.self),
      setGeometry: try find("chafa_canvas_config_set_geometry", as: SetTwo.self),
      setCellGeometry: try find("chafa_canvas_config_set_cell_geometry", as: SetTwo.self),
      setPixelMode: try find("chafa_canvas_config_set_pixel_mode", as: SetOne.self),
      setCanvasMode: try find("chafa_canvas_config_set_canvas_mode", as: SetOne.self),
      setThreshold: try find("chafa_canvas_config_set_transparency_threshold", as: SetFloat.self),
      newCanvas: try find("chafa_canvas_new", as: From.self),
      releaseCanvas: try find("chafa_canvas_unref", as: Release.self),
      draw: try find("chafa_canvas_draw_all_pixels", as: Draw.self),
      print: try find("chafa_canvas_print", as: Print.self),
      database: try find("chafa_term_db_get_default", as: Make.self),
      fallbackInfo: try find("chafa_term_db_get_fallback_info", as: From.self),
      releaseInfo: try find("chafa_term_info_unref", as: Release.self),
      freeText: try find("g_string_free", as: FreeText.self))
  }

  /// The protocols that libchafa encodes for us: values of `ChafaPixelMode`.
  enum PixelMode: Int32 {
    case sixel = 1
    case kitty
  }

  /// Returns the bytes that show a picture at the cursor, without colors of text or movements around them.
  ///
  /// - Parameters:
  ///   - picture: The picture, not empty; it fills its place.
  ///   - mode: The protocol.
  ///   - cells: The size of its place in cells.
  ///   - cellPixels: The pixels of a cell.
  /// - Returns: The bytes; nil if the picture cannot be encoded.
  func encode(_ picture: Picture, as mode: PixelMode, cells: Size, cellPixels: Size) -> [UInt8]? {
    let functions = functions
    guard cells.width > 0, cells.height > 0, !picture.isEmpty, let config = functions.newConfig() else { return nil }
    defer { functions.releaseConfig(config) }
    functions.setGeometry(config, Int32(cells.width), Int32(cells.height))
    functions.setCellGeometry(config, Int32(cellPixels.width), Int32(cellPixels.height))
    functions.setPixelMode(config, mode.rawValue)
    functions.setCanvasMode(config, Self.allColors)
    functions.setThreshold(config, 0.5)
    guard let canvas = functions.newCanvas(config) else { return nil }
    defer { functions.releaseCanvas(canvas) }
    let info = functions.fallbackInfo(functions.database())
    defer { functions.releaseInfo(info) }
    picture.pixels.withUnsafeBufferPointer {
      functions.draw(
        canvas, Self.unassociated, $0.baseAddress, Int32(picture.width), Int32(picture.height),
        Int32(4 * picture.width))
    }
    guard let text = functions.print(canvas, info) else { return nil }
    defer { _ = functions.freeText(text, 1) }
    let content = text.load(as: Text.self)
    let bytes = Array(UnsafeBufferPointer(start: content.start, count: Int(content.count)))
    guard let start = bytes.firstIndex(of: 0x1B), let end = Self.end(of: bytes) else { return nil }
    return Array(bytes[start..<end])
  }

  /// Returns the index after the last string terminator; only movements to the next line follow.
  private static func end(of bytes: [UInt8]) -> Int? {
    bytes.indices.dropFirst().last { bytes[$0] == UInt8(ascii: "\\") && bytes[$0 - 1] == 0x1B }.map { $0 + 1 }
  }

  /// A value of `ChafaCanvasMode`.
  private static let allColors: Int32 = 0
  /// A value of `ChafaPixelType`: RGBA, not multiplied by alpha.
  private static let unassociated: Int32 = 4
}
