/// A value of a domain, with a type name and a byte form; pure, without any reference to the world.
public protocol Model: Sendable {
  /// The name of the type, `plugin.name`.
  static var typeName: String { get }

  /// Creates the model from its value form.
  ///
  /// - Throws: ``ValueDecodingError`` if a needed field is missing or has another shape. Unknown fields are ignored,
  ///   so that newer writers stay readable.
  init(value: Value) throws

  /// The model as a value.
  var value: Value { get }
}

extension Model {
  /// The model as bytes.
  public func encoded() -> [UInt8] {
    value.encoded()
  }

  /// Creates the model from its bytes.
  public init(decoding bytes: [UInt8]) throws {
    try self.init(value: Value(decoding: bytes))
  }
}
