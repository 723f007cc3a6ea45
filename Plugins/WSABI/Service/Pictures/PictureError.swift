import PluginAPI
import PluginImages

/// Why a capture cannot be shown, scored or put into a transaction.
enum PictureError: Error, Equatable, ReportableError {
  /// It is no picture, or of a format nobody knows.
  case noPicture
  /// A format that is kept and exported, but not decoded.
  case notDecoded(PictureHeader.Format)
  case tooLarge(width: Int, height: Int, mostPixels: Int)
  case tooManyBytes(Int, mostBytes: Int)
  case unreadable(PictureHeader.Format, ImageError)
  /// Bare rows that are longer or shorter than they should be, in bytes.
  case otherSize(expected: Int, found: Int)

  var report: ErrorReport {
    switch self {
    case .noPicture:
      make("the capture is no picture that can be read", "export it as it is, with '--format json'")
    case .notDecoded(let format):
      make("\(format.rawValue) pictures are kept as they are and not shown", "export it to see it elsewhere")
    case .tooLarge(let width, let height, let most):
      make("a picture of \(width)×\(height) pixels is larger than the \(most) allowed", "export it to see it elsewhere")
    case .tooManyBytes(let count, let most):
      make("its \(count) bytes are more than the \(most) that are read to be shown", "export it to see it elsewhere")
    case .unreadable(let format, let error):
      make("the \(format.rawValue) picture cannot be read: \(error.report.message)", "export it as it is")
    case .otherSize(let expected, let found):
      make("a picture has \(found) bytes where its size makes \(expected)", "get the file again")
    }
  }

  /// What is wrong with the picture itself, in words behind "the picture"; nil where it is only not read here.
  var flaw: String? {
    guard case .unreadable(_, let error) = self else { return nil }
    switch error {
    case .truncated(_, let reason): return "ends too early: \(reason)"
    case .damaged(_, let reason): return "is damaged: \(reason)"
    default: return nil
    }
  }

  private func make(_ message: String, _ advice: String) -> ErrorReport {
    ErrorReport(code: "wsabi.picture", kind: .unusableInput, message, advice: advice)
  }

  /// The stable codes.
  static let errorCodes = [ErrorCodeDescription("wsabi.picture", "a capture cannot be shown as a picture")]
}
