import PluginAPI

/// An error in a package or its signature.
enum PackageError: Error, Equatable, ReportableError {
  /// The file is not a package, or is damaged.
  case damaged(String)
  /// The package contains something that packages must not.
  case unsafe(String)
  /// The package, or a file in it, is larger than allowed.
  case tooLarge(String)
  /// zlib is not installed.
  case noCompression
  /// A key is not one of minisign, or cannot be used.
  case badKey(String)
  /// A signature does not fit its file, or has another form.
  case badSignature(String)
  /// The plugin is not signed with a known key, and the user did not agree to that.
  case unsigned(id: String, reason: String)
  /// The package is not the one that the index lists.
  case otherContent(String)

  /// The reason alone, for the end of another sentence.
  var reason: String {
    switch self {
    case .damaged(let reason), .unsafe(let reason), .tooLarge(let reason), .badKey(let reason),
      .badSignature(let reason), .unsigned(_, let reason), .otherContent(let reason):
      reason
    case .noCompression: "packages need zlib, which is not installed"
    }
  }

  var report: ErrorReport {
    switch self {
    case .damaged:
      ErrorReport(
        code: "host.package-damaged", kind: .unusableInput, "the package is damaged: \(reason)",
        advice: "download or pack it again")
    case .unsafe:
      ErrorReport(
        code: "host.package-unsafe", kind: .refused, "the package is refused: \(reason)",
        advice: "make it with 'workbench plugin pack'")
    case .tooLarge:
      ErrorReport(code: "host.package-too-large", kind: .refused, "the package is refused: \(reason)")
    case .noCompression:
      ErrorReport(
        code: "host.library-missing", kind: .failure, reason, advice: "install it with 'sudo apt install zlib1g'")
    case .badKey:
      ErrorReport(code: "host.bad-key", kind: .usage, "cannot use the key: \(reason)")
    case .badSignature:
      ErrorReport(
        code: "host.bad-signature", kind: .refused, "cannot trust the signature: \(reason)",
        advice: "do not use the file; get it again from its publisher")
    case .unsigned(let id, _):
      ErrorReport(
        code: "host.package-unsigned", kind: .refused, "plugin '\(id)' was not installed: \(reason)",
        advice: "if you trust it, install it with '--allow-unsigned'", details: ["plugin": .text(id)])
    case .otherContent:
      ErrorReport(
        code: "host.package-altered", kind: .refused, "the package is not the one that the index lists: \(reason)",
        advice: "do not use the file; tell the publisher of the index")
    }
  }
}

/// An error in a source of packages.
enum SourceError: Error, Equatable, ReportableError {
  /// The index cannot be used.
  case badIndex(String)
  /// The index or a package cannot be fetched.
  case unreachable(String, reason: String)
  /// libcurl is not installed, or too old.
  case noTransfers
  /// The index has a lower serial than the one known.
  case older(serial: Int, known: Int)
  /// There is a source of that name.
  case exists(String)
  /// There is no source of that name.
  case unknown(String, known: [String])
  /// No source has that plugin or version.
  case unknownPackage(String, advice: String?)
  /// Several sources have a plugin of that id.
  case severalSources(String, [String])
  /// No package of the plugin fits this program.
  case noFittingPackage(String, reason: String)

  var report: ErrorReport {
    switch self {
    case .badIndex(let reason):
      ErrorReport(
        code: "host.source-bad-index", kind: .unusableInput, "cannot use the index: \(reason)",
        advice: "tell its publisher")
    case .unreachable(let address, let reason):
      ErrorReport(
        code: "host.source-unreachable", kind: .network, "cannot fetch '\(address)': \(reason)",
        details: ["address": .text(address)], isRetryable: true)
    case .noTransfers:
      ErrorReport(
        code: "host.library-missing", kind: .failure, "sources on the network need libcurl 7.88 or later",
        advice: "install it with 'sudo apt install libcurl4'")
    case .older(let serial, let known):
      ErrorReport(
        code: "host.source-older", kind: .refused, "the index has serial \(serial), lower than the known \(known)",
        advice: "it may be an old copy; ask its publisher")
    case .exists(let name):
      ErrorReport(
        code: "host.source-exists", kind: .refused, "there is a source '\(name)' already",
        advice: "remove it with 'workbench plugin source remove \(name)'")
    case .unknown(let name, let known):
      ErrorReport(
        code: "host.unknown-source", kind: .notFound, "there is no source '\(name)'",
        advice: Suggestion.advice(for: name, in: known)
          ?? (known.isEmpty ? Self.adding : "sources are " + known.joined(separator: ", ")))
    case .unknownPackage(let word, let advice):
      ErrorReport(
        code: "host.unknown-package", kind: .notFound, "no source has '\(word)'", advice: advice ?? Self.adding)
    case .severalSources(let id, let sources):
      ErrorReport(
        code: "host.several-sources", kind: .usage, "several sources have a plugin '\(id)'",
        advice: "name one of " + sources.joined(separator: ", ") + " with '--source'")
    case .noFittingPackage(let word, let reason):
      ErrorReport(
        code: "host.no-fitting-package", kind: .refused, "no package of '\(word)' fits this workbench: \(reason)")
    }
  }

  private static let adding = "add a source with 'workbench plugin source add'"
}
