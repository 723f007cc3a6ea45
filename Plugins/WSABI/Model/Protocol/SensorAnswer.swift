/// What a service answered, all but the data of the sensor.
///
/// The data goes straight to where it is kept while it arrives (see the client), and is told here by its size and hash.
struct SensorAnswer: Sendable, Hashable {
  var status: OperationStatus
  /// What of the request was wrong: parameters of the address or keys of the configuration.
  var badFields: [String] = []
  /// Each once, in the order of the answer.
  var captureIDs: [SensorUUID] = []
  var metadata: WireDictionary?
  var message = ""
  var sessionID: SensorUUID?
  /// What old services say in the element `contentType`.
  var contentType: String?
  /// The data that came, if any.
  var data: SensorData?
  /// The namespace the service writes.
  var namespace: ProtocolNamespace
  /// What was strange, but not strange enough to refuse the answer.
  var oddities: [String] = []
}

/// Size and hash of data that a sensor delivered.
struct SensorData: Sendable, Hashable {
  var sizeInBytes: Int
  /// 32 bytes, of the decoded data, taken while it arrived.
  var sha256: [UInt8]
}
