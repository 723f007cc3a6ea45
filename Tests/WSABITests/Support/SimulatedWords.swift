@testable import WSABI
@testable import WSABISimulator

extension SensorOperation {
  /// The simulator's word for the operation.
  var simulated: SimulatedOperation {
    guard let operation = SimulatedOperation(rawValue: rawValue) else { preconditionFailure("'\(rawValue)'") }
    return operation
  }
}

extension ProtocolNamespace {
  /// The simulator's word for the namespace.
  var simulated: SimulatedNamespace {
    guard let namespace = SimulatedNamespace.allCases.first(where: { $0.urn == rawValue }) else {
      preconditionFailure("'\(rawValue)'")
    }
    return namespace
  }
}
