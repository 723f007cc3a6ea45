/// Takes the pieces of a live preview (`multipart/x-mixed-replace`) and gives its pictures.
struct PreviewReader {
  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - boundary: What stands between pictures, without the two dashes in front.
  ///   - limitInBytes: How large a picture may be; a larger one is passed over.
  init(boundary: String, limitInBytes: Int) {}

  /// The boundary in a `Content-Type`, in quotes or not; nil if it is none of a stream of pictures.
  static func boundary(contentType: String) -> String? { nil }

  /// Takes a piece.
  ///
  /// - Returns: The newest picture that became whole with it; nil if none did.
  mutating func push(_ bytes: UnsafeRawBufferPointer) -> PreviewFrame? { nil }

  /// Takes the end of the stream, which may end the last picture.
  mutating func finish() -> PreviewFrame? { nil }
}
