import PluginAPI
import PluginText

/// One image in the middle of the screen, or the reason for its absence.
struct WholeImageView: View {
  var picture: Picture?
  /// The description of the image.
  var description: String
  /// The text shown while there is no picture.
  var note: String

  func draw(into frame: inout TextFrame) {
    guard let picture, !picture.isEmpty else {
      for (y, line) in TextWidth.wrapped(SanitizedText.block(note), to: max(1, frame.size.width - 4)).enumerated() {
        frame.put(line, x: 2, y: y, .secondary)
      }
      return
    }
    let rect = PictureFit.rect(of: picture, in: frame)
    frame.place(
      picture,
      in: Rect(
        x: (frame.size.width - rect.width) / 2, y: (frame.size.height - rect.height) / 2, width: rect.width,
        height: rect.height))
  }

  var outline: Outline {
    let size = picture.map { "\($0.width)×\($0.height) pixels" }
    return Outline(title: description, text: [size ?? SanitizedText.line(note)])
  }
}
