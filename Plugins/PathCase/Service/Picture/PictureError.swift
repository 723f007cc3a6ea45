import PluginAPI

/// The reasons for which a picture cannot be written.
enum PictureError: Error, Equatable, ReportableError {
  /// The system's cairo library is missing or unsuitable.
  case libraryMissing(reason: String)
  /// The PNG would have too many pixels.
  case tooLarge(width: Int, height: Int)
  /// Cairo reported an error.
  case failed(reason: String)

  var report: ErrorReport {
    switch self {
    case .libraryMissing(let reason):
      ErrorReport(
        code: "pathcase.cairo-missing", kind: .failure, "cairo cannot be used: \(reason)",
        advice: "install it: sudo apt-get install libcairo2; SVG needs nothing")
    case .tooLarge(let width, let height):
      ErrorReport(
        code: "pathcase.picture-too-large", kind: .usage,
        "the picture would be \(width) × \(height) pixels, which is too large",
        advice: "give a smaller '--width', or draw SVG or PDF")
    case .failed(let reason):
      ErrorReport(code: "pathcase.picture-failed", kind: .failure, "the picture cannot be made: \(reason)")
    }
  }

  static let errorCodes = [
    ErrorCodeDescription("pathcase.cairo-missing", "the library that makes PDF and PNG is not installed"),
    ErrorCodeDescription("pathcase.picture-too-large", "a PNG would have too many pixels"),
    ErrorCodeDescription("pathcase.picture-failed", "a picture cannot be made, as memory or the disk is full"),
  ]
}
