/// A destination for a sensor's data while it is received.
///
/// One thread writes at a time. The data counts only once the sink is finished: a sink that is abandoned, or lost with
/// the process, leaves no trace.
protocol DataSink: AnyObject, Sendable {
  /// Writes the next decoded bytes.
  ///
  /// - Throws: The reason they cannot be written, such as a full disk; the download ends with it.
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// Discards the written data.
  func abandon()
}
