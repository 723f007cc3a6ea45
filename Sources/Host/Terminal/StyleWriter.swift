import PluginAPI

/// Writes changes of style as SGR sequences and remembers the style the terminal draws with.
///
/// - Source: ECMA-48 §8.3.117 (SGR); 38/48 as xterm writes them, with semicolons, which every terminal reads.
struct StyleWriter {
  private let mapping: ColorMapping
  private var foreground: UInt32 = 0
  private var background: UInt32 = 0
  private var attributes: UInt16 = 0
  /// A Boolean value indicating whether the terminal's current style is known.
  private var isKnown = false

  /// The maximum number of bytes of a change.
  static let longestChange = 64
  /// The attributes that are visible on a blank.
  static let visibleOnBlanks: UInt16 = Style.Attributes.underline.rawValue | Style.Attributes.reverse.rawValue

  init(_ depth: ColorDepth, background: Color = .black, theme: Theme = .standard) {
    mapping = ColorMapping(depth, background: background, theme: theme)
  }

  /// A Boolean value indicating whether a space drawn now is a blank on the terminal's own background.
  var drawsPlainBlanks: Bool { isKnown && background == 0 && attributes & Self.visibleOnBlanks == 0 }

  /// Forgets the terminal's current style.
  mutating func forget() { isKnown = false }

  /// Assumes that the terminal has its default style.
  mutating func assumeReset() { (foreground, background, attributes, isKnown) = (0, 0, 0, true) }

  /// Returns true if two styles look the same at this depth.
  @_optimize(speed)
  func looksSame(_ one: Style, _ other: Style) -> Bool {
    one.attributes.rawValue == other.attributes.rawValue
      && front(one) == front(other)
      && mapping.map(one.background.packed) == mapping.map(other.background.packed)
  }

  /// Sets the terminal's style; the room must be reserved.
  @inline(__always) mutating func set(_ style: Style, in out: TerminalBytes) {
    change(front(style), mapping.map(style.background.packed), style.attributes.rawValue, out)
  }

  /// Returns the color of a style's characters: on the terminal's own background a readable one.
  @inline(__always) private func front(_ style: Style) -> UInt32 {
    let color = style.foreground.packed
    return style.background.packed == 0 ? mapping.mapText(color) : mapping.map(color)
  }

  /// Sets the terminal's style for blanks: changes only what is visible on blanks.
  @inline(__always) mutating func setForBlank(_ style: Style, in out: TerminalBytes) {
    let raw = style.attributes.rawValue
    if !isKnown || (raw | attributes) & Self.visibleOnBlanks != 0 { return set(style, in: out) }
    change(foreground, mapping.map(style.background.packed), attributes, out)
  }

  /// Restores the terminal's own style, unless it is known to be set.
  mutating func reset(in out: TerminalBytes) {
    if isKnown, foreground == 0, background == 0, attributes == 0 { return }
    out.reserve(Self.longestChange)
    (foreground, background, attributes, isKnown) = (0, 0, 0, true)
    out.putControl()
    out.put(0x6D)
  }

  @inline(__always) private mutating func change(
    _ front: UInt32, _ back: UInt32, _ wanted: UInt16, _ out: TerminalBytes
  ) {
    if isKnown, front == foreground, back == background, wanted == attributes { return }
    write(front, back, wanted, out)
  }

  @_optimize(speed)
  private mutating func write(_ front: UInt32, _ back: UInt32, _ wanted: UInt16, _ out: TerminalBytes) {
    out.putControl()
    if front == 0, back == 0, wanted == 0 {
      out.put(0x6D)
    } else {
      if !isKnown {
        out.put(0x30)
        out.put(0x3B)
        (foreground, background, attributes) = (0, 0, 0)
      }
      if wanted != attributes { writeAttributes(wanted, out) }
      if front != foreground { write(front, base: 30, out) }
      if back != background { write(back, base: 40, out) }
      // Each part ends with a semicolon; the last one becomes the final byte.
      out.replaceLast(with: 0x6D)
    }
    (foreground, background, attributes, isKnown) = (front, back, wanted, true)
  }

