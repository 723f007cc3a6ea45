import PluginAPI
import PluginStore

/// A damaged database of the library, whose originals lie beside it.
struct LibraryDamage: ReportableError {
  let report: ErrorReport

  static let advice =
    "rebuild it from the originals with 'workbench store rebuild molecules:library', "
    + "or restore a backup with 'workbench store restore'"

  /// The damage that an error tells of; nil if it tells of something else.
  init?(_ error: any Error) {
    switch error as? StoreError {
    case .corrupt(let failure): report = StoreError.corrupt(failure).report.advising(Self.advice)
    case .notADatabase(let path): report = StoreError.notADatabase(path: path).report.advising(Self.advice)
    default: return nil
    }
  }

  /// The findings of a check with what to do about damage.
  static func advising(_ findings: [Diagnostic]) -> [Diagnostic] {
    findings.map { finding in
      guard ["store.damaged", "store.not-a-database"].contains(finding.code) else { return finding }
      return Diagnostic(finding.severity, code: finding.code, finding.message, advice: advice)
    }
  }
}

extension ErrorReport {
  /// The report with another advice.
  fileprivate func advising(_ advice: String) -> ErrorReport {
    var report = self
    report.advice = advice
    return report
  }
}

/// Accesses to the database; one that meets damage says how to get the library back.
extension LibraryStore {
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

  /// As `read`, for code with a thread of its own.
  func readAndWait<Result: Sendable>(
    _ body: @escaping @Sendable (PluginStore.Connection) throws -> Result
  ) throws -> Result {
    do { return try sqlite.readAndWait(body) } catch { throw LibraryDamage(error) ?? error }
  }
}
