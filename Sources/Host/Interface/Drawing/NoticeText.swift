import PluginAPI

/// The lines of a notice in the status line.
enum NoticeText {
  /// Returns the mark before the first line, by the severity.
  static func mark(_ severity: Diagnostic.Severity) -> StyledText.Run? {
    switch severity {
    case .error: .init("✗ ", .error)
    case .warning: .init("! ", .warning)
    default: nil
    }
  }

  /// Lays out message and advice in one line, or, where they do not fit, in lines of their own.
  ///
  /// If there are too few lines, the message is cut: the advice states the remedy.
  /// - Parameters:
  ///   - notice: The notice.
  ///   - width: The columns of a line.
  ///   - limit: The number of lines, at least 1.
  static func lines(_ notice: Diagnostic, width: Int, limit: Int) -> [String] {
    let whole = [notice.message, notice.advice].compactMap { $0 }.joined(separator: "; ")
    if TextWidth.columns(whole) <= width { return [whole] }
    if limit == 1 { return [line(notice, width: width)] }
    let advice = notice.advice.map { TextWidth.wrapped($0, to: width) } ?? []
    let message = cut(TextWidth.wrapped(notice.message, to: width), to: max(1, limit - advice.count), width: width)
    return message + cut(advice, to: limit - message.count, width: width)
  }

  /// Joins message and advice in a line that is too short for both: the message is cut, down to a third of the line.
  private static func line(_ notice: Diagnostic, width: Int) -> String {
    guard let advice = notice.advice else { return notice.message }
    let room = max(width / 3, width - TextWidth.columns(advice) - 2)
    return TextWidth.truncated(notice.message, to: room) + "; " + advice
  }

  private static func cut(_ lines: [String], to count: Int, width: Int) -> [String] {
    guard lines.count > count, count > 0 else { return Array(lines.prefix(count)) }
    return lines.prefix(count - 1) + [TextWidth.truncated(lines[count - 1] + " " + lines[count], to: width)]
  }
}
