import PluginVault

/// The data of a capture as it is about to be filed.
struct StoredContent: Sendable {
  /// The key of the capture.
  var key: DataKey
  /// The name of the file the data lies in, sealed; nil for small data.
  var file: String?
  /// Small data, as it came; empty if it lies in a file.
  var data: [UInt8]
}
