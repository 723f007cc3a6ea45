import PluginAPI

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
        code: "molecules.unknown-molecule", kind: .notFound, "there is no molecule \(id)",
        advice: "'workbench molecules list' shows those there are")
    case .originalNotKept(let file, let reason):
      ErrorReport(
        code: "molecules.original-not-kept", kind: .failure, "the file '\(file)' could not be kept: \(reason)",
        advice: "make room, or make the folder writable")
    case .originalNotRemoved(let file, let reason):
      ErrorReport(
        code: "molecules.original-not-removed", kind: .failure, "the file '\(file)' could not be removed: \(reason)",
        advice: "make the folder writable; it is tried again at the next start")
    case .originalUnreadable(let file, let reason):
      ErrorReport(
        code: "molecules.original-unreadable", kind: .unusableInput,
        "the kept file '\(file)' could not be read: \(reason)", advice: "import the molecule again")
    }
  }
}
