/// The kind of an audit log entry.
enum AuditAction: String, CaseIterable, Sendable {
  case storeCreated
  case unlocked
  case locked
  case peopleListed
  case personRead
  case itemRead
  case captureRead
  case personAdded
  case personEdited
  case personDuplicated
  case personDeleted
  case itemAdded
  case itemEdited
  case itemAnnotated
  case itemCleared
  case itemDeleted
  case captureAsked
  case captureAnswered
  case captureKept
  case captureLost
  case captureEnded
  case captureDeleted
  case captureRefused
  case captureScored
  case captureImported
  /// An operation that another client began at a sensor was canceled.
  case sensorUsed
  case sensorStolen
  case lockGivenBack
  case lockForgotten
  case sensorForgotten
  case sensorRemembered
  case exported
  case imported
  case auditRead
  case permissionRefused
  case userAdded
  case userChanged
  case userRemoved
  case keyChanged
  case masterKeyChanged
  case purged
  /// A backup replaced the records; the outcome names the log entry at which it was made.
  case restored
}
