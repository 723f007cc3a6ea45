/// An element of a response before it has prefixes, so that faults can change it.
struct SimulatedElement: Sendable {
  /// The name, in the protocol's namespace.
  var name: String
  var type: TypeName?
  var isNil = false
  var text = ""
  /// The content in place of a text: the name of a type.
  var typeText: TypeName?
  /// The content in base64.
  var data: SimulatedData?
  var children: [SimulatedElement] = []

  /// The name of a type.
  struct TypeName: Sendable, Hashable {
    var local: String
    /// True for a type of XML Schema, false for one of the protocol.
    var isOfSchema: Bool
  }

  init(_ name: String, text: String = "") { (self.name, self.text) = (name, text) }

  init(_ name: String, _ children: [SimulatedElement]) { (self.name, self.children) = (name, children) }

  init(_ name: String, _ value: SimulatedValue) {
    self.name = name
    if value == .null {
      isNil = true
      return
    }
    type = TypeName(local: value.typeName, isOfSchema: value.isOfSchema)
    switch value {
    case .null: break
    case .plain(let text, _), .word(let text, _): self.text = text
    case .resolution(let width, let height, let unit):
      children = [Self("width", text: width), Self("height", text: height)] + Self.optional("unit", unit)
    case .range(let range): children = Self.children(of: range)
    case .resource(let uri, let contentType, let relationship):
      children =
        [Self("uri", text: uri)] + Self.optional("contentType", contentType)
        + Self.optional("relationship", relationship)
    case .array(let elements, let type):
      children = elements.map { Self("element", $0) }
      // The elements of such arrays have their type by the schema.
      if type != "Array" { for index in children.indices { children[index].type = nil } }
    case .parameter(let parameter): children = Self.children(of: parameter)
    case .dictionary(let items): children = items.map(Self.init)
    }
  }

  init(_ item: SimulatedItem) {
    self.init("item", [Self("key", text: item.key), Self("value", item.value)])
  }

  private static func optional(_ name: String, _ text: String?) -> [Self] { text.map { [Self(name, text: $0)] } ?? [] }

  private static func children(of range: SimulatedRange) -> [Self] {
    func flag(_ name: String, _ flag: Bool?) -> [Self] { optional(name, flag.map { $0 ? "true" : "false" }) }
    return (range.minimum.map { [Self("minimum", $0)] } ?? []) + (range.maximum.map { [Self("maximum", $0)] } ?? [])
      + flag("minimumIsExclusive", range.minimumIsExclusive) + flag("maximumIsExclusive", range.maximumIsExclusive)
  }

  private static func children(of parameter: SimulatedParameter) -> [Self] {
    var type = Self("type")
    type.typeText = TypeName(local: parameter.type, isOfSchema: parameter.isTypeOfSchema)
    var children = [
      Self("name", text: parameter.name), type, Self("readOnly", text: parameter.isReadOnly ? "true" : "false"),
      Self("supportsMultiple", text: parameter.supportsMultiple ? "true" : "false"),
      Self("defaultValue", parameter.defaultValue),
    ]
    if !parameter.allowedValues.isEmpty {
      children.append(Self("allowedValues", parameter.allowedValues.map { Self("allowedValue", $0) }))
    }
    return children
  }

  /// The first child of that name; set to nil to remove all of them.
  subscript(name: String) -> SimulatedElement? {
    get { children.first { $0.name == name } }
    set {
      guard let newValue else { return children.removeAll { $0.name == name } }
      if let index = children.firstIndex(where: { $0.name == name }) {
        children[index] = newValue
      } else {
        children.append(newValue)
      }
    }
  }
}
