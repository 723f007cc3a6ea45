import PluginAPI

/// The question of a popover.
enum QuestionText {
  /// Returns the lines of a question that is too long for the heading, with a blank one below; none for one that fits
  /// there.
  ///
  /// Users must be able to read all they agree to, such as a fingerprint at the end of a long sentence.
  static func lines(_ title: String, width: Int) -> [String] {
    TextWidth.columns(title) + 8 <= width ? [] : TextWidth.wrapped(title, to: max(8, width - 2)) + [""]
  }
}