  @_optimize(speed)
  private func writeAttributes(_ wanted: UInt16, _ out: TerminalBytes) {
    let removed = attributes & ~wanted
    var missing = wanted & ~attributes
    if removed & 3 != 0 {
      write(22, out)
      missing |= wanted & 3
    }
    if removed & 4 != 0 { write(23, out) }
    if removed & 8 != 0 { write(24, out) }
    if removed & 16 != 0 { write(27, out) }
    if missing & 1 != 0 { write(1, out) }
    if missing & 2 != 0 { write(2, out) }
    if missing & 4 != 0 { write(3, out) }
    if missing & 8 != 0 { write(4, out) }
    if missing & 16 != 0 { write(7, out) }
  }

  @_optimize(speed)
  private func write(_ color: UInt32, base: Int, _ out: TerminalBytes) {
    let value = Int(color & 0xFF)
    if color == 0 { return write(base + 9, out) }
    if color >> 24 == 1 {
      if value < 8 { return write(base + value, out) }
      if value < 16 { return write(base + 52 + value, out) }
      write(base + 8, out)
      write(5, out)
      return write(value, out)
    }
    write(base + 8, out)
    write(2, out)
    write(Int(color >> 16 & 0xFF), out)
    write(Int(color >> 8 & 0xFF), out)
    write(value, out)
  }

  @inline(__always) private func write(_ parameter: Int, _ out: TerminalBytes) {
    out.putDecimal(parameter)
    out.put(0x3B)
  }
}

/// Turns styled text into bytes: with SGR sequences for a terminal, or without for files and pipes.
struct StyledTextEncoder {
  /// The colors the stream shows.
  var depth: ColorDepth
  /// A Boolean value indicating whether only text is written, without even bold.
  var isPlain: Bool
  /// The terminal's background, on which text must be readable.
  var background: Color
  /// The colors of roles.
  var theme: Theme
  /// The width to which lines were wrapped if addresses are marked as links; nil if they are not.
  var linkedWidth: Int?

  /// Creates an encoder.
  init(depth: ColorDepth, isPlain: Bool = false, background: Color = .black, theme: Theme = .standard) {
    (self.depth, self.isPlain, self.background, self.theme) = (depth, isPlain, background, theme)
  }

  /// Returns the bytes of a text, each line ended by a line feed.
  ///
  /// Every line starts and ends with the terminal's own style, so that lines can be cut out and joined. Control
  /// characters but the tab are replaced: text must not command the terminal.
  func bytes(of text: StyledText) -> [UInt8] {
    let out = TerminalBytes()
    var style = StyleWriter(depth, background: background, theme: theme)
    for line in text.lines {
      style.assumeReset()
      for (index, run) in line.enumerated() where !run.text.isEmpty {
        out.reserve(StyleWriter.longestChange)
        if !isPlain { style.set(run.style, in: out) }
        let text = StyledTextWriter.harmless(run.text)
        if linkedWidth == nil {
          out.append(text)
        } else {
          append(text, of: line, isLast: index == line.count - 1, to: out)
        }
      }
      if !isPlain { style.reset(in: out) }
      out.append("\n")
    }
    return Array(out.bytes)
  }

  /// Appends a run's text with its addresses as links, but for one that may continue on the next line.
  private func append(_ text: String, of line: [StyledText.Run], isLast: Bool, to out: TerminalBytes) {
    let pieces = TerminalLinks.pieces(of: text)
    let isFull = line.reduce(0) { $0 + TextWidth.columns($1.text) } + 2 >= linkedWidth ?? .max
    for (index, piece) in pieces.enumerated() {
      let mayContinue = isLast && isFull && index == pieces.count - 1
      if piece.isAddress, !mayContinue {
        out.append(TerminalLinks.mark(piece.text) + piece.text + TerminalLinks.mark(""))
      } else {
        out.append(piece.text)
      }
    }
  }
}
