import PluginAPI
import PluginStore
import PluginText

/// Errors of downloads of a data set's files.
enum DownloadError: Error, Equatable, ReportableError {
  /// The checksum of the content differs from that of the data store.
  case otherChecksum(file: String, expected: UInt32, found: UInt32)
  /// The size of the content differs from that of the data store.
  case otherSize(file: String, expected: Int, found: Int)
  /// The data store sent a page with an error instead of the file.
  case page(file: String, DataStorePage)
  /// The path leads out of the data set.
  case badPath(file: String)
  /// A file of that name exists, and the user did not agree to replace it.
  case exists(path: String)
  /// The data store sent a part of the file other than the one requested.
  case otherPart(file: String)
  /// Another process is downloading to the same file.
  case busy(path: String)
  /// The local file cannot be written; the number is the system's error number.
  case notWritten(path: String, WholeFileFailure)
  /// A pipe or a device cannot be resumed.
  case noPlainFile(path: String)

  var report: ErrorReport {
    switch self {
    case .otherChecksum(let file, let expected, let found):
      ErrorReport(
        code: "openbis.download-checksum", kind: .network,
        "'\(file)' came with the checksum \(Hexadecimal.text(found, digits: 8)), but the data store keeps "
          + Hexadecimal.text(expected, digits: 8),
        advice: "nothing was kept; fetch it again", details: ["file": .text(file)], isRetryable: true)
    case .otherSize(let file, let expected, let found):
      ErrorReport(
        code: "openbis.download-size", kind: .network,
        "'\(file)' came with \(found) bytes, but the data store says it has \(expected)",
        advice: "fetch it again", details: ["file": .text(file)], isRetryable: true)
    case .page(let file, let page):
      ErrorReport(
        code: "openbis.download-refused", kind: page.kind,
        page.reason.isEmpty
          ? "the data store sent an empty page in place of '\(file)'"
          : "the data store does not send '\(file)': \(page.reason)",
        advice: page.endsSession ? "log in again" : nil, details: ["file": .text(file)])
    case .badPath(let file):
      ErrorReport(
        code: "openbis.download-path", kind: .refused,
        "'\(file)' is not a path within a data set: nothing was asked for",
        details: ["file": .text(file)])
    case .exists(let path):
      ErrorReport(
        code: "openbis.file-exists", kind: .refused, "'\(path)' exists",
        advice: "name another file with '--output', or replace it with '--overwrite'", details: ["file": .text(path)])
    case .otherPart(let file):
      ErrorReport(
        code: "openbis.download-range", kind: .network,
        "the data store sent another part of '\(file)' than the one asked for", advice: "fetch it anew, not resumed",
        details: ["file": .text(file)])
    case .busy(let path):
      ErrorReport(
        code: "openbis.download-busy", kind: .refused, "another process is downloading to '\(path)'",
        advice: "wait until it ends, or name another file", details: ["file": .text(path)])
    case .notWritten(let path, let failure):
      ErrorReport(
        code: "openbis.download-file", kind: failure.kind, "'\(path)' cannot be written: \(failure.reason)",
        advice: failure.advice ?? "look at the folder and the room on the disk", details: ["file": .text(path)])
    case .noPlainFile(let path):
      ErrorReport(
        code: "openbis.download-file", kind: .refused, "'\(path)' is a pipe or a device, not a plain file",
        advice: "name a plain file: interrupted downloads resume from it", details: ["file": .text(path)])
    }
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("openbis.download-checksum", "a file of a data set came damaged; nothing was kept"),
    .init("openbis.download-size", "a file of a data set came with another size than it has"),
    .init("openbis.download-refused", "the data store sent a page with its reason in place of a file"),
    .init("openbis.download-path", "a path that a data store lists leads out of the data set"),
    .init("openbis.file-exists", "a file of that name exists and was not replaced"),
    .init("openbis.download-range", "the data store sent another part of a file than was asked for"),
    .init("openbis.download-busy", "another process is downloading to the same file"),
    .init("openbis.download-file", "a file of a data set cannot be written here"),
  ]
}
