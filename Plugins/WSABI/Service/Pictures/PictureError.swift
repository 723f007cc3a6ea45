import PluginAPI
import PluginImages

/// The reason a capture cannot be shown, scored or put into a transaction.
enum PictureError: Error, Equatable, ReportableError {
  /// The data is not a picture, or its format is unknown.
  case noPicture
  case tooLarge(width: Int, height: Int, mostPixels: Int)
  case tooManyBytes(Int, mostBytes: Int)
  case unreadable(PictureHeader.Format, ImageError)
  /// A WSQ file that cannot be decoded.
  case unreadableFingerprint(WSQError)
  /// Bare rows that are longer or shorter than they should be, in bytes.
  case otherSize(expected: Int, found: Int)

  var report: ErrorReport {
    switch self {
    case .noPicture:
      make("the capture is no picture that can be read", "export it as it is, with '--format json'")
    case .tooLarge(let width, let height, let most):
      make("a picture of \(width)×\(height) pixels is larger than the \(most) allowed", "export it to see it elsewhere")
    case .tooManyBytes(let count, let most):
      make("its \(count) bytes are more than the \(most) that are read to be shown", "export it to see it elsewhere")
    case .unreadable(let format, let error):
      make("the \(format.rawValue) picture cannot be read: \(error.report.message)", "export it as it is")
    case .unreadableFingerprint(let error):
      make("the WSQ picture cannot be read: \(error.reason)", "export it as it is")
    case .otherSize(let expected, let found):
      make("a picture has \(found) bytes where its size makes \(expected)", "get the file again")
    }
  }

  /// The flaw of the picture itself, worded to follow "the picture"; nil if it only cannot be read here.
  var flaw: String? {
    switch self {
    case .unreadable(_, .truncated(_, let reason)), .unreadableFingerprint(.truncated(let reason)):
      "ends too early: \(reason)"
    case .unreadable(_, .damaged(_, let reason)), .unreadableFingerprint(.damaged(let reason)):
      "is damaged: \(reason)"
    case .unreadable, .unreadableFingerprint, .noPicture, .tooLarge, .tooManyBytes, .otherSize: nil
    }
  }

  private func make(_ message: String, _ advice: String) -> ErrorReport {
    ErrorReport(code: "wsabi.picture", kind: .unusableInput, message, advice: advice)
  }

  /// The stable codes.
  static let errorCodes = [ErrorCodeDescription("wsabi.picture", "a capture cannot be shown as a picture")]
}
