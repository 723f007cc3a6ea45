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
    lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { [Run(String(Substring($0)), style)] }
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

extension StyledText {
  /// Returns the text with its lines wrapped to a width: at spaces where possible, otherwise between characters.
  ///
  /// Spaces at the start of a line are kept, and its continuation lines are indented likewise, up to a third of the
  /// width.
  /// - Complexity: O(*n*).
  public func wrapped(to width: Int) -> StyledText {
    guard width > 0 else { return StyledText() }
    return StyledText(lines: lines.flatMap { Self.wrapped($0, to: width) })
  }

  private struct Piece {
    var character: Character
    var style: Style
    var columns: Int
  }

  private static func wrapped(_ line: [Run], to width: Int) -> [[Run]] {
    if line.reduce(0, { $0 + TextWidth.columns($1.text) }) <= width { return [line] }
    let pieces = line.flatMap { run in
      run.text.map { Piece(character: $0, style: run.style, columns: TextWidth.columns($0)) }
    }
    let indent = min(pieces.prefix { $0.character == " " }.count, width / 3)
    var result: [[Run]] = []
    var start = 0
    while start < pieces.count {
      let room = result.isEmpty ? width : max(1, width - indent)
      let end = lineEnd(pieces, from: start, room: room)
      let filling = result.isEmpty || indent == 0 ? [] : [Run(String(repeating: " ", count: indent))]
      result.append(filling + runs(pieces[start..<end]))
      start = end
      while start < pieces.count, pieces[start].character == " " { start += 1 }
    }
    return result
  }

  /// Returns the index after the last piece of a line that starts at `start`; always greater than `start`.
  private static func lineEnd(_ pieces: [Piece], from start: Int, room: Int) -> Int {
    var used = 0
    var end = start
    while end < pieces.count, used + pieces[end].columns <= room {
      used += pieces[end].columns
      end += 1
    }
    if end == pieces.count || pieces[end].character == " " { return max(end, start + 1) }
    guard let space = pieces[start..<end].lastIndex(where: { $0.character == " " }), space > start,
      pieces[start..<space].contains(where: { $0.character != " " })
    else { return max(end, start + 1) }
    return space
  }

  private static func runs(_ pieces: ArraySlice<Piece>) -> [Run] {
    var runs: [Run] = []
    for piece in pieces {
      if let last = runs.indices.last, runs[last].style == piece.style {
        runs[last].text.append(piece.character)
      } else {
        runs.append(Run(String(piece.character), piece.style))
      }
    }
    return runs
  }
}
