/// Words of readers for what maps have and networks do not.
enum MapCategory {
  /// An end of a line that belongs to nothing.
  static let freeEnd = "free end"
}
