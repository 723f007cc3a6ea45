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
  private static let wholeBufferRatio = 10
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

/// A decompressor of gzip data that arrives in pieces, in bounded memory.
///
/// Do not use a stream on several threads at once.
public final class GzipStream {
  private var stream = z_stream()
  private let limit: Int
  private var made = 0
  private var isInMember = false
  private var hasMember = false
  private var isPadding = false
  private let room: UnsafeMutableRawBufferPointer

  /// Creates a stream.
  ///
  /// - Parameter limit: the maximum size of the content, in bytes, over all members.
  /// - Throws: `outOfMemory`.
  public init(limit: Int = Gzip.defaultLimit) throws(CompressionError) {
    self.limit = limit
    room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    // 15 is the largest window, 16 more asks for the gzip wrapper.
    let status = inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if status != Z_OK {
      room.deallocate()
      throw .outOfMemory
    }
  }

  deinit {
    inflateEnd(&stream)
    room.deallocate()
  }

  /// Decompresses the next piece and passes on the content in chunks of at most 128 KiB.
  ///
  /// - Parameters:
  ///   - piece: the next compressed bytes, any number of them.
  ///   - use: receives a chunk of content, valid only within the call.
  /// - Throws: `notGzip`, `damaged`, `tooLarge`, `outOfMemory`.
  public func push(
    _ piece: UnsafeRawBufferPointer, _ use: (UnsafeRawBufferPointer) -> Void
  ) throws(CompressionError) {
    var rest = piece
    while !rest.isEmpty {
      if !isInMember {
        rest = try enterMember(rest)
        if rest.isEmpty { return }
      }
      let size = min(rest.count, 1 << 30)
      let used = try inflatePiece(UnsafeRawBufferPointer(rebasing: rest[..<size]), use)
      rest = UnsafeRawBufferPointer(rebasing: rest[used...])
    }
  }

  /// Ends the stream.
  ///
  /// - Throws: `truncated` if the last member is incomplete, `notGzip` if there was none.
  public func finish() throws(CompressionError) {
    if isInMember { throw .truncated }
    if !hasMember { throw .notGzip }
  }

  /// Begins a member; after the first, zero bytes are padding and any other non-member ends the content.
  private func enterMember(_ bytes: UnsafeRawBufferPointer) throws(CompressionError) -> UnsafeRawBufferPointer {
    if hasMember {
      if isPadding || bytes[0] == 0 {
        isPadding = true
        guard bytes.allSatisfy({ $0 == 0 }) else { throw .damaged }
        return UnsafeRawBufferPointer(rebasing: bytes[bytes.count...])
      }
      inflateReset(&stream)
    }
    guard bytes[0] == 0x1F, bytes.count < 2 || bytes[1] == 0x8B else { throw hasMember ? .damaged : .notGzip }
    isInMember = true
    return bytes
  }

  /// Inflates until the piece is consumed or the member ends; returns the number of bytes consumed.
  private func inflatePiece(
    _ piece: UnsafeRawBufferPointer, _ use: (UnsafeRawBufferPointer) -> Void
  ) throws(CompressionError) -> Int {
    stream.next_in = UnsafeMutablePointer(mutating: piece.bindMemory(to: UInt8.self).baseAddress)
    stream.avail_in = UInt32(piece.count)
    repeat {
      stream.next_out = room.bindMemory(to: UInt8.self).baseAddress
      stream.avail_out = UInt32(room.count)
      let status = inflate(&stream, Z_NO_FLUSH)
      let count = room.count - Int(stream.avail_out)
      made += count
      if made > limit { throw .tooLarge(limit: limit) }
      if count > 0 { use(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count])) }
      switch status {
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END:
        isInMember = false
        hasMember = true
        return piece.count - Int(stream.avail_in)
      case Z_MEM_ERROR: throw .outOfMemory
      default: throw .damaged
      }
      // Z_BUF_ERROR with room to spare means that the piece is used up.
    } while stream.avail_in > 0 || stream.avail_out == 0
    return piece.count
  }
}

/// An error in compressed data.
@frozen
public enum CompressionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The data does not begin with the gzip magic number `1f 8b`.
  case notGzip
  /// The data ends before the compressed stream does.
  case truncated
  /// The stream violates the format, or its checksum or length is wrong.
  case damaged
  /// The content is larger than allowed.
  ///
  /// - Parameter limit: the allowed size in bytes.
  case tooLarge(limit: Int)
  /// There is not enough memory.
  case outOfMemory

  /// A description of the error with advice, without a full stop.
  public var description: String {
    switch self {
    case .notGzip: "the data is not gzip: it does not begin with the bytes 1f 8b"
    case .truncated: "the compressed data is truncated; fetch the file again"
    case .damaged: "the compressed data is damaged (wrong checksum, length or codes); fetch the file again"
    case .tooLarge(let limit): "the uncompressed content is larger than the allowed \(limit) bytes; raise the limit"
    case .outOfMemory: "there is not enough memory for the codec; close other programs"
    }
  }
}

/// The checksum of gzip, ZIP and PNG, computed over bytes that arrive in pieces.
///
/// - Source: RFC 1952, section 8.
@frozen
public struct CRC32: Sendable, Hashable {
  /// The checksum of all bytes so far; 0 for none.
  public private(set) var value: UInt32 = 0

  /// Creates a checksum of no bytes.
  public init() {}

  /// Adds the next bytes.
  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    value = UInt32(truncatingIfNeeded: crc32_z(UInt(value), start, bytes.count))
  }

  /// Adds the next bytes.
  public mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }
}
