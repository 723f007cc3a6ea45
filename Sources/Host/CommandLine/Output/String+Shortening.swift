extension String {
  /// Returns a text from a program or file for a message: its first `count` Unicode scalars, with an ellipsis if it
  /// was cut.
  ///
  /// - Complexity: O(`count`), for texts of any length.
  func shortened(to count: Int = 100) -> String {
    let start = unicodeScalars.prefix(count)
    return start.endIndex == endIndex ? self : String(start) + "…"
  }
}
