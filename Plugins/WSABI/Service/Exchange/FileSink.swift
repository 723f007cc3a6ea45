/// Takes data of a sensor into a file that its owner alone can read, and that nobody sees before it is whole.
final class FileSink: DataSink {
  private let file: PrivateFile

  /// - Throws: ``ExchangeError``, also where there is something of that name.
  init(for path: String) throws(ExchangeError) {
    if PrivateFile.exists(path) { throw .targetExists(path: path) }
    file = try PrivateFile(for: path)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws { try file.write(bytes) }

  func abandon() { file.discard() }

  /// Puts the file into its place, once all of it is on the device.
  func settle(at path: String) throws(ExchangeError) { try file.settle(at: path) }
}
