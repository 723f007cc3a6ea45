internal import CZlib

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
