/// Draws a state.
///
/// A value: the same content and size give the same cells.
/// A view holds what it shows and reads nothing else: no store, service, clock or global.
public protocol View: Sendable {
  /// Draws into the frame, which may have any size, 0×0 included, and clips what lies outside.
  func draw(into frame: inout TextFrame)

  /// The same content for linear reading: what `--plain` prints and numbers.
  var outline: Outline { get }
}

/// What a view shows, without its looks.
public struct Outline: Sendable, Hashable {
  /// A thing that can be chosen.
  public struct Item: Sendable, Hashable {
    /// Identifies the item to the controller.
    public var id: String
    /// What is read.
    public var text: String
    /// What choosing it does; nil if it cannot be chosen.
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

  /// The heading.
  public var title: String
  /// Paragraphs.
  public var text: [String]
  /// Named values.
  public var fields: [Field]
  /// Things to choose, in order.
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
