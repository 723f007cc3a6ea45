import PluginAPI
import PluginImages

extension PictureResult {
  /// The time that each picture of an animation is shown.
  private static let frameMilliseconds = 40

  /// The encoders of this program.
  static let standard = PictureResult(
    encode: { picture in
      do {
        return try PNGWriter.bytes(of: picture)
      } catch {
        throw ErrorReport(code: "host.no-png", kind: .failure, "cannot write the picture as PNG: \(error)")
      }
    },
    animate: { frames in
      do {
        return try PNGWriter.animation(frames.map { PNGWriter.Frame($0, milliseconds: frameMilliseconds) })
      } catch {
        throw ErrorReport(code: "host.no-png", kind: .failure, "cannot write the pictures as PNG: \(error)")
      }
    },
    paint: { picture, options, streams in
      let printer = PicturePrinter.standardOutput(
        mode: options.picture.graphics ?? (options.isPlain ? .ascii : nil),
        color: options.isPlain ? .never : options.color, background: options.background,
        columns: streams.output.isTerminal ? streams.width : nil, environment: streams.environment)
      return try printer.bytes(for: picture)
    })
}
