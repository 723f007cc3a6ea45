extension SensorAnswer {
  /// Returns the part that a successful response to an operation must have and this one lacks; nil if none.
  func missingPart(of operation: SensorOperation) -> String? {
    guard status == .success else { return nil }
    return switch operation {
    case .register: sessionID == nil ? "a session id" : nil
    case .capture, .endCapture: captureIDs.isEmpty ? "ids of captured data" : nil
    case .download, .thriftyDownload, .rawDownload: data == nil ? "data of the sensor" : nil
    case .getServiceInfo, .getConfiguration, .getDownloadInfo, .getSensorStatus: metadata == nil ? "metadata" : nil
    default: nil
    }
  }
}
