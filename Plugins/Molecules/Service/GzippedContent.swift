internal import PluginCompression

/// The limits of reading a file.
struct ReadingLimits: Equatable, Sendable {
  /// The largest content of a compressed file, in bytes.
  var contentInBytes = Self.standardContentInMebibytes << 20

  /// The default limit of uncompressed content: 1 GiB.
  static let standardContentInMebibytes = 1024
}

/// The content of a gzipped file.
struct GzippedContent {
  private(set) var bytes: [UInt8]
  /// True if something other than zero bytes followed the last member and was ignored, as gzip does.
  private(set) var hasTrailingBytes = false

  /// Uncompresses a file.
  ///
  /// - Throws: `compression` if the data are truncated or damaged, `contentTooLarge` above the limit.
  init(_ file: UnsafeRawBufferPointer, limits: ReadingLimits) throws(StructureReadingError) {
    do {
      bytes = try Gzip.uncompress(file, limit: limits.contentInBytes)
    } catch .damaged {
      guard let content = Self.wholeMembers(of: file, limits) else {
        throw .compression(CompressionError.damaged.description)
      }
      bytes = content
      hasTrailingBytes = true
    } catch .tooLarge {
      throw .contentTooLarge(limitInBytes: limits.contentInBytes)
    } catch {
      throw .compression(error.description)
    }
  }

  /// Returns the content of the members before bytes that are not a member; nil if a member itself is damaged.
  private static func wholeMembers(of file: UnsafeRawBufferPointer, _ limits: ReadingLimits) -> [UInt8]? {
    guard let stream = try? GzipStream(limit: limits.contentInBytes) else { return nil }
    var content: [UInt8] = []
    try? stream.push(file) { content.append(contentsOf: $0) }
    // Finishing fails within a member, but not if the bytes after a member are rejected.
    return (try? stream.finish()) == nil ? nil : content
  }
}
