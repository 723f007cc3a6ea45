import PluginText

/// The REFCON of entities that a mapping makes: `{"kind":…,"permId":…,"type":…}`.
enum Refcon {
  /// Returns the REFCON text of an object.
  static func text(kind: String, permID: String, type: String) -> String {
    "{\"kind\":\(quoted(kind)),\"permId\":\(quoted(permID)),\"type\":\(quoted(type))}"
  }

  /// Returns a text as a JSON string.
  private static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        out += "\\"
        out.unicodeScalars.append(scalar)
      case _ where scalar.value < 32:
        out += "\\u" + Hexadecimal.text(scalar.value, digits: 4)
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }

  /// Returns the object that an entity was made from, by the entity's id; nil for groups and entities not made by a
  /// mapping.
  static func object(of entityID: String) -> (kind: NativeKind, permID: String)? {
    for kind in NativeKind.allCases where entityID.hasPrefix(kind.rawValue + ".") {
      return (kind, String(entityID.dropFirst(kind.rawValue.count + 1)))
    }
    return nil
  }

  /// Returns the file that an entity was made from.
  static func file(of entityID: String) -> (dataSet: String, path: String)? {
    guard entityID.hasPrefix("FILE.") else { return nil }
    let rest = entityID.dropFirst(5)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    return (String(rest[..<slash]), String(rest[rest.index(after: slash)...]))
  }
}
