/// A step of a sequence: one operation requested from the service.
enum SequenceStep: String, CaseIterable, Sendable {
  case register
  case lock
  case initialize
  case configure
  /// Requests the sensor's configuration, to check whether it was applied.
  case readBack
  case capture
  case unlock
  case unregister

  var operation: SensorOperation {
    switch self {
    case .register: .register
    case .lock: .tryLock
    case .initialize: .initialize
    case .configure: .setConfiguration
    case .readBack: .getConfiguration
    case .capture: .capture
    case .unlock: .unlock
    case .unregister: .unregister
    }
  }
}
