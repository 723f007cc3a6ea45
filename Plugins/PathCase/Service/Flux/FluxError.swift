import PluginAPI

/// The reasons for which fluxes cannot be computed.
enum FluxError: Error, Equatable, ReportableError {
  /// The system's CLP library is missing or unsuitable.
  case libraryMissing(reason: String)
  /// Bounds, amounts or weights are not numbers, or there are too many.
  case unusableNumbers
  /// The index is not that of a reaction.
  case unknownReaction(Int, count: Int)

  var report: ErrorReport {
    switch self {
    case .libraryMissing(let reason):
      ErrorReport(
        code: "pathcase.solver-missing", kind: .failure, "COIN-OR CLP cannot be used: \(reason)",
        advice: "install it: sudo apt-get install coinor-libclp1")
    case .unusableNumbers:
      ErrorReport(
        code: "pathcase.unusable-numbers", kind: .unusableInput,
        "the model has bounds, amounts or weights that are no numbers", advice: "look for 'NaN' in its file")
    case .unknownReaction(let index, let count):
      ErrorReport(
        code: "pathcase.unknown-reaction", kind: .notFound, "there is no reaction \(index)",
        advice: "the model has \(count) reactions, counted from 0")
    }
  }

  static let errorCodes = [
    ErrorCodeDescription("pathcase.solver-missing", "the library that solves linear programs is not installed"),
    ErrorCodeDescription("pathcase.unusable-numbers", "the model has bounds, amounts or weights that are no numbers"),
    ErrorCodeDescription("pathcase.unknown-reaction", "the model has no such reaction"),
  ]
}
