import PluginAPI

/// Why a plugin is not used, found before any of its code runs in this process.
enum PluginRefusal: Error, Equatable {
  /// The file is not there or cannot be read.
  case unreadable(path: String, String)
  /// A FIFO, device, folder or link where a library should be.
  case notRegular(path: String, kind: String)
  /// Others could change the file or a folder above it; `command` makes it safe.
  case unsafe(path: String, reason: String, command: String)
  /// Larger than any plugin.
  case tooLarge(path: String, bytes: Int, limit: Int)
  /// No loadable library.
  case library(path: String, ELFError)
  /// A library without a stamp.
  case noStamp(path: String)
  /// A stamp that cannot be read.
  case badStamp(path: String, String)
  /// Built on a contract that this host serves no longer.
  case revisionTooOld(id: String, has: Int, oldest: Int, current: Int)
  /// Built on a contract that this host does not know yet.
  case revisionTooNew(id: String, has: Int, oldest: Int, current: Int)
  /// Built with another compiler.
  case otherCompiler(id: String, has: String, wanted: String)
  /// Carries a library of the host inside it.
  case carriesCopy(id: String, of: String)
  /// Has a Swift module of the same name as another plugin.
  case sameModule(id: String, module: String, other: String)
  /// The probe ended by a signal.
  case probeCrashed(id: String, signal: String)
  /// The probe did not end.
  case probeHung(id: String, seconds: Int)
  /// The probe needed more memory than it may have.
  case probeOutOfMemory(id: String, megabytes: Int)
  /// The probe did not answer as it should.
  case probeFailed(id: String, String)
  /// A symbol is missing in contract, kit or system.
  case missingSymbol(id: String, String)
  /// A library is missing.
  case missingLibrary(id: String, String)
  /// A library that it needs could be changed by others, or replaced by another one.
  case unsafeLibrary(id: String, library: String, reason: String, advice: String?)
  /// The dynamic linker refused it.
  case notLoadable(id: String, String)
  /// It exports no entry function.
  case noEntry(id: String)
  /// What the entry function gives is no plugin of this contract.
  case foreignContract(id: String)
  /// It calls itself otherwise than its stamp.
  case otherIdentity(id: String, says: String)
  /// What it contributes contradicts itself.
  case badContributions(id: String, String)
  /// The file is not the one that was looked at.
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

  /// The codes of refusals for what other libraries are: the same plugin may be accepted later.
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
