/// An export that is read: files with names.
protocol ExchangeSource: Sendable {
  /// All files with their sizes in bytes.
  var files: [String: Int] { get }
  /// Passes on the bytes of a file in pieces.
  ///
  /// - Throws: ``ExchangeError``, naming the file, if it is not as it was written.
  func read(_ name: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws
}

extension ExchangeSource {
  /// Returns a whole file.
  func bytes(_ name: String, limitInBytes: Int) throws -> [UInt8] {
    guard let size = files[name] else { throw ExchangeError.missingFile(name) }
    guard size <= limitInBytes else { throw ExchangeError.tooLarge("'\(name)'", limitInBytes: limitInBytes) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    try read(name) { bytes.append(contentsOf: $0) }
    return bytes
  }
}
