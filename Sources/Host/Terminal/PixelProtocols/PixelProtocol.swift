import PluginAPI

/// A terminal protocol for pictures in pixels.
///
/// A new one is a file beside this one and an entry of ``GraphicsMode/pixelModes``.
protocol PixelProtocol: Sendable {
  /// The word of the setting `host.graphics`.
  var name: String { get }

  /// The query that terminals with this protocol respond to; the device attributes (DA1) are queried in any case.
  var query: String { get }

  /// Returns true if a terminal's response to the queries announces this protocol.
  ///
  /// - Parameter response: One complete control sequence.
  func isAnnounced(by response: [UInt8]) -> Bool

  /// Opens the libraries that encoding requires.
  func openLibraries() throws(ErrorReport)

  /// A Boolean value indicating whether a picture on the last row scrolls the screen.
  var scrollsAtLastRow: Bool { get }

  /// Returns the sequence that deletes pictures; nil if only redrawn cells remove them.
  ///
  /// - Parameter place: The top left cell of the picture; nil to delete all.
  func deletion(at place: Point?) -> String?

  /// Returns the bytes that show a picture at the cursor; nil if it cannot be encoded.
  ///
  /// - Parameters:
  ///   - picture: The picture, not empty; it fills its place.
  ///   - cells: The size of its place in cells.
  ///   - cellPixels: The pixels of a cell.
  ///   - movesCursor: True if the cursor must end below the picture, as on a stream; some protocols always move it.
  /// - Throws: ``TerminalError`` if a library is missing.
  func encode(_ picture: Picture, cells: Size, cellPixels: Size, movesCursor: Bool) throws(ErrorReport) -> [UInt8]?
}

extension PixelProtocol {
  var query: String { "" }
  func isAnnounced(by response: [UInt8]) -> Bool { false }
  func openLibraries() throws(ErrorReport) {}
  func deletion(at place: Point?) -> String? { nil }
}
