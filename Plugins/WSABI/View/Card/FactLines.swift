import PluginAPI

/// Named values beside the picture of a card; omitted or truncated ones are marked.
enum FactLines {
  /// Returns the lines for a size: each name above its value if there is room, otherwise beside it.
  static func lines(of fields: [Outline.Field], in size: Size) -> [[StyledText.Run]] {
    guard size.width > 0, size.height > 0 else { return [] }
    let roomy = fields.map { lines(of: $0, beside: nil, width: size.width) }
    if roomy.reduce(0, { $0 + $1.count }) <= size.height { return Array(roomy.joined()) }
    let labelWidth = fields.map { TextWidth.columns($0.label) }.filter { $0 <= size.width / 2 }.max() ?? 0
    let close = fields.map { lines(of: $0, beside: labelWidth, width: size.width) }
    if close.reduce(0, { $0 + $1.count }) <= size.height { return Array(close.joined()) }
    return cut(close, size)
  }

  /// Returns the first fields, and the number of omitted ones.
  private static func cut(_ fields: [[[StyledText.Run]]], _ size: Size) -> [[StyledText.Run]] {
    var shown: [[StyledText.Run]] = []
    var count = 0
    while count < fields.count, shown.count + fields[count].count < size.height {
      shown += fields[count]
      count += 1
    }
    let words = TextWidth.truncated("… and \(fields.count - count) more", to: size.width)
    return shown + [[.init(words, .secondary)]]
  }

  /// - Parameter labelWidth: The columns of names beside their values; nil if all are above them.
  private static func lines(
    of field: Outline.Field, beside labelWidth: Int?, width: Int
  ) -> [[StyledText.Run]] {
    let value = field.value.split(whereSeparator: \.isNewline).joined(separator: " ")
    if let labelWidth, TextWidth.columns(field.label) <= labelWidth,
      labelWidth + 2 + TextWidth.columns(value) <= width
    {
      return [[.init(TextWidth.padded(field.label, to: labelWidth + 2), .secondary), .init(value)]]
    }
    var lines = TextWidth.wrapped(value, to: width)
    if lines.count > 2 { lines = [lines[0], TextWidth.truncated(lines[1...].joined(separator: " "), to: width)] }
    return [[.init(TextWidth.truncated(field.label, to: width), .secondary)]] + lines.map { [.init($0)] }
  }
}
