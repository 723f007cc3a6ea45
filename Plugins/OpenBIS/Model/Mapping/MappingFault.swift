import PluginAPI

/// What is wrong in a mapping file.
struct MappingFault: Error, Equatable {
  /// The file as it was named.
  var file: String
  /// Where in the file, such as `rules[2].kind`; "" for the whole.
  var place: String
  /// What is wrong and what is expected.
  var reason: String
  /// Whether there is no such file.
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
