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
  case unsigned(id: String, reason: String, hasSignature: Bool)
  /// The package is not the one that the index lists.
  case otherContent(String)

  /// The reason alone, for the end of another sentence.
  var reason: String {
    switch self {
    case .damaged(let reason), .unsafe(let reason), .tooLarge(let reason), .badKey(let reason),
      .badSignature(let reason), .unsigned(_, let reason, _), .otherContent(let reason):
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
      CommonHostError.libraryMissing(reason, advice: "install it with 'sudo apt install zlib1g'")
    case .badKey:
      ErrorReport(code: "host.bad-key", kind: .usage, "cannot use the key: \(reason)")
    case .badSignature:
      ErrorReport(
        code: "host.bad-signature", kind: .refused, "cannot trust the signature: \(reason)",
        advice: "do not use the file; get it again from its publisher")
    case .unsigned(let id, _, let hasSignature):
      ErrorReport(
        code: "host.package-unsigned", kind: .refused, "plugin '\(id)' was not installed: \(reason)",
        advice: (hasSignature ? "give the publisher's key with '--key', or, " : "")
          + "if you trust it, install it with '--allow-unsigned'", details: ["plugin": .text(id)])
    case .otherContent:
      ErrorReport(
        code: "host.package-altered", kind: .refused, "the package is not the one that the index lists: \(reason)",
        advice: "do not use the file; tell the publisher of the index")
    }
  }
}

/// An error in a source of packages.
enum SourceError {
  static let badIndexCode = DeclaredError(
    "host.source-bad-index", .unusableInput, "the index of a source contains an error")
  static func badIndex(_ reason: String) -> ErrorReport {
    badIndexCode("cannot use the index: \(reason)", advice: "tell its publisher")
  }
  static let unreachable = DeclaredError(
    "host.source-unreachable", .network, "an index or a package cannot be fetched")
  static func unreachable(_ address: String, reason: String) -> ErrorReport {
    unreachable("cannot fetch '\(address)': \(reason)", details: ["address": .text(address)], isRetryable: true)
  }
  static let noTransfers = CommonHostError.libraryMissing(
    "sources on the network need libcurl 7.88 or later", advice: "install it with 'sudo apt install libcurl4'")
  static let older = DeclaredError(
    "host.source-older", .refused, "the index of a source is older than the last one")
  static func older(serial: Int, known: Int) -> ErrorReport {
    older(
      "the index has serial \(serial), lower than the known \(known)",
      advice: "it may be an old copy; ask its publisher")
  }
  static let existsCode = DeclaredError("host.source-exists", .refused, "a source with this name already exists")
  static func exists(_ name: String) -> ErrorReport {
    existsCode(
      "a source named '\(name)' already exists", advice: "remove it with 'workbench plugin source remove \(name)'")
  }
  static let unknown = DeclaredError("host.unknown-source", .notFound, "there is no source with this name")
  static func unknown(_ name: String, known: [String]) -> ErrorReport {
    unknown(
      "there is no source '\(name)'",
      advice: Suggestion.advice(for: name, in: known)
        ?? (known.isEmpty ? adding : "sources are " + known.joined(separator: ", ")))
  }
  static let noPackage = DeclaredError(
    "host.unknown-package", .notFound, "no source has this plugin or version")
  static func unknownPackage(_ word: String, advice: String?) -> ErrorReport {
    noPackage("no source has '\(word)'", advice: advice ?? adding)
  }
  static let severalSources = DeclaredError(
    "host.several-sources", .usage, "several sources have a plugin with this id; name one with --source")
  static func severalSources(_ id: String, _ sources: [String]) -> ErrorReport {
    severalSources(
      "several sources have a plugin '\(id)'",
      advice: "name one of " + sources.joined(separator: ", ") + " with '--source'")
  }
  static let noFittingPackage = DeclaredError(
    "host.no-fitting-package", .refused, "the plugin has no package for this workbench")
  static func noFittingPackage(_ word: String, reason: String) -> ErrorReport {
    noFittingPackage("no package of '\(word)' fits this workbench: \(reason)")
  }

  private static let adding = "add a source with 'workbench plugin source add'"
}
