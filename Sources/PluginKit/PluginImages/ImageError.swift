public import PluginAPI

/// An error in reading or writing images.
public enum ImageError: Error, Equatable, Sendable {
  /// The content has an unknown format.
  case unknownFormat
  /// The file ends too early.
  case truncated(ImageFormat, reason: String)
  /// The file violates the rules of its format.
  case damaged(ImageFormat, reason: String)
  /// The file uses an unsupported part of its format.
  case unsupported(ImageFormat, reason: String)
  /// The image has more pixels than allowed; nothing was allocated for it.
  case tooLarge(width: Int, height: Int, maximumPixels: Int)
  /// A drawing states no size, and none was requested.
  case withoutSize
  /// A system library is missing.
  case libraryMissing(library: String, package: String)
  /// There is not enough memory.
  case outOfMemory
  /// A picture to be written has no pixels, or frames of an animation differ in size.
  case unwritable(reason: String)
}

extension ImageError: ReportableError {
  /// The error as users and scripts see it.
  public var report: ErrorReport {
    switch self {
    case .unknownFormat:
      ErrorReport(
        code: "image.unknown-format", kind: .unusableInput,
        "the content is not a PNG, JPEG, JPEG 2000, BMP or SVG image",
        advice: "convert it to PNG")
    case .truncated(let format, let reason):
      ErrorReport(
        code: "image.truncated", kind: .unusableInput, "the \(format.rawValue) image is truncated: \(reason)",
        advice: "download or copy the file again")
    case .damaged(let format, let reason):
      ErrorReport(
        code: "image.damaged", kind: .unusableInput, "the \(format.rawValue) image is damaged: \(reason)",
        advice: "download or copy the file again")
    case .unsupported(let format, let reason):
      ErrorReport(
        code: "image.unsupported", kind: .unusableInput,
        "this kind of \(format.rawValue) image is not supported: \(reason)",
        advice: "convert it to PNG")
    case .tooLarge(let width, let height, let maximum):
      ErrorReport(
        code: "image.too-large", kind: .unusableInput,
        "the image of \(width)×\(height) pixels is larger than the limit of \(maximum) pixels", advice: "scale it down")
    case .withoutSize:
      ErrorReport(code: "image.without-size", kind: .unusableInput, "the drawing has no size", advice: "specify a size")
    case .libraryMissing(let library, let package):
      ErrorReport(
        code: "image.library-missing", kind: .failure, "the library '\(library)' is not installed",
        advice: "install the package '\(package)'", details: ["package": .text(package)])
    case .outOfMemory:
      ErrorReport(code: "image.out-of-memory", kind: .failure, "there is not enough memory for the image")
    case .unwritable(let reason):
      ErrorReport(code: "image.unwritable", kind: .failure, "cannot write the picture: \(reason)")
    }
  }
}

extension ImageError: CustomStringConvertible {
  /// The error in words, with advice.
  public var description: String { report.description }
}
