/// A type of the contract with a value form, from which its byte form and JSON form are derived.
public protocol ValueConvertible: Sendable {
  /// The name of the type, `plugin.name`.
  static var typeName: String { get }

  /// Creates an instance from its value form.
  ///
  /// - Throws: ``ValueDecodingError`` if a required field is missing or has the wrong shape. Unknown fields are
  ///   ignored, so that an older reader can read what a newer writer wrote.
  init(value: Value) throws

  /// The value form.
  var value: Value { get }
}

extension ValueConvertible {
  /// Returns the byte form.
  public func encoded() -> [UInt8] {
    value.encoded()
  }

  /// Creates an instance from its byte form.
  public init(decoding bytes: [UInt8]) throws {
    try self.init(value: Value(decoding: bytes))
  }
}
