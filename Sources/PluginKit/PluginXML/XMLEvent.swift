/// A name with its namespace.
public struct XMLName: Sendable, Hashable {
  /// The name without its prefix.
  public var local: String
  /// The prefix as written; empty for none.
  public var prefix: String
  /// The namespace; empty for none.
  public var namespace: String

  /// Creates a name.
  public init(_ local: String, prefix: String = "", namespace: String = "") {
    self.local = local
    self.prefix = prefix
    self.namespace = namespace
  }
}

/// The start of an element.
public struct XMLElement: Sendable, Hashable {
  /// An attribute; namespace declarations are not attributes.
  public struct Attribute: Sendable, Hashable {
    /// The name.
    public var name: XMLName
    /// The value with its references resolved.
    public var value: String

    /// Creates an attribute.
    public init(_ name: XMLName, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The name.
  public var name: XMLName
  /// The attributes in order.
  public var attributes: [Attribute]

  /// Creates the start of an element.
  public init(_ name: XMLName, attributes: [Attribute] = []) {
    self.name = name
    self.attributes = attributes
  }

  /// The value of the first attribute with a local name, in any namespace; nil if there is none.
  public subscript(local: String) -> String? { attributes.first { $0.name.local == local }?.value }
}

/// An event in a document.
public enum XMLEvent {
  /// An element starts.
  case begin(XMLElement)
  /// A piece of text, UTF-8, valid only within the call; one text may arrive in several pieces.
  case text(UnsafeBufferPointer<UInt8>)
  /// An element ends.
  case end(XMLName)
}
