/// A service's description of one of its settings or properties.
struct SensorParameter: Sendable, Hashable {
  /// The key in a configuration.
  var name: String
  /// The XML Schema or protocol type of its values, without prefix; empty if the service named none.
  var type: String
  var isReadOnly = false
  var supportsMultiple = false
  /// The value without a configuration; of a read-only one *the* value.
  var defaultValue: WireValue = .null
  /// The allowed values: values, ranges, resolutions; empty for any value of the type.
  var allowedValues: [WireValue] = []
}
