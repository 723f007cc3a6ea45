/// A service's response, without the sensor's data.
///
/// The data goes directly to its destination while it arrives (see the client); here it is represented by its size and
/// hash.
struct SensorAnswer: Sendable, Hashable {
  var status: OperationStatus
  /// The faulty parts of the request: parameters of the address or keys of the configuration.
  var badFields: [String] = []
  /// Distinct ids, in the order of the response.
  var captureIDs: [SensorUUID] = []
  var metadata: WireDictionary?
  var message = ""
  var sessionID: SensorUUID?
  /// The content of the element `contentType`, which old services send.
  var contentType: String?
  /// The received data, if any.
  var data: SensorData?
  /// The namespace the service writes.
  var namespace: ProtocolNamespace
  /// Irregularities that are not severe enough to reject the response.
  var oddities: [String] = []
}

/// Size and hash of data that a sensor delivered.
struct SensorData: Sendable, Hashable {
  var sizeInBytes: Int
  /// 32 bytes, of the decoded data, taken while it arrived.
  var sha256: [UInt8]
}
