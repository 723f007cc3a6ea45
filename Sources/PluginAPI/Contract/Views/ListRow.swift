/// A row of a list.
public struct ListRow: Sendable, Hashable {
  /// The id of the row in outcomes and actions; unique in its list.
  public var id: String
  /// The title.
  public var title: String
  /// A second, less prominent text in a column of its own.
  public var detail: String
  /// A short text at the right, such as a count or a state.
  public var badge: String
  /// A Boolean value indicating whether a disclosure mark at the right leads to details.
  public var hasDisclosure: Bool

  /// Creates a row.
  public init(id: String, title: String, detail: String = "", badge: String = "", hasDisclosure: Bool = false) {
    self.id = id
    self.title = title
    self.detail = detail
    self.badge = badge
    self.hasDisclosure = hasDisclosure
  }

  /// The texts of the row on one line, without the spaces that only align badges in a column.
  var spoken: String {
    let badge = badge.split(separator: " ").joined(separator: " ")
    return [title, detail, badge.isEmpty ? "" : "[\(badge)]"].filter { !$0.isEmpty }.joined(separator: "  ")
  }
}
