internal import CVault

/// Seals a file in pieces, in order (`secretstream` of libsodium).
///
/// Do not use it on several threads at once.
public final class StreamSealer {
  /// The size of the header, in bytes.
  public static var headerSize: Int { VAULT_STREAM_HEADER }
  /// The overhead of a sealed piece, in bytes.
  public static var sealSize: Int { VAULT_STREAM_SEAL }

  /// The bytes that must precede the first piece.
  public let header: [UInt8]
  private let stream: OpaquePointer

  /// Begins a stream.
  ///
  /// - Throws: ``VaultFailure/noMemory``.
  public init(_ key: DataKey) throws(VaultFailure) {
    var header = [UInt8](repeating: 0, count: Self.headerSize)
    guard let stream = key.withBytes({ vault_stream_seal(&header, $0) }) else { throw .noMemory }
    (self.header, self.stream) = (header, stream)
  }

  deinit { vault_stream_free(stream) }

  /// Seals the next piece.
  ///
  /// - Parameter sealed: The output, at least as long as the piece and ``sealSize`` together; its beginning is written.
  public func seal(_ piece: UnsafeRawBufferPointer, isLast: Bool, into sealed: inout [UInt8]) {
    precondition(sealed.count >= piece.count + Self.sealSize, "no room for a sealed piece")
    vault_stream_push(
      stream, &sealed, piece.assumingMemoryBound(to: UInt8.self).baseAddress, piece.count, isLast ? 1 : 0)
  }
}

/// Opens a file that ``StreamSealer`` sealed, in pieces.
///
/// Do not use it on several threads at once.
public final class StreamOpener {
  /// The position of a piece in its stream.
  @frozen public enum Piece: Sendable {
    case middle
    case last
  }

  private let stream: OpaquePointer

  /// Begins to open a stream; nil without memory or for an unusable header.
  public init?(header: [UInt8], key: DataKey) {
    guard header.count == StreamSealer.headerSize, let stream = key.withBytes({ vault_stream_open(header, $0) }) else {
      return nil
    }
    self.stream = stream
  }

  deinit { vault_stream_free(stream) }

  /// Opens the next piece.
  ///
  /// - Parameter piece: The output, as long as the sealed piece without its seal; its beginning is written.
  /// - Returns: The position of the piece; nil for bytes that are not the next piece.
  public func open(_ sealed: [UInt8], into piece: inout [UInt8]) -> Piece? {
    guard piece.count >= sealed.count - StreamSealer.sealSize else { return nil }
    return switch vault_stream_pull(stream, &piece, sealed, sealed.count) {
    case 1: .middle
    case 2: .last
    default: nil
    }
  }
}
