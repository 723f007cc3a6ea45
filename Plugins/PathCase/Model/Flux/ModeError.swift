import PluginAPI

/// The reasons for which elementary modes cannot be computed; the result is all modes or an error.
enum ModeError: Error, Equatable, ReportableError {
  /// There are more rays than the limit, perhaps only as intermediate results.
  case tooMany(limit: Int, reactions: Int)
  /// The rays need more memory than the limit.
  case tooLarge(limitInBytes: Int, reactions: Int)
  /// The computation takes longer than the limit.
  case tooSlow(seconds: Int, reactions: Int)
  /// The amounts exceed the range of exact numbers.
  case numbersTooLarge
  /// An amount is not a decimal fraction of few digits.
  case amountTooFine(species: String)

  var report: ErrorReport {
    switch self {
    case .tooMany(let limit, let reactions):
      limitReport("there are more than \(limit) elementary modes, found or on the way", reactions, "--limit")
    case .tooLarge(let limit, let reactions):
      limitReport("elementary modes would take more than \(limit >> 20) MB", reactions, nil)
    case .tooSlow(let seconds, let reactions):
      limitReport("elementary modes were not all found in \(seconds) s", reactions, "--seconds")
    case .numbersTooLarge:
      ErrorReport(
        code: "pathcase.modes-numbers", kind: .failure,
        "amounts of the elementary modes outgrow 64 bits, within which they are exact",
        advice: "leave out reactions with many decimals, such as the growth of a cell")
    case .amountTooFine(let species):
      ErrorReport(
        code: "pathcase.modes-numbers", kind: .unusableInput,
        "an amount of '\(species)' is no decimal fraction of at most nine digits, so that modes would not be exact",
        advice: "round the amount")
    }
  }

  private func limitReport(_ text: String, _ reactions: Int, _ option: String?) -> ErrorReport {
    let take = option.map { "; or give more with '\($0)'" } ?? ""
    return ErrorReport(
      code: "pathcase.modes-limit", kind: .failure, "\(text); none is told, as a part of them would mean nothing",
      advice: "\(reactions) reactions are left after compression: take a smaller network, or stop some of them\(take)",
      details: ["reactions": .integer(reactions)])
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.modes-limit", "elementary modes would need more time, memory or room than they may take"),
    .init("pathcase.modes-numbers", "elementary modes cannot be computed with exact numbers"),
  ]
}
