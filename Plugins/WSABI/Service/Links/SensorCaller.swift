/// A client of one service; a connection in the product, a script in tests.
protocol SensorCaller: Sendable {
  var address: SensorAddress { get }
  func serviceInformation(deadlineInSeconds: Double) async throws(SensorFault) -> ServiceInformation
  func ask(_ request: SensorRequest, into sink: (any DataSink)?) async throws(SensorFault) -> SensorAnswer
}

extension SensorConnection: SensorCaller {}
