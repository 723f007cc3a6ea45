/// A picture with texts at its corners.
public struct PictureView: View {
  /// The corners.
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

  /// A text at a corner.
  public struct Overlay: Sendable, Hashable {
    /// Where.
    public var corner: Corner
    /// What, on one line.
    public var runs: [StyledText.Run]

    /// Creates an overlay.
    public init(_ corner: Corner, _ runs: [StyledText.Run]) {
      self.corner = corner
      self.runs = runs
    }
  }

  /// The picture, best of the size in pixels of its place; nil while there is none.
  public var picture: Picture?
  /// What the picture shows, in words.
  public var description: String
  /// Texts at corners; several at one corner stand below each other, away from the edge.
  public var overlays: [Overlay]
  /// Named values for the outline: what a reader cannot see in the picture.
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

  /// The description, the overlays' texts and the fields.
  public var outline: Outline {
    Outline(title: description, text: overlays.map { $0.runs.map(\.text).joined() }, fields: fields)
  }
}
