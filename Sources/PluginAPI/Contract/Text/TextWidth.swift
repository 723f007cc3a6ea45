/// The width of text in terminal columns; the single measure for layout and drawing.
public enum TextWidth {
  /// Returns the number of columns of a text; control characters take none.
  ///
  /// - Complexity: O(*n*).
  public static func columns(_ text: some StringProtocol) -> Int {
    var total = 0
    var isASCII = true
    for byte in text.utf8 {
      if byte >= 0x80 {
        isASCII = false
        break
      }
      if byte >= 0x20 && byte != 0x7F { total += 1 }
    }
    return isASCII ? total : text.reduce(0) { $0 + columns($1) }
  }

  /// Returns the number of columns of a character: 0, 1 or 2.
  ///
  /// A character is as wide as its widest scalar. An emoji presentation selector makes it 2 wide, as do the two letters
  /// of a flag.
  public static func columns(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii >= 0x20 && ascii != 0x7F ? 1 : 0 }
    var (width, letters) = (0, 0)
    for scalar in character.unicodeScalars {
      if scalar.value == 0xFE0F { return 2 }
      if (0x1F1E6...0x1F1FF).contains(scalar.value) { letters += 1 }
      if letters == 2 { return 2 }
      width = max(width, columns(scalar))
    }
    return width
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
    if contains(value, zeroRanges) { return 0 }
    return contains(value, wideRanges) ? 2 : 1
  }

  private static func contains(_ value: UInt32, _ ranges: [(UInt32, UInt32)]) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].1 < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].0 <= value
  }

  /// Returns the beginning of a text that fits into a width, with an ellipsis if the text was cut.
  public static func truncated(_ text: String, to width: Int) -> String {
    if columns(text) <= width { return text }
    if width <= 0 { return "" }
    return prefix(text, columns: width - 1) + "…"
  }

  /// Returns a text cut or padded with spaces to an exact width.
  public static func padded(_ text: String, to width: Int, right: Bool = false) -> String {
    let cut = truncated(text, to: width)
    let filling = String(repeating: " ", count: max(0, width - columns(cut)))
    return right ? filling + cut : cut + filling
  }

  /// Returns the longest beginning of a text that fits into a width.
  public static func prefix(_ text: some StringProtocol, columns limit: Int) -> String {
    var (result, width) = ("", 0)
    for character in text {
      width += columns(character)
      if width > limit { break }
      result.append(character)
    }
    return result
  }

  /// Returns the lines of a text wrapped at spaces; words longer than a line are broken.
  public static func wrapped(_ text: String, to width: Int) -> [String] {
    guard width > 0 else { return [] }
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrappedLine($0, width) }
  }

  private static func wrappedLine(_ text: Substring, _ width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, columns(line) + 1 + columns(word) <= width {
        line += " " + word
        continue
      }
      if !line.isEmpty { lines.append(line) }
      var rest = word
      // Only the current piece is measured, so that a word of megabytes is broken in one pass.
      while true {
        let part = prefix(rest, columns: width)
        let after = rest.dropFirst(part.count)
        if part.isEmpty || after.isEmpty { break }
        lines.append(part)
        rest = after
      }
      line = String(rest)
    }
    lines.append(line)
    return lines
  }
}
