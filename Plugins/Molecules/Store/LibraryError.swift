import PluginAPI
import PluginStore

/// An error of the library, apart from its database.
enum LibraryError: Error, Equatable, ReportableError {
  /// There is no molecule with that number.
  case unknownMolecule(Int)
  /// An original could not be written.
  case originalNotKept(file: String, reason: String)
  /// An original could not be removed.
  case originalNotRemoved(file: String, reason: String)
  /// An original could not be read.
  case originalUnreadable(file: String, reason: String)
  /// The file with the address of a shared library could not be read.
  case addressUnreadable(file: String, reason: String)
  /// The file with the address of a shared library could not be written or removed.
  case addressNotKept(file: String, reason: String)
  /// The task concerns the user's own library, and the library is shared.
  case shared(server: String, task: String, advice: String)
  /// Another user of a shared library added the molecule, and only that user may delete it.
  case addedByOther(Int, user: String)
  /// After copying, the server does not have the same bytes of originals.
  case copyDiffers(files: [String])

  var report: ErrorReport {
    switch self {
    case .unknownMolecule(let id):
      ErrorReport(
        code: "molecules.unknown-molecule", kind: .notFound, "molecule '\(id)' not found",
        advice: "list the molecules with 'workbench molecules list'")
    case .originalNotKept(let file, let reason):
      ErrorReport(
        code: "molecules.original-not-kept", kind: .failure, "original file '\(file)' could not be stored: \(reason)",
        advice: "free disk space, or make the folder writable")
    case .originalNotRemoved(let file, let reason):
      ErrorReport(
        code: "molecules.original-not-removed", kind: .failure,
        "original file '\(file)' could not be removed: \(reason)",
        advice: "make the folder writable; the next start retries")
    case .originalUnreadable(let file, let reason):
      ErrorReport(
        code: "molecules.original-unreadable", kind: .unusableInput,
        "original file '\(file)' could not be read: \(reason)", advice: "import the molecule again")
    case .addressUnreadable(let file, let reason):
      ErrorReport(
        code: "molecules.shared-address-unreadable", kind: .failure,
        "the address of the shared library in '\(file)' could not be read: \(reason)",
        advice: "make the file readable, or use your own library with 'workbench store unshare molecules:library'")
    case .addressNotKept(let file, let reason):
      ErrorReport(
        code: "molecules.shared-address-not-kept", kind: .failure,
        "the address of the shared library in '\(file)' could not be changed: \(reason)",
        advice: "free disk space, or make the folder writable")
    case .shared(let server, let task, let advice):
      ErrorReport(
        code: "molecules.library-shared", kind: .refused,
        "the library is in '\(server)' and cannot be \(task)", advice: advice)
    case .addedByOther(let id, let user):
      ErrorReport(
        code: "molecules.added-by-other", kind: .refused, "molecule '\(id)' was added by '\(user)'",
        advice: "ask '\(user)' or an owner of the database to delete it")
    case .copyDiffers(let files):
      ErrorReport(
        code: "molecules.copy-differs", kind: .failure,
        "the database does not have the same original files: '\(files.joined(separator: "', '"))'",
        advice: "check the server's disk, then share again; your own library is still in use")
    }
  }
}

/// A damaged database of the library, which has its originals beside it.
struct LibraryDamage: ReportableError {
  let report: ErrorReport

  static let advice =
    "rebuild it from the original files with 'workbench store rebuild molecules:library', "
    + "or restore a backup with 'workbench store restore'"

  /// Creates the damage for an error; nil if the error means something else.
  init?(_ error: any Error) {
    switch error as? StoreError {
    case .corrupt(let failure): report = StoreError.corrupt(failure).report.advising(Self.advice)
    case .notADatabase(let path): report = StoreError.notADatabase(path: path).report.advising(Self.advice)
    default: return nil
    }
  }

  /// Returns the findings of a check with advice on damage.
  static func advising(_ findings: [Diagnostic]) -> [Diagnostic] {
    findings.map { finding in
      guard ["store.damaged", "store.not-a-database"].contains(finding.code) else { return finding }
      return Diagnostic(finding.severity, code: finding.code, finding.message, advice: advice)
    }
  }
}

extension ErrorReport {
  /// Returns the report with different advice.
  fileprivate func advising(_ advice: String) -> ErrorReport {
    var report = self
    report.advice = advice
    return report
  }
}

/// Accesses the database; errors by damage explain how to restore the library.
extension LocalLibrary {
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (PluginStore.Connection) throws -> Result
  ) async throws -> Result {
    do { return try await sqlite.read(body) } catch { throw LibraryDamage(error) ?? error }
  }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (PluginStore.Connection) throws -> Result
  ) async throws -> Result {
    do { return try await sqlite.write(body) } catch { throw LibraryDamage(error) ?? error }
  }
}
