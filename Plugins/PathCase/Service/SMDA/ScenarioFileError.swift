import PluginAPI

/// Why a file of scenario analysis cannot be read.
struct ScenarioFileError: Error, Equatable, ReportableError {
  /// What the file should be: `network`, `observations` or `rules`.
  var kind: String
  /// Where in the file, such as `processes[3].in` or `line 4`; empty for all of it.
  var place: String
  var reason: String
  var advice: String?

  var report: ErrorReport {
    ErrorReport(
      code: "pathcase.smda-\(kind)", kind: .unusableInput,
      place.isEmpty
        ? "the \(kind) cannot be read: \(reason)" : "the \(kind) cannot be read at \(place): \(reason)",
      advice: advice, details: ["place": .text(place)])
  }

  /// The stable codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.smda-network", "a file is no network of scenario analysis, or names what it does not have"),
    .init("pathcase.smda-observations", "a file is no list of observations"),
    .init("pathcase.smda-rules", "a file is no rule set of scenario analysis"),
  ]
}
