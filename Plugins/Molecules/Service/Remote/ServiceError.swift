import PluginAPI

/// An error of a service, apart from the network.
enum ServiceError: Error, Equatable, ReportableError {
  /// Neither a code nor an address was given.
  case nothingNamed
  /// A code and an address were given.
  case codeAndURL(String)
  /// The text is not a code of the service.
  case unfittingCode(String, expected: String)
  /// The service has nothing with that code.
  case unknownCode(String, service: String)
  /// An address returns a web page instead of a file.
  case noFile(address: String)
  /// The service did not understand the query, in its words.
  case queryRefused(service: String, reason: String)
  /// The service reports a failure, in its words.
  case fault(service: String, reason: String)
  /// A response cannot be parsed.
  case unreadableReply(service: String, reason: String)
  /// The library already has the molecule.
  case alreadyThere(String, id: Int)
  /// Another process is downloading the same file.
  case alreadyDownloading(String)
  /// The downloaded file could not be written.
  case notKept(path: String, reason: String)
  /// No browser could be started.
  case noBrowser(String, reason: String)

  var report: ErrorReport {
    switch self {
    case .nothingNamed:
      ErrorReport(
        code: "molecules.nothing-named", kind: .usage, "there is no code", advice: "name a code, or use --url")
    case .codeAndURL(let code):
      ErrorReport(
        code: "molecules.code-and-url", kind: .usage, "'\(code)' and --url name two things",
        advice: "leave one of them out")
    case .unfittingCode(let code, let expected):
      ErrorReport(
        code: "molecules.unfitting-code", kind: .usage, "'\(code)' is no code to fetch; expected is \(expected)",
        advice: "'workbench molecules search TEXT' finds codes", details: ["code": .text(code)])
    case .unknownCode(let code, let service):
      ErrorReport(
        code: "molecules.unknown-code", kind: .notFound, "\(service) has no structure '\(code)'",
        advice: "look at the code, or search for it", details: ["code": .text(code)])
    case .noFile(let address):
      ErrorReport(
        code: "molecules.no-such-file", kind: .notFound, "there is no structure file at '\(address)'",
        advice: "look at the address", details: ["address": .text(address)])
    case .queryRefused(let service, let reason):
      ErrorReport(
        code: "molecules.query-refused", kind: .usage, "\(service) does not understand the question: \(reason)",
        advice: "ask in other words")
    case .fault(let service, let reason):
      ErrorReport(
        code: "molecules.service-fault", kind: .network, "\(service) failed: \(reason)", advice: "try later",
        isRetryable: true)
    case .unreadableReply(let service, let reason):
      ErrorReport(
        code: "molecules.unreadable-reply", kind: .network, "the reply of \(service) cannot be understood: \(reason)",
        advice: "look at the address of the service in the settings")
    case .alreadyThere(let name, let id):
      ErrorReport(
        code: "molecules.already-there", kind: .refused, "'\(name)' is in the library already, as molecule \(id)",
        advice: "'--force' fetches it anew", details: ["id": .integer(id)])
    case .alreadyDownloading(let name):
      ErrorReport(
        code: "molecules.already-downloading", kind: .refused, "'\(name)' is being downloaded by another process",
        advice: "wait for it to end", isRetryable: true)
    case .notKept(let path, let reason):
      ErrorReport(
        code: "molecules.download-not-kept", kind: .failure, "the download '\(path)' could not be written: \(reason)",
        advice: "make room, or make the folder writable")
    case .noBrowser(let program, let reason):
      ErrorReport(
        code: "molecules.no-browser", kind: .failure, "the browser '\(program)' could not be started: \(reason)",
        advice: "name another: 'workbench config set molecules.browser PROGRAM'")
    }
  }

  /// The stable codes.
  static let codes = [
    ErrorCodeDescription("molecules.nothing-named", "neither a code nor --url was given"),
    ErrorCodeDescription("molecules.code-and-url", "a code and --url were given: leave one out"),
    ErrorCodeDescription("molecules.unfitting-code", "the text is no code of the service"),
    ErrorCodeDescription("molecules.unknown-code", "the service has no structure of that code"),
    ErrorCodeDescription(
      "molecules.no-such-file", "the address answers with a web page, or not at all, instead of a file"),
    ErrorCodeDescription("molecules.query-refused", "the service did not understand the question"),
    ErrorCodeDescription("molecules.service-fault", "the service says that it failed"),
    ErrorCodeDescription("molecules.unreadable-reply", "the service's reply is not in the form that is expected"),
    ErrorCodeDescription("molecules.already-there", "the library has the molecule already; --force fetches it anew"),
    ErrorCodeDescription("molecules.already-downloading", "another process downloads the same file"),
    ErrorCodeDescription("molecules.download-not-kept", "the downloaded file could not be written"),
    ErrorCodeDescription("molecules.no-browser", "the browser could not be started"),
    ErrorCodeDescription("molecules.no-hits", "note: a search found nothing"),
    ErrorCodeDescription("molecules.titles-missing", "what was found is shown without titles, which could not be had"),
  ]
}
