/// Lines of text with styles.
public struct StyledText: Sendable, Hashable {
  /// A piece of text with one style.
  public struct Run: Sendable, Hashable {
    /// The text, without line breaks.
    public var text: String
    /// The style.
    public var style: Style

    /// Creates a run.
    public init(_ text: String, _ style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  /// The lines; each holds its runs from left to right.
  public var lines: [[Run]]

  /// Creates a text from its lines.
  public init(lines: [[Run]] = []) {
    self.lines = lines
  }

  /// Creates a text of one style; line feeds separate lines.
  public init(_ text: String, _ style: Style = .plain) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { [Run(String($0), style)] }
  }

  /// Appends a line.
  public mutating func add(_ runs: Run...) {
    lines.append(runs)
  }

  /// Appends the lines of another text.
  public mutating func add(_ text: StyledText) {
    lines += text.lines
  }

  /// The text without styles, lines separated by line feeds.
  public var plainText: String {
    lines.map { $0.map(\.text).joined() }.joined(separator: "\n")
  }
}
