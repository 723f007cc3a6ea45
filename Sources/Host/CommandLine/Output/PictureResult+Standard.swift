import PluginAPI

extension PictureResult {
  /// The encoders of this program.
  static let standard = PictureResult(
    encode: { _ in
      throw ErrorReport(code: "host.no-png", kind: .failure, "this build writes no PNG files")
    },
    paint: { picture, options, streams in
      let printer = PicturePrinter.standardOutput(
        mode: options.picture.graphics, color: options.isPlain ? .never : options.color,
        columns: streams.output.isTerminal ? streams.width : nil, environment: streams.environment)
      return try printer.bytes(for: picture)
    })
}
