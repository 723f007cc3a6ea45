/// A row of a list.
public struct ListRow: Sendable, Hashable {
  /// Identifies the row in outcomes and actions; unique in its list.
  public var id: String
  /// What is read first.
  public var title: String
  /// A second, quieter text in a column of its own.
  public var detail: String
  /// A short text at the right: a count, a state.
  public var badge: String
  /// Whether a mark at the right leads to more about it.
  public var hasDisclosure: Bool

  /// Creates a row.
  public init(id: String, title: String, detail: String = "", badge: String = "", hasDisclosure: Bool = false) {
    self.id = id
    self.title = title
    self.detail = detail
    self.badge = badge
    self.hasDisclosure = hasDisclosure
  }

  /// Everything the row says, in one line; spaces that only align badges in a column are left out.
  var spoken: String {
    let badge = badge.split(separator: " ").joined(separator: " ")
    return [title, detail, badge.isEmpty ? "" : "[\(badge)]"].filter { !$0.isEmpty }.joined(separator: "  ")
  }
}
