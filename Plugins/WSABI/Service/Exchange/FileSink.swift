/// A sink that writes a sensor's data to a file that only its owner can read, and that is not visible before it is
/// complete.
final class FileSink: DataSink {
  private let file: PrivateFile

  /// - Throws: ``ExchangeError``, also where there is something of that name.
  init(for path: String) throws(ExchangeError) {
    if PrivateFile.exists(path) { throw .targetExists(path: path) }
    file = try PrivateFile(for: path)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws { try file.write(bytes) }

  func abandon() { file.discard() }

  /// Moves the file to its destination, once all of it is on the device.
  func settle(at path: String) throws(ExchangeError) { try file.settle(at: path) }
}
