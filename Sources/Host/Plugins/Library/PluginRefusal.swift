import PluginAPI

/// The reason to refuse a plugin, found before any of its code runs in this process.
enum PluginRefusal: Error, Equatable {
  /// The file does not exist or cannot be read.
  case unreadable(path: String, String)
  /// A FIFO, device, folder or link where a library should be.
  case notRegular(path: String, kind: String)
  /// Other users could change the file or a folder above it; `command` makes it safe.
  case unsafe(path: String, reason: String, command: String)
  /// The file is larger than any plugin.
  case tooLarge(path: String, bytes: Int, limit: Int)
  /// The file is not a loadable library.
  case library(path: String, ELFError)
  /// The library has no stamp.
  case noStamp(path: String)
  /// The stamp cannot be read.
  case badStamp(path: String, String)
  /// The plugin was built on a contract that this host no longer supports.
  case revisionTooOld(id: String, has: Int, oldest: Int, current: Int)
  /// The plugin was built on a contract that this host does not support yet.
  case revisionTooNew(id: String, has: Int, oldest: Int, current: Int)
  /// The plugin was built with another compiler.
  case otherCompiler(id: String, has: String, wanted: String)
  /// The plugin contains a copy of one of the host's libraries.
  case carriesCopy(id: String, of: String)
  /// The plugin has a Swift module of the same name as another plugin's.
  case sameModule(id: String, module: String, other: String)
  /// The probe ended by a signal.
  case probeCrashed(id: String, signal: String)
  /// The probe did not end.
  case probeHung(id: String, seconds: Int)
  /// The probe exceeded its memory limit.
  case probeOutOfMemory(id: String, megabytes: Int)
  /// The probe did not respond as expected.
  case probeFailed(id: String, String)
  /// A symbol is missing in contract, kit or system.
  case missingSymbol(id: String, String)
  /// A library is missing.
  case missingLibrary(id: String, String)
  /// A library that it needs could be changed or replaced by other users.
  case unsafeLibrary(id: String, library: String, reason: String, advice: String?)
  /// The dynamic linker refused the library.
  case notLoadable(id: String, String)
  /// The library exports no entry function.
  case noEntry(id: String)
  /// The result of the entry function is not a plugin of this contract.
  case foreignContract(id: String)
  /// The plugin's identity differs from its stamp.
  case otherIdentity(id: String, says: String)
  /// The plugin's contributions are inconsistent.
  case badContributions(id: String, String)
  /// The file is not the one that was examined.
  case changed(id: String, path: String)
  /// The file is not the one that was installed or enabled.
  case altered(id: String, path: String, isInstalled: Bool)
}

extension PluginRefusal: ReportableError {
  /// The error as users and scripts meet it.
  var report: ErrorReport {
    let (code, message, advice) = wording
    var details: Record = [:]
    switch self {
    case .unreadable(let path, _), .notRegular(let path, _), .unsafe(let path, _, _), .tooLarge(let path, _, _),
      .library(let path, _), .noStamp(let path), .badStamp(let path, _):
      details["path"] = .text(path)
    default: break
    }
    if let id { details["plugin"] = .text(id) }
    return ErrorReport(code: code, kind: kind, message, advice: advice, details: details)
  }

  /// The plugin's id, where it is known.
  var id: String? {
    switch self {
    case .unreadable, .notRegular, .unsafe, .tooLarge, .library, .noStamp, .badStamp: nil
    case .revisionTooOld(let id, _, _, _), .revisionTooNew(let id, _, _, _), .otherCompiler(let id, _, _),
      .carriesCopy(let id, _), .sameModule(let id, _, _), .probeCrashed(let id, _), .probeHung(let id, _),
      .probeOutOfMemory(let id, _), .probeFailed(let id, _), .missingSymbol(let id, _), .missingLibrary(let id, _),
      .notLoadable(let id, _),
      .unsafeLibrary(let id, _, _, _), .altered(let id, _, _), .noEntry(let id), .foreignContract(let id),
      .otherIdentity(let id, _), .badContributions(let id, _),
      .changed(let id, _):
      id
    }
  }

  /// The codes of refusals that depend on other libraries: the same plugin may be accepted later.
  static let codesOfLibraries: Set<String> = ["host.plugin-missing-library", "host.plugin-unsafe-library"]

  /// The code of ``altered(id:path:isInstalled:)``.
  static let alteredCode = "host.plugin-altered"

  private var kind: ErrorReport.Kind {
    switch self {
    case .unreadable: .notFound
    case .unsafe, .unsafeLibrary, .altered: .refused
    default: .pluginFailed
    }
  }
}
