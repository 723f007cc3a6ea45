import PluginText

/// A writer in the style of NIST's .NET service: prefixes declared where they are used, `nil` for missing values.
struct WCFWriter {
  let namespace: String
  private static let schema = "http://www.w3.org/2001/XMLSchema"

  func document(_ result: WrittenResult) -> String {
    var text = "<result xmlns=\"\(namespace)\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">"
    text += "<status>\(result.status)</status>"
    text += list("badFields", result.badFields)
    text += list("captureIds", result.captureIDs)
    if let metadata = result.metadata {
      text += "<metadata>\(items(metadata, depth: 3))</metadata>"
    } else {
      text += "<metadata i:nil=\"true\"/>"
    }
    text += optional("message", result.message.map { XMLEscape.content($0) })
    text += optional("sensorData", result.data.map { base64Text($0) })
    text += optional("sessionId", result.session)
    return text + "</result>"
  }

  private func optional(_ name: String, _ text: String?) -> String {
    text.map { "<\(name)>\($0)</\(name)>" } ?? "<\(name) i:nil=\"true\"/>"
  }

  private func list(_ name: String, _ texts: [String]?) -> String {
    optional(name, texts.map { $0.map { "<element>\(XMLEscape.content($0))</element>" }.joined() })
  }

  private func items(_ items: [(String, WrittenValue)], depth: Int) -> String {
    items.map { "<item><key>\(XMLEscape.content($0.0))</key>\(value("value", $0.1, depth: depth + 1))</item>" }.joined()
  }

  private func value(_ name: String, _ value: WrittenValue, depth: Int) -> String {
    let own = "d\(depth)p1"
    switch value {
    case .null: return "<\(name) i:nil=\"true\"/>"
    case .plain(let type, let text, _):
      return "<\(name) i:type=\"\(own):\(type)\" xmlns:\(own)=\"\(Self.schema)\">\(XMLEscape.content(text))</\(name)>"
    case .parameter(let parameter):
      return "<\(name) i:type=\"Parameter\">\(fields(parameter, depth: depth + 1))</\(name)>"
    case .range(let least, let most, let least2, let most2):
      var text = "<\(name) i:type=\"\(own):Range\" xmlns:\(own)=\"\(namespace)\">"
      text += least.map { self.value("minimum", $0, depth: depth + 1) } ?? "<minimum i:nil=\"true\"/>"
      text += most.map { self.value("maximum", $0, depth: depth + 1) } ?? "<maximum i:nil=\"true\"/>"
      text += optional("minimumIsExclusive", least2.map { "\($0)" })
      return text + optional("maximumIsExclusive", most2.map { "\($0)" }) + "</\(name)>"
    case .resolution(let width, let height, let unit):
      return "<\(name) i:type=\"Resolution\"><width>\(width)</width><height>\(height)</height>"
        + optional("unit", unit) + "</\(name)>"
    case .resource(let uri, let type, let relationship):
      return "<\(name) i:type=\"Resource\">" + fields(uri, type, relationship) + "</\(name)>"
    case .array(let values):
      let elements = values.map { self.value("element", $0, depth: depth + 1) }.joined()
      return "<\(name) i:type=\"Array\">\(elements)</\(name)>"
    case .strings(let texts): return "<\(name) i:type=\"StringArray\">" + elements(texts) + "</\(name)>"
    case .ids(let texts): return "<\(name) i:type=\"UuidArray\">" + elements(texts) + "</\(name)>"
    case .resources(let pairs):
      let elements = pairs.map { "<element>" + fields($0.0, $0.1, nil) + "</element>" }.joined()
      return "<\(name) i:type=\"ResourceArray\">\(elements)</\(name)>"
    case .dictionary(let pairs):
      return "<\(name) i:type=\"Dictionary\">\(items(pairs, depth: depth + 1))</\(name)>"
    }
  }

  private func elements(_ texts: [String]) -> String {
    texts.map { "<element>\(XMLEscape.content($0))</element>" }.joined()
  }

  private func fields(_ uri: String, _ type: String?, _ relationship: String?) -> String {
    optional("contentType", type) + optional("relationship", relationship) + "<uri>\(XMLEscape.content(uri))</uri>"
  }

  private func fields(_ parameter: WrittenParameter, depth: Int) -> String {
    let space = parameter.isOwnType ? namespace : Self.schema
    var text = "<name>\(XMLEscape.content(parameter.name))</name>"
    text += "<q\(depth):type xmlns:q\(depth)=\"\(namespace)\" xmlns:a=\"\(space)\">a:\(parameter.type)</q\(depth):type>"
    text += "<readOnly>\(parameter.isReadOnly)</readOnly><supportsMultiple>\(parameter.supportsMultiple)"
    text += "</supportsMultiple>" + value("defaultValue", parameter.defaultValue, depth: depth)
    if parameter.allowedValues.isEmpty { return text + "<allowedValues i:nil=\"true\"/>" }
    let values = parameter.allowedValues.map { value("allowedValue", $0, depth: depth + 1) }
    return text + "<allowedValues>\(values.joined())</allowedValues>"
  }
}
