import PluginAPI
internal import PluginNet

/// The reasons for which a database could not be updated, beyond the errors of documents, network and folder.
enum UpdateError: Error, Equatable, ReportableError {
  /// No source of databases is set.
  case noServer
  /// The fault is not known to the simulator.
  case unknownFault(String, nearest: String?)
  /// The document of a fault rule does not exist in the simulator.
  case unknownDocument(String, nearest: String?)
  /// Only one of certificate and key is given; HTTPS needs both.
  case loneCertificate(missing: String)
  /// The update exceeded its time limit.
  case deadline(source: String, seconds: Double)
  /// A file of a folder cannot be read.
  case file(path: String, reason: SystemReason)
  /// The manifest lists more than the limit.
  case manifestTooLarge(source: String, reason: String)
  /// The manifest lists no known document.
  case emptyManifest(source: String)
  /// The manifest lists a document twice.
  case listedTwice(source: String, document: String)
  /// A document of the active database is no longer as it was fetched.
  case damagedAtHand(document: String)
  /// The address has an unsupported scheme.
  case otherAddress(String)

  var report: ErrorReport {
    switch self {
    case .noServer:
      ErrorReport(
        code: "pathcase.no-server", kind: .usage, "there is no server that databases come from",
        advice: "give one by '--server', or keep one: 'workbench config set pathcase.server ADDRESS'")
    case .unknownFault(let name, let nearest):
      ErrorReport(
        code: "pathcase.unknown-fault", kind: .usage, "there is no fault '\(name)'",
        advice: nearest.map { "did you mean '\($0)'?" } ?? "'workbench pathcase simulate --fault list' names all")
    case .unknownDocument(let path, let nearest):
      ErrorReport(
        code: "pathcase.unknown-document", kind: .usage, "the simulated database has no document '\(path)'",
        advice: nearest.map { "did you mean '\($0)'?" } ?? "name one as 'pools'")
    case .loneCertificate(let missing):
      ErrorReport(
        code: "pathcase.lone-certificate", kind: .usage, "HTTPS needs '--certificate' and '--key'",
        advice: "give '--\(missing)' too")
    case .deadline(let source, let seconds):
      ErrorReport(
        code: "pathcase.net-005", kind: .timedOut, "'\(source)' did not give all documents within \(Int(seconds)) s",
        advice: "try later, or allow more time; the database in use stays as it was",
        details: ["source": .text(source)], isRetryable: true)
    case .file(let path, let reason):
      // A path that exists but is not a snapshot counts as unusable input.
      ErrorReport(
        code: "pathcase.file-unreadable",
        kind: reason.kind == .failure ? .unusableInput : reason.kind,
        "'\(path)' cannot be read: \(reason)",
        advice: "name a snapshot: a folder, a .tar.gz file or an http address", details: ["file": .text(path)])
    case .manifestTooLarge(let source, let reason):
      ErrorReport(
        code: "pathcase.manifest-too-large", kind: .unusableInput, "the manifest of '\(source)' lists \(reason)",
        advice: "look whether the address is that of a database", details: ["source": .text(source)])
    case .emptyManifest(let source):
      ErrorReport(
        code: "pathcase.manifest-empty", kind: .unusableInput, "the manifest of '\(source)' lists no document",
        advice: "look whether the address is that of a database; the one in use stays as it was",
        details: ["source": .text(source)])
    case .listedTwice(let source, let document):
      ErrorReport(
        code: "pathcase.listed-twice", kind: .unusableInput, "the manifest of '\(source)' lists '\(document)' twice",
        advice: "tell who runs the service; the database in use stays as it was",
        details: ["source": .text(source), "document": .text(document)])
    case .damagedAtHand(let document):
      ErrorReport(
        code: "pathcase.store-damaged", kind: .failure, "'\(document)' of the database in use is damaged",
        advice: "'update' without '--only' fetches it anew", details: ["document": .text(document)])
    case .otherAddress(let address):
      ErrorReport(
        code: "pathcase.other-address", kind: .usage, "'\(address)' is no address that databases are fetched from",
        advice: "give an address with http:// or https://, a folder or a .tar.gz file")
    }
  }

  /// The stable error codes of updates, including those of the network.
  static let errorCodes = own + HTTPError.errorCodes

  private static let own = [
    ErrorCodeDescription("pathcase.no-server", "no server is set that databases come from: see --server"),
    ErrorCodeDescription("pathcase.unknown-fault", "a simulated service knows no such fault"),
    ErrorCodeDescription("pathcase.unknown-document", "a simulated service has no such document"),
    ErrorCodeDescription("pathcase.lone-certificate", "HTTPS needs both a certificate and its key"),
    ErrorCodeDescription("pathcase.net-005", "the update took longer than allowed: nothing was changed"),
    ErrorCodeDescription("pathcase.file-unreadable", "a document of a folder cannot be read"),
    ErrorCodeDescription("pathcase.manifest-too-large", "the manifest lists more documents or bytes than are fetched"),
    ErrorCodeDescription("pathcase.manifest-empty", "the manifest lists no document of a known type"),
    ErrorCodeDescription("pathcase.listed-twice", "the manifest lists a document twice"),
    ErrorCodeDescription("pathcase.other-address", "databases are fetched over http and https alone"),
  ]
}
