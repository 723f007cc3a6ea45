import PluginAPI

/// An error in a mapping file.
struct MappingFault: Error, Equatable {
  /// The file's path as the user gave it.
  var file: String
  /// The location in the file, such as `rules[2].kind`; "" for the whole file.
  var place: String
  /// The error and the expected value.
  var reason: String
  /// True if the file does not exist.
  var isMissing = false
}

extension MappingFault: ReportableError {
  static let errorCodes = [
    ErrorCodeDescription("openbis.bad-mapping", "a mapping file cannot be used; the message says where and why")
  ]

  var report: ErrorReport {
    ErrorReport(
      code: "openbis.bad-mapping", kind: isMissing ? .notFound : .unusableInput,
      "the mapping '\(file)' cannot be used\(place.isEmpty ? "" : " at '\(place)'"): \(reason)",
      advice: "'workbench openbis mapping show' prints a mapping to begin with",
      details: ["file": .text(file), "place": .text(place)])
  }
}
