import PluginCompression

/// Reads the content of files, uncompressed if necessary.
enum MapBytes {
  /// The maximum content size in bytes.
  static let limitInBytes = 64 << 20
  /// The maximum ratio of content size to file size, for content larger than ``smallInBytes``.
  static let ratio = 200
  /// The size up to which any ratio is permitted: texts with much whitespace compress well.
  static let smallInBytes = 1 << 20

  /// Returns the content of a file; gzip is detected by the content.
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
