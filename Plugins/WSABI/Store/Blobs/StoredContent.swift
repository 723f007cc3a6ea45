import PluginVault

/// The data of a capture as it is about to be filed.
struct StoredContent: Sendable {
  /// The key of the capture.
  var key: DataKey
  /// The name of the sealed file that holds the data; nil for small data.
  var file: String?
  /// Small data, as received; empty if it is in a file.
  var data: [UInt8]
}
