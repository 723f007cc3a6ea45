/// Named values in a fixed order.
///
/// Names are compared byte by byte. Setting an existing name keeps its position; a new one is appended.
public struct Record: Sendable, Hashable {
  /// A named value.
  public struct Field: Sendable, Hashable {
    /// The field's name, in camelCase where it reaches JSON.
    public var name: String
    /// The field's value.
    public var value: Value

    /// Creates a field.
    public init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// The fields, in order.
  public private(set) var fields: [Field]

  /// Creates a record.
  ///
  /// If several fields have the same name, the last value is used at the position of the first.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  public init(_ fields: [Field] = []) {
    self.fields = []
    self.fields.reserveCapacity(fields.count)
    if fields.count <= Self.fewFields {
      for field in fields { self[field.name] = field.value }
      return
    }
    var places: [[UInt8]: Int] = [:]
    for field in fields {
      let name = Array(field.name.utf8)
      if let place = places[name] {
        self.fields[place].value = field.value
      } else {
        places[name] = self.fields.count
        self.fields.append(field)
      }
    }
  }

  /// The number of fields up to which a linear search is faster than a table of names.
  private static let fewFields = 32

  /// The names of the fields, in order.
  public var names: [String] { fields.map(\.name) }

  /// A Boolean value indicating whether there are no fields.
  public var isEmpty: Bool { fields.isEmpty }

  /// The value with a name; setting nil removes the field.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  public subscript(name: String) -> Value? {
    get { position(of: name).map { fields[$0].value } }
    set {
      switch (position(of: name), newValue) {
      case (let index?, let value?): fields[index].value = value
      case (let index?, nil): fields.remove(at: index)
      case (nil, let value?): fields.append(Field(name, value))
      case (nil, nil): break
      }
    }
  }

  private func position(of name: String) -> Int? {
    fields.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

extension Record: ExpressibleByDictionaryLiteral {
  /// Creates a record with its fields in the order written.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements.map { Field($0.0, $0.1) })
  }
}
