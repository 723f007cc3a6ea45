/// Where the data of a sensor goes while it arrives.
///
/// It is written by one thread at a time. What was written is nothing until it was finished: a sink that is abandoned,
/// or lost with the process, leaves no trace.
protocol DataSink: AnyObject, Sendable {
  /// Takes the next decoded bytes.
  ///
  /// - Throws: What keeps it from taking them, such as a full disk; the download ends with it.
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// Gives up what was written.
  func abandon()
}
