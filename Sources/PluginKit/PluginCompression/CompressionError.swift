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
