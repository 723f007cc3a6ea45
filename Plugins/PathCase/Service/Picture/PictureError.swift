import PluginAPI

/// The errors of writing pictures.
enum PictureError {
  static let all: [DeclaredError] = [libraryMissing, tooLarge, failed]

  static let libraryMissing = DeclaredError(
    "pathcase.cairo-missing", .failure, "the library that makes PDF and PNG is not installed")

  static func libraryMissing(reason: String) -> ErrorReport {
    libraryMissing(
      "cairo cannot be used: \(reason)", advice: "install it: sudo apt-get install libcairo2; SVG needs nothing")
  }

  static let tooLarge = DeclaredError(
    "pathcase.picture-too-large", .usage, "a PNG would have too many pixels")

  static func tooLarge(width: Int, height: Int) -> ErrorReport {
    tooLarge(
      "the picture would be \(width) × \(height) pixels, which is too large",
      advice: "give a smaller '--width', or draw SVG or PDF")
  }

  static let failed = DeclaredError(
    "pathcase.picture-failed", .failure, "a picture cannot be made, as memory or the disk is full")

  static func failed(reason: String) -> ErrorReport { failed("the picture cannot be made: \(reason)") }
}
