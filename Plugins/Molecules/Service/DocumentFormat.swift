/// One format of structure files, with its name, detection and reader.
struct DocumentFormat: Sendable {
  /// The display name.
  var name: String
  /// The file name extensions in lower case, without dot and without `gz`.
  var extensions: [String]
  /// A Boolean value indicating whether a file with one of the extensions is read even if its content is not
  /// recognized, so that the reader reports the error.
  var isToldByName = false
  /// The reference of the format's specification.
  var reference: String
  /// A function that returns true for content of this format.
  ///
  /// - Parameter bytes: the whole uncompressed content.
  var detect: @Sendable (_ bytes: UnsafeBufferPointer<UInt8>) -> Bool
  /// A function that reads content of this format.
  ///
  /// - Parameter bytes: the whole uncompressed content.
  var read: @Sendable (_ bytes: UnsafeBufferPointer<UInt8>) throws(StructureReadingError) -> Structure
}
