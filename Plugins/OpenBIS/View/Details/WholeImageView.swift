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

/// The rectangle in which a picture keeps its proportions.
enum PictureFit {
  /// Returns the largest rectangle with the picture's proportions at the upper left of a frame.
  static func rect(of picture: Picture, in frame: TextFrame) -> Rect {
    let size = frame.size
    guard picture.width > 0, picture.height > 0, size.width > 0, size.height > 0 else {
      return Rect(x: 0, y: 0, width: 0, height: 0)
    }
    // A cell is twice as high as wide; its pixels may have other proportions.
    let (shownWidth, shownHeight) = (Double(size.width), Double(size.height) * 2)
    let scale = min(shownWidth / Double(picture.width), shownHeight / Double(picture.height))
    let width = max(1, min(size.width, Int((Double(picture.width) * scale).rounded())))
    let height = max(1, min(size.height, Int((Double(picture.height) * scale / 2).rounded())))
    return Rect(x: 0, y: 0, width: width, height: height)
  }
}
