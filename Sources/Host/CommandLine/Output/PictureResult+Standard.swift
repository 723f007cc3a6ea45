import PluginAPI

extension PictureResult {
  /// The encoders of this program.
  static let standard = PictureResult(
    encode: { _ in
      throw ErrorReport(code: "host.no-png", kind: .failure, "this build writes no PNG files")
    },
    paint: { _, _, _ in
      throw ErrorReport(code: "host.no-graphics", kind: .failure, "this build shows no pictures on standard output")
    })
}
