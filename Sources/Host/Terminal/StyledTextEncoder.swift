import PluginAPI

/// Turns styled text into bytes: with SGR sequences for a terminal, or without for files and pipes.
struct StyledTextEncoder {
  /// The colors the stream shows.
  var depth: ColorDepth
  /// A Boolean value indicating whether only text is written, without even bold.
  var isPlain: Bool
  /// The terminal's background, on which text must be readable.
  var background: Color

  /// Creates an encoder.
  init(depth: ColorDepth, isPlain: Bool = false, background: Color = .black) {
    (self.depth, self.isPlain, self.background) = (depth, isPlain, background)
  }

  /// Returns the bytes of a text, each line ended by a line feed.
  ///
  /// Every line starts and ends with the terminal's own look, so that lines can be cut out and put together. Control
  /// characters but the tab are replaced: text must not command the terminal.
  func bytes(of text: StyledText) -> [UInt8] {
    let out = TerminalBytes()
    var style = StyleWriter(depth, background: background)
    for line in text.lines {
      style.assumeReset()
      for run in line where !run.text.isEmpty {
        out.reserve(StyleWriter.longestChange)
        if !isPlain { style.set(run.style, in: out) }
        out.append(StyledTextWriter.harmless(run.text))
      }
      if !isPlain { style.reset(in: out) }
      out.append("\n")
    }
    return Array(out.bytes)
  }
}
