/// Turns values of a named type into text: what a command prints, a pane shows, a script captures.
public protocol TextRenderer: Sendable {
  /// The type of values it renders, `plugin.name`.
  var typeName: String { get }

  /// Renders a value; pure: the same value and request give the same text.
  func render(_ value: Value, for request: TextRequest) throws -> StyledText
}

/// How a value shall become text.
public struct TextRequest: Sendable, Hashable {
  /// How much is wanted.
  public enum Detail: Sendable, Hashable {
    /// One line.
    case summary
    /// What a person wants to see first.
    case normal
    /// Everything.
    case full
  }

  /// The columns there are; text may be wider where it cannot be helped.
  public var width: Int
  /// How many colours the reader sees.
  public var colorDepth: ColorDepth
  /// How much is wanted.
  public var detail: Detail
  /// Whether the text is for linear reading: no box drawing, no alignment by eye alone.
  public var isPlain: Bool

  /// Creates a request.
  public init(width: Int = 80, colorDepth: ColorDepth = .none, detail: Detail = .normal, isPlain: Bool = false) {
    self.width = width
    self.colorDepth = colorDepth
    self.detail = detail
    self.isPlain = isPlain
  }
}
