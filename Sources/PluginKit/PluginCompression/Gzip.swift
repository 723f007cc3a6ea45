internal import CDeflate
internal import CZlib

/// Compression and decompression of gzip data, recognized by content.
///
/// libdeflate handles whole buffers, at more than twice the speed of zlib. Data that claims to be larger than
/// `wholeBufferCap`, and data that arrives in pieces, goes through zlib in bounded memory.
/// - Source: RFC 1952 (gzip file format), including multiple members (section 2.2).
@frozen
public enum Gzip {
  /// The largest content, in bytes, for which memory is allocated by the size that the data claims.
  public static let wholeBufferCap = 64 << 20
  /// The largest ratio of claimed content to data for such an allocation; structure files reach up to eight.
  static let wholeBufferRatio = 10
  /// The default limit of the content's size: 2 GiB.
  public static let defaultLimit = 2 << 30

  /// Returns true if data begins with the gzip magic number `1f 8b`.
  public static func isGzip(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
  }

  /// Returns true if data begins with the gzip magic number `1f 8b`.
  public static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(isGzip) }

  /// Decompresses a whole buffer of one or more gzip members; zero bytes after the last member are ignored.
  ///
  /// Memory is at most the content plus what growing it needs, and never more than about twice the limit: neither a
  /// false claim of size nor a small bomb allocates more than the limit.
  /// - Parameters:
  ///   - bytes: the compressed data.
  ///   - limit: the maximum size of the content, in bytes.
  /// - Returns: the content.
  /// - Throws: `notGzip`, `truncated`, `damaged`, `tooLarge`, `outOfMemory`.
  /// - Complexity: linear in the content.
  public static func uncompress(
    _ bytes: UnsafeRawBufferPointer, limit: Int = defaultLimit
  ) throws(CompressionError) -> [UInt8] {
    guard isGzip(bytes) else { throw .notGzip }
    if let whole = try uncompressWhole(bytes, limit: limit) { return whole }
    var content: [UInt8] = []
    let stream = try GzipStream(limit: limit)
    try stream.push(bytes) { content.append(contentsOf: $0) }
    try stream.finish()
    return content
  }

  /// Decompresses a whole buffer of one or more gzip members.
  ///
  /// - Throws: as the function on raw bytes.
  public static func uncompress(_ bytes: [UInt8], limit: Int = defaultLimit) throws(CompressionError) -> [UInt8] {
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(CompressionError) in try uncompress(raw, limit: limit) }
    }
    return try result.get()
  }

  /// Compresses a whole buffer to one gzip member without name or time: the same bytes give the same result.
  ///
  /// - Parameters:
  ///   - bytes: the content.
  ///   - level: 1 fastest ... 12 smallest.
  /// - Returns: the compressed data.
  /// - Throws: `outOfMemory`.
  public static func compress(_ bytes: [UInt8], level: Int = 6) throws(CompressionError) -> [UInt8] {
    precondition((1...12).contains(level), "a compression level is 1...12")
    guard let compressor = libdeflate_alloc_compressor(Int32(level)) else { throw .outOfMemory }
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_gzip_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { room, count in
      count = bytes.withUnsafeBytes { source in
        libdeflate_gzip_compress(compressor, source.baseAddress, source.count, room.baseAddress, bound)
      }
    }
  }

  /// Decompresses with libdeflate; returns nil if the claimed size is above the cap or wrong.
  private static func uncompressWhole(
    _ bytes: UnsafeRawBufferPointer, limit: Int
  ) throws(CompressionError) -> [UInt8]? {
    guard bytes.count >= 18 else { throw .truncated }
    // RFC 1952, 2.3.1: ISIZE, the last four bytes, is the size of the last member modulo 2^32. A large claim may be
    // damage: the stream allocates only for what is really there.
    let claimed = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self)))
    guard claimed > 0, claimed <= wholeBufferCap, claimed <= bytes.count * wholeBufferRatio else { return nil }
    guard claimed <= limit else { throw .tooLarge(limit: limit) }
    guard let decompressor = libdeflate_alloc_decompressor() else { throw .outOfMemory }
    defer { libdeflate_free_decompressor(decompressor) }
    var used = 0
    var status = LIBDEFLATE_SUCCESS
    let content = [UInt8](unsafeUninitializedCapacity: claimed) { room, count in
      status = libdeflate_gzip_decompress_ex(
        decompressor, bytes.baseAddress, bytes.count, room.baseAddress, claimed, &used, &count)
      if status != LIBDEFLATE_SUCCESS { count = 0 }
    }
    // Anything but one exactly fitting member is left to the stream, which distinguishes truncation from damage.
    return status == LIBDEFLATE_SUCCESS && used == bytes.count ? content : nil
  }
}
