import Glibc
import PluginAPI

/// An error in reading, writing or removing a file or folder.
enum HostFileError: Error, Equatable, ReportableError {
  /// The operation that was attempted.
  enum Purpose: String, Sendable {
    case read, write, remove
  }

  /// The system refused, with this error number.
  case cannot(Purpose, String, code: Int32)
  /// The file has more bytes than are accepted.
  case tooLarge(String, limit: Int)

  var report: ErrorReport {
    switch self {
    case .cannot(let purpose, let path, let code):
      ErrorReport(
        code: Self.code(purpose), kind: Self.kind(code),
        "cannot \(purpose.rawValue) '\(path)': \(String(cString: strerror(code)).lowercased())",
        advice: code == ENOENT && purpose == .write ? "create its folder first" : nil, details: ["path": .text(path)])
    case .tooLarge(let path, let limit):
      ErrorReport(
        code: "host.file-too-large", kind: .unusableInput, "'\(path)' is larger than \(limit >> 20) MiB")
    }
  }

  private static func code(_ purpose: Purpose) -> String {
    switch purpose {
    case .read: "host.unreadable-file"
    case .write: "host.unwritable-file"
    case .remove: "host.file-not-removed"
    }
  }

  private static func kind(_ code: Int32) -> ErrorReport.Kind {
    switch code {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM, EROFS: .refused
    default: .failure
    }
  }
}
