import PluginText

/// A writer in the style of NIST's Java service: everything prefixed, indented, base64 in lines with references for
/// line ends.
struct JAXBWriter {
  let namespace: String

  func document(_ result: WrittenResult) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    text += "<ns2:result xmlns:ns2=\"\(namespace)\">\n"
    // Both of NIST's schemas have the misspelling.
    text += line(1, "status", result.status == "noSuchParameter" ? "noSuchParamter" : result.status)
    text += list("badFields", result.badFields)
    text += list("captureIds", result.captureIDs)
    if let metadata = result.metadata {
      text += "  <ns2:metadata>\n\(items(metadata, 2))  </ns2:metadata>\n"
    }
    // On success NIST's service writes an empty message.
    text += result.message.map { line(1, "message", XMLEscape.content($0)) } ?? "  <ns2:message/>\n"
    if let data = result.data {
      text += line(1, "sensorData", base64Text(data, line: 76, end: "&#13;\n"))
    }
    if let session = result.session { text += line(1, "sessionId", session) }
    return text + "</ns2:result>\n"
  }

  private func line(_ depth: Int, _ name: String, _ text: String, _ attributes: String = "") -> String {
    "\(blanks(depth))<ns2:\(name)\(attributes)>\(text)</ns2:\(name)>\n"
  }

  private func blanks(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

  private func list(_ name: String, _ texts: [String]?) -> String {
    guard let texts else { return "" }
    return block(1, name, texts.map { line(2, "element", XMLEscape.content($0)) }.joined())
  }

  private func block(_ depth: Int, _ name: String, _ content: String, _ attributes: String = "") -> String {
    "\(blanks(depth))<ns2:\(name)\(attributes)>\n\(content)\(blanks(depth))</ns2:\(name)>\n"
  }

  private func items(_ items: [(String, WrittenValue)], _ depth: Int) -> String {
    items.map {
      block(depth, "item", line(depth + 1, "key", XMLEscape.content($0.0)) + value(depth + 1, "value", $0.1))
    }.joined()
  }

  private static let instance = "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""

  private func typed(_ type: String) -> String { " xsi:type=\"ns2:\(type)\" \(Self.instance)" }

  private func value(_ depth: Int, _ name: String, _ value: WrittenValue) -> String {
    switch value {
    case .null: return "\(blanks(depth))<ns2:\(name) xsi:nil=\"true\" \(Self.instance)/>\n"
    case .plain(let type, let text, _):
      let attributes = " xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" \(Self.instance) xsi:type=\"xs:\(type)\""
      return line(depth, name, XMLEscape.content(text), attributes)
    case .parameter(let parameter): return block(depth, name, fields(depth + 1, parameter), typed("Parameter"))
    case .range(let least, let most, let least2, let most2):
      var content = least.map { self.value(depth + 1, "minimum", $0) } ?? ""
      content += most.map { self.value(depth + 1, "maximum", $0) } ?? ""
      content += least2.map { line(depth + 1, "minimumIsExclusive", $0 ? "1" : "0") } ?? ""
      content += most2.map { line(depth + 1, "maximumIsExclusive", $0 ? "1" : "0") } ?? ""
      return block(depth, name, content, typed("Range"))
    case .resolution(let width, let height, let unit):
      var content = line(depth + 1, "width", width) + line(depth + 1, "height", height)
      content += unit.map { line(depth + 1, "unit", $0) } ?? ""
      return block(depth, name, content, typed("Resolution"))
    case .resource(let uri, let type, let relationship):
      return block(depth, name, fields(depth + 1, uri, type, relationship), typed("Resource"))
    case .array(let values):
      let content = values.map { self.value(depth + 1, "element", $0) }.joined()
      return block(depth, name, content, typed("Array"))
    case .strings(let texts): return block(depth, name, elements(depth + 1, texts), typed("StringArray"))
    case .ids(let texts): return block(depth, name, elements(depth + 1, texts), typed("UuidArray"))
    case .resources(let pairs):
      let content = pairs.map { block(depth + 1, "element", fields(depth + 2, $0.0, $0.1, nil)) }.joined()
      return block(depth, name, content, typed("ResourceArray"))
    case .dictionary(let pairs): return block(depth, name, items(pairs, depth + 1), typed("Dictionary"))
    }
  }

  private func elements(_ depth: Int, _ texts: [String]) -> String {
    texts.map { line(depth, "element", XMLEscape.content($0)) }.joined()
  }

  private func fields(_ depth: Int, _ uri: String, _ type: String?, _ relationship: String?) -> String {
    var content = line(depth, "uri", XMLEscape.content(uri))
    content += type.map { line(depth, "contentType", $0) } ?? ""
    return content + (relationship.map { line(depth, "relationship", $0) } ?? "")
  }

  private func fields(_ depth: Int, _ parameter: WrittenParameter) -> String {
    let type = parameter.isOwnType ? "ns2:\(parameter.type)" : "xs:\(parameter.type)"
    var content = line(depth, "name", XMLEscape.content(parameter.name))
    content += line(depth, "type", type, " xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"")
    content += line(depth, "readOnly", "\(parameter.isReadOnly)")
    content += line(depth, "supportsMultiple", "\(parameter.supportsMultiple)")
    content += value(depth, "defaultValue", parameter.defaultValue)
    if parameter.allowedValues.isEmpty { return content }
    let values = parameter.allowedValues.map { value(depth + 1, "allowedValue", $0) }.joined()
    return content + block(depth, "allowedValues", values)
  }
}
