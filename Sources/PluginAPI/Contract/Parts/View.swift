/// A view that draws a state.
///
/// A view is a value: the same content and size give the same cells. It holds everything it shows and reads nothing
/// else: no store, service, clock or global.
public protocol View: Sendable {
  /// Draws into the frame, which may have any size, including 0×0. The frame clips whatever lies outside.
  func draw(into frame: inout TextFrame)

  /// The same content for linear reading, which `--plain` prints and numbers.
  var outline: Outline { get }
}

/// The content of a view for linear reading.
public struct Outline: Sendable, Hashable {
  /// An item that can be chosen.
  public struct Item: Sendable, Hashable {
    /// The id of the item, used by the controller.
    public var id: String
    /// The text of the item.
    public var text: String
    /// The action performed when the item is chosen; nil if it cannot be chosen.
    public var action: ActionInvocation?

    /// Creates an item.
    public init(id: String, text: String, action: ActionInvocation? = nil) {
      self.id = id
      self.text = text
      self.action = action
    }
  }

  /// A named value.
  public struct Field: Sendable, Hashable {
    /// The name.
    public var label: String
    /// The value.
    public var value: String

    /// Creates a field.
    public init(_ label: String, _ value: String) {
      self.label = label
      self.value = value
    }
  }

  /// The title.
  public var title: String
  /// Paragraphs.
  public var text: [String]
  /// Named values.
  public var fields: [Field]
  /// The items to choose from, in order.
  public var items: [Item]

  /// Creates an outline.
  public init(title: String, text: [String] = [], fields: [Field] = [], items: [Item] = []) {
    self.title = title
    self.text = text
    self.fields = fields
    self.items = items
  }
}

/// A screen action with its arguments.
public struct ActionInvocation: Sendable, Hashable {
  /// The action's id.
  public var action: String
  /// Its arguments.
  public var arguments: Record

  /// Creates an invocation.
  public init(_ action: String, _ arguments: Record = Record()) {
    self.action = action
    self.arguments = arguments
  }
}
