/// A step of a sequence: one operation asked of the service.
enum SequenceStep: String, CaseIterable, Sendable {
  case register
  case lock
  case initialize
  case configure
  /// Asks what the sensor is set to, to see whether it took what it was told.
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
