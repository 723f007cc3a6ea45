/// A type of the contract with a value form, from which its byte form and its JSON form are made.
public protocol ValueConvertible: Sendable {
  /// The name of the type, `plugin.name`.
  static var typeName: String { get }

  /// Creates an instance from its value form.
  ///
  /// - Throws: ``ValueDecodingError`` if a required field is missing or has another shape. Unknown fields are ignored,
  ///   so that an older reader can read what a newer one wrote.
  init(value: Value) throws

  /// The value form.
  var value: Value { get }
}

extension ValueConvertible {
  /// The byte form.
  public func encoded() -> [UInt8] {
    value.encoded()
  }

  /// Creates an instance from its byte form.
  public init(decoding bytes: [UInt8]) throws {
    try self.init(value: Value(decoding: bytes))
  }
}
