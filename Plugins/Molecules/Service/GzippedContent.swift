internal import PluginCompression

/// The most that is read of a file.
struct ReadingLimits: Equatable, Sendable {
  /// The largest content of a compressed file, in bytes.
  var contentInBytes = Self.standardContentInMebibytes << 20

  /// The largest content unless a setting says otherwise: 1 GiB.
  static let standardContentInMebibytes = 1024
}

/// The content of a gzipped file.
struct GzippedContent {
  private(set) var bytes: [UInt8]
  /// True if something other than zero bytes followed the last member and was ignored, as gzip does.
  private(set) var hasTrailingBytes = false

  /// Uncompresses a file.
  ///
  /// - Throws: `compression` when the data are cut short or damaged, `contentTooLarge` above the limit.
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

  /// The content of the members before bytes that begin no member; nil if a member itself is damaged.
  private static func wholeMembers(of file: UnsafeRawBufferPointer, _ limits: ReadingLimits) -> [UInt8]? {
    guard let stream = try? GzipStream(limit: limits.contentInBytes) else { return nil }
    var content: [UInt8] = []
    try? stream.push(file) { content.append(contentsOf: $0) }
    // Ending fails within a member, and not where the bytes after one are refused.
    return (try? stream.finish()) == nil ? nil : content
  }
}
