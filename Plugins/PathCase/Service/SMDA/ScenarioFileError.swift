import PluginAPI

/// The reason for which a file of scenario analysis cannot be read.
struct ScenarioFileError: Error, Equatable, ReportableError {
  /// The expected kind of file: `network`, `observations` or `rules`.
  var kind: String
  /// The position in the file, such as `processes[3].in` or `line 4`; empty for the whole file.
  var place: String
  var reason: String
  var advice: String?

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    ErrorReport(
      code: "pathcase.smda-\(kind)", kind: .unusableInput,
      place.isEmpty
        ? "the \(kind) cannot be read: \(reason)" : "the \(kind) cannot be read at \(place): \(reason)",
      advice: advice, details: ["place": .text(place)])
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.smda-network", "a file is no network of scenario analysis, or names what it does not have"),
    .init("pathcase.smda-observations", "a file is no list of observations"),
    .init("pathcase.smda-rules", "a file is no rule set of scenario analysis"),
  ]
}
