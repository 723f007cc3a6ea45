import PluginAPI

/// The errors of services, apart from those of the network.
enum ServiceError {
  static let nothingNamed = DeclaredError("molecules.nothing-named", .usage, "neither a code nor --url was given")
  static let codeAndURL = DeclaredError(
    "molecules.code-and-url", .usage, "a code and --url were given: leave one out")

  private static let unfittingCode = DeclaredError(
    "molecules.unfitting-code", .usage, "the text is no code of the service")
  static func unfittingCode(_ code: String, expected: String) -> ErrorReport {
    unfittingCode(
      "'\(code)' is no code to fetch; expected is \(expected)",
      advice: "'workbench molecules search TEXT' finds codes", details: ["code": .text(code)])
  }

  private static let unknownCode = DeclaredError(
    "molecules.unknown-code", .notFound, "the service has no structure of that code")
  static func unknownCode(_ code: String, service: String) -> ErrorReport {
    unknownCode(
      "\(service) has no structure '\(code)'", advice: "look at the code, or search for it",
      details: ["code": .text(code)])
  }

  private static let noFile = DeclaredError(
    "molecules.no-such-file", .notFound, "the address answers with a web page, or not at all, instead of a file")
  static func noFile(address: String) -> ErrorReport {
    noFile(
      "there is no structure file at '\(address)'", advice: "look at the address",
      details: ["address": .text(address)])
  }

  private static let queryRefused = DeclaredError(
    "molecules.query-refused", .usage, "the service did not understand the question")
  static func queryRefused(service: String, reason: String) -> ErrorReport {
    queryRefused("\(service) does not understand the question: \(reason)", advice: "ask in other words")
  }

  private static let fault = DeclaredError("molecules.service-fault", .network, "the service says that it failed")
  static func fault(service: String, reason: String) -> ErrorReport {
    fault("\(service) failed: \(reason)", advice: "try later", isRetryable: true)
  }

  private static let unreadableReply = DeclaredError(
    "molecules.unreadable-reply", .network, "the service's reply is not in the form that is expected")
  static func unreadableReply(service: String, reason: String) -> ErrorReport {
    unreadableReply(
      "the reply of \(service) cannot be understood: \(reason)",
      advice: "look at the address of the service in the settings")
  }

  private static let alreadyThere = DeclaredError(
    "molecules.already-there", .refused, "the library has the molecule already; --force fetches it anew")
  static func alreadyThere(_ name: String, id: Int) -> ErrorReport {
    alreadyThere(
      "'\(name)' is in the library already, as molecule \(id)", advice: "'--force' fetches it anew",
      details: ["id": .integer(id)])
  }

  static let alreadyDownloading = DeclaredError(
    "molecules.already-downloading", .refused, "another process downloads the same file")

  private static let notKept = DeclaredError(
    "molecules.download-not-kept", .failure, "the downloaded file could not be written")
  static func notKept(path: String, reason: String) -> ErrorReport {
    notKept(
      "the download '\(path)' could not be written: \(reason)", advice: "make room, or make the folder writable")
  }

  static let noBrowser = DeclaredError("molecules.no-browser", .failure, "the browser could not be started")

  /// The stable codes of errors and notes.
  static let codes =
    [
      nothingNamed, codeAndURL, unfittingCode, unknownCode, noFile, queryRefused, fault, unreadableReply, alreadyThere,
      alreadyDownloading, notKept, noBrowser,
    ].map(\.catalogueEntry) + [
      ErrorCodeDescription("molecules.no-hits", "note: a search found nothing"),
      ErrorCodeDescription(
        "molecules.titles-missing", "what was found is shown without titles, which could not be had"),
    ]
}
