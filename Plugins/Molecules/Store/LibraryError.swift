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
