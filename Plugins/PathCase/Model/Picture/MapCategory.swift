/// The categories that readers use for elements of maps that networks do not have.
enum MapCategory {
  /// An end of a line that is connected to nothing.
  static let freeEnd = "free end"
}
