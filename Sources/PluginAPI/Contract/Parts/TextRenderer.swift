/// A renderer that turns values of a type into text, for command output, panes and scripts.
public protocol TextRenderer: Sendable {
  /// The type of values it renders, `plugin.name`.
  var typeName: String { get }

  /// Renders a value. The function is pure: the same value and request give the same text.
  func render(_ value: Value, for request: TextRequest) throws -> StyledText
}

/// The requested form of a rendered text.
public struct TextRequest: Sendable, Hashable {
  /// The level of detail.
  public enum Detail: Sendable, Hashable {
    /// One line.
    case summary
    /// The most relevant parts.
    case normal
    /// Everything.
    case full
  }

  /// The available columns; text may be wider if it cannot be avoided.
  public var width: Int
  /// The number of colors that the output can show.
  public var colorDepth: ColorDepth
  /// The level of detail.
  public var detail: Detail
  /// A Boolean value indicating whether the text is for linear reading: no box drawing, no purely visual alignment.
  public var isPlain: Bool

  /// Creates a request.
  public init(width: Int = 80, colorDepth: ColorDepth = .none, detail: Detail = .normal, isPlain: Bool = false) {
    self.width = width
    self.colorDepth = colorDepth
    self.detail = detail
    self.isPlain = isPlain
  }
}
