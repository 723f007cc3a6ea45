/// A picture with texts in its corners.
public struct PictureView: View {
  /// A corner of the picture.
  public enum Corner: Sendable, Hashable, CaseIterable {
    /// Upper left.
    case topLeft
    /// Upper right.
    case topRight
    /// Lower left.
    case bottomLeft
    /// Lower right.
    case bottomRight
  }

  /// A text in a corner.
  public struct Overlay: Sendable, Hashable {
    /// The corner.
    public var corner: Corner
    /// The runs of text, on one line.
    public var runs: [StyledText.Run]

    /// Creates an overlay.
    public init(_ corner: Corner, _ runs: [StyledText.Run]) {
      self.corner = corner
      self.runs = runs
    }
  }

  /// The picture, ideally of the view's size in pixels; nil while there is none.
  public var picture: Picture?
  /// A description of the picture in words.
  public var description: String
  /// Texts in corners.
  ///
  /// Several texts in one corner are stacked, away from the edge.
  public var overlays: [Overlay]
  /// Named values for the outline, for users who cannot see the picture.
  public var fields: [Outline.Field]

  /// Creates a picture view.
  public init(
    _ picture: Picture?, description: String, overlays: [Overlay] = [], fields: [Outline.Field] = []
  ) {
    self.picture = picture
    self.description = description
    self.overlays = overlays
    self.fields = fields
  }

  /// Places the picture and draws the overlays over it.
  public func draw(into frame: inout TextFrame) {
    if let picture { frame.place(picture, in: frame.bounds) }
    var used: [Corner: Int] = [:]
    for overlay in overlays {
      let line = used[overlay.corner, default: 0]
      used[overlay.corner] = line + 1
      let width = overlay.runs.reduce(0) { $0 + TextWidth.columns($1.text) }
      let isRight = overlay.corner == .topRight || overlay.corner == .bottomRight
      let isBottom = overlay.corner == .bottomLeft || overlay.corner == .bottomRight
      frame.put(
        overlay.runs, x: isRight ? max(0, frame.size.width - width) : 0,
        y: isBottom ? frame.size.height - 1 - line : line)
    }
  }

  /// The description, the texts of the overlays, and the fields.
  public var outline: Outline {
    Outline(title: description, text: overlays.map { $0.runs.map(\.text).joined() }, fields: fields)
  }
}
