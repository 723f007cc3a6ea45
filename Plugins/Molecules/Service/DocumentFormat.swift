/// One format of structure files: how it is called, told by content, and read.
struct DocumentFormat: Sendable {
  /// Name as people say it.
  var name: String
  /// File name extensions in small letters, without point and without `gz`.
  var extensions: [String]
  /// Whether a file of one of the extensions is read although its content does not tell the format: the reader then says where
  /// it is broken.
  var isToldByName = false
  /// Where the format is described.
  var reference: String
  /// Whether content is of this format.
  ///
  /// - Parameter bytes: the whole uncompressed content.
  var detect: @Sendable (_ bytes: UnsafeBufferPointer<UInt8>) -> Bool
  /// Reads content of this format.
  ///
  /// - Parameter bytes: the whole uncompressed content.
  var read: @Sendable (_ bytes: UnsafeBufferPointer<UInt8>) throws(StructureReadingError) -> Structure
}
