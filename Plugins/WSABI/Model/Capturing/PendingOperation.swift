import PluginAPI

/// An operation in progress at a sensor, as `operations` lists it.
struct PendingOperation: Sendable, Hashable {
  enum Stage: Sendable, Hashable {
    /// Another operation of the same link goes first.
    case queued
    case asking(SequenceStep)
    case waiting(OperationStatus)
    case downloading(SensorUUID)
    case canceling
  }

  /// The number by which it is canceled; counted from 1 in a process.
  var number: Int
  var address: SensorAddress
  /// Nil for operations of the link itself.
  var item: Int?
  /// True if the operation captures, or downloads what was captured.
  ///
  /// An item's other operations make its sensor ready.
  var isCapture = false
  var stage: Stage
  var began: Instant

  /// True if it uses the session at its sensor; data is fetched without one.
  var needsSession: Bool {
    switch stage {
    case .downloading, .waiting(.preparingDownload): false
    case .queued, .asking, .waiting, .canceling: true
    }
  }
}
