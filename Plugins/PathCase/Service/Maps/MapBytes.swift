import PluginCompression

/// The content of files, uncompressed where they are compressed.
enum MapBytes {
  /// The largest content, in bytes.
  static let limitInBytes = 64 << 20
  /// How many times larger than the file the content may be, once it is larger than ``smallInBytes``.
  static let ratio = 200
  /// Up to this size any ratio is fine: texts with many blanks shrink much.
  static let smallInBytes = 1 << 20

  /// The content of a file; gzip is told by the content.
  ///
  /// - Throws: ``MapError/tooLarge(limitInBytes:)``, ``MapError/compression(_:)``.
  static func plain(_ bytes: [UInt8]) throws(MapError) -> [UInt8] {
    guard Gzip.isGzip(bytes) else { return bytes }
    let limit = min(limitInBytes, max(smallInBytes, bytes.count.multipliedReportingOverflow(by: ratio).partialValue))
    do {
      return try Gzip.uncompress(bytes, limit: limit)
    } catch .tooLarge(let limit) {
      throw .tooLarge(limitInBytes: limit)
    } catch {
      throw .compression(error.description)
    }
  }
}
