import PluginAPI
import PluginImages

/// The output of a command's picture: shown on stdout, written to a PNG file, or included in a JSON document.
///
/// In JSON a picture is `{width, height, format: "png", data}` with the PNG in base64, or, with `--output`,
/// `{width, height, format: "png", file}`.
struct PictureResult: Sendable {
  /// Makes a PNG file's bytes.
  typealias Encoder = @Sendable (Picture) throws -> [UInt8]
  /// Encodes a picture for a terminal.
  typealias Painter = @Sendable (Picture, GlobalOptions, StandardStreams) throws -> [UInt8]

  /// Makes the bytes of an animated PNG file of pictures.
  typealias Animator = @Sendable ([Picture]) throws -> [UInt8]

  let encode: Encoder
  let animate: Animator
  let paint: Painter

  /// Returns the pictures of a stream as the record of one animated PNG, which is written to a file.
  func record(animating frames: [Picture], to file: String) throws -> Record {
    try HostFile.write(try animate(frames), to: file, mode: HostFile.resultMode)
    return [
      "width": .integer(frames.first?.width ?? 0), "height": .integer(frames.first?.height ?? 0), "format": "png",
      "frames": .integer(frames.count), "file": .text(file),
    ]
  }

  /// Returns the picture as a record, written to its file if it has one.
  ///
  /// - Parameter number: 1 for the first picture of a command; later ones get `-2`, `-3`… before the extension.
  func record(_ picture: Picture, to file: String?, number: Int) throws -> Record {
    let png = try encode(picture)
    var record: Record = [
      "width": .integer(picture.width), "height": .integer(picture.height), "format": "png",
    ]
    if let file {
      let path = number == 1 ? file : String(file.dropLast(4)) + "-\(number)" + file.suffix(4)
      try HostFile.write(png, to: path, mode: HostFile.resultMode)
      record["file"] = .text(path)
    } else {
      record["data"] = .bytes(png)
    }
    return record
  }
}

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
