import PluginAPI
import PluginText

/// The objects of a BioPAX file by their addresses, with their properties in the order of the file.
///
/// - Source: RDF/XML syntax (https://www.w3.org/TR/rdf-syntax-grammar/), sections 2.12 to 2.14: an object is named by
///   `rdf:ID` or `rdf:about`, and is either referred to by `rdf:resource` or nested in the property that refers to it.
struct BioPAXObjects {
  /// An object of the file.
  struct Object {
    var key: Identifier
    /// The class, such as `SmallMolecule`.
    var type: String
    var properties: [Property] = []
    /// The line at which its start tag ends, from 1.
    var line = 0
    var column = 0
  }

  /// A property of an object.
  struct Property {
    var name: String
    /// The text; "" for a property that refers to an object.
    var text = ""
    /// The address of the object that it refers to.
    var reference: Identifier?
  }

  /// The namespace of the RDF terms.
  static let terms = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  private(set) var objects: [Object] = []
  private var indices: [Identifier: Int] = [:]

  /// Collects the objects of a file.
  init(_ tree: MarkupTree) {
    let base = tree.root["base", "http://www.w3.org/XML/1998/namespace"] ?? ""
    let start = base.hasSuffix("#") ? String(base.dropLast()) : base
    // Elements are alternately objects and properties; each open one stores its end and its role.
    var open: [(end: Int, object: Int?, property: Int?)] = []
    for index in tree.descendants(of: 0) {
      while let last = open.last, last.end <= index { open.removeLast() }
      let element = tree[index]
      if let owner = open.last, let object = owner.object {
        // A property of the enclosing object.
        objects[object].properties.append(
          Property(
            name: element.name, text: NamedCharacters.decoded(MapText.oneLine(element.text)),
            reference: element["resource", Self.terms].map { Self.key($0, start) }))
        open.append((element.end, nil, objects[object].properties.count - 1))
      } else {
        let objectIndex = add(element, index, start)
        if open.count > 1, let owner = open[open.count - 2].object, let property = open[open.count - 1].property {
          objects[owner].properties[property].reference = objects[objectIndex].key
        }
        open.append((element.end, objectIndex, nil))
      }
    }
  }

  /// Adds an object, or returns the one that already has its address.
  private mutating func add(_ element: MarkupTree.Element, _ index: Int, _ base: String) -> Int {
    let key =
      element["ID", Self.terms].map { Identifier("\(base)#\($0)") }
      ?? element["about", Self.terms].map { Self.key($0, base) } ?? Identifier("_:\(index)")
    if let objectIndex = indices[key] {
      // An object may be described in several places.
      if objects[objectIndex].type == "Description" { objects[objectIndex].type = element.name }
      return objectIndex
    }
    indices[key] = objects.count
    objects.append(Object(key: key, type: element.name, line: element.line, column: element.column))
    return objects.count - 1
  }

  /// Returns the full form of an address.
  private static func key(_ text: String, _ base: String) -> Identifier {
    Identifier(text.hasPrefix("#") ? base + text : text)
  }

  /// Returns the object of an address; nil if the file does not describe it.
  subscript(key: Identifier) -> Object? { indices[key].map { objects[$0] } }
}

extension BioPAXObjects.Object {
  /// Calls a function; adds the object's position to its error unless the error has one.
  func placing<Result>(_ work: () throws(ErrorReport) -> Result) throws(ErrorReport) -> Result {
    try MapError.placing(line: line, column: column, work)
  }

  /// Returns the first nonempty text of a property; nil if there is none.
  func text(_ name: String) -> String? {
    properties.first { $0.name == name && !$0.text.isEmpty }?.text
  }

  /// Returns the addresses that a property refers to, in the order of the file.
  func references(_ name: String) -> [Identifier] {
    properties.filter { $0.name == name }.compactMap(\.reference)
  }

  /// The display name; the end of its address if it has no name.
  var label: String { name ?? Self.tail(of: key) }

  /// The name given by the file.
  var name: String? { text("displayName") ?? text("standardName") ?? text("name") }

  /// Returns the part of an address after its last `#` or `/`.
  static func tail(of key: Identifier) -> String {
    let bytes = Array(key.text.utf8)
    guard let mark = bytes.lastIndex(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "/") }),
      mark + 1 < bytes.count
    else { return key.text }
    return String(decoding: bytes[(mark + 1)...], as: UTF8.self)
  }
}

/// Decodes HTML's named and numbered characters, which databases leave in names: `&rarr;`, `&#946;`.
///
/// - Source: HTML 4.01, section 24 (character entity references).
private enum NamedCharacters {
  /// Returns a text with its character references decoded; unknown ones and bare ampersands are kept.
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = String.UnicodeScalarView()
    var remaining = text.unicodeScalars[...]
    while let first = remaining.popFirst() {
      if first == "&", let end = remaining.prefix(longest + 1).firstIndex(of: ";"),
        let scalar = scalar(remaining[..<end])
      {
        result.append(scalar)
        remaining = remaining[remaining.index(after: end)...]
      } else {
        result.append(first)
      }
    }
    return String(result)
  }

  private static let longest = 8

  /// Returns the character of a name or number; nil if there is none, or if it cannot be shown.
  private static func scalar(_ name: Substring.UnicodeScalarView) -> Unicode.Scalar? {
    guard name.first == "#" else { return named[String(name)] }
    return XMLEscape.number(ofReference: String(name)).flatMap { $0 < 0x20 ? nil : Unicode.Scalar($0) }
  }

  private static let named: [String: Unicode.Scalar] = {
    var named: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    // The names in the order of their characters, starting from a given one.
    let blocks: [(first: UInt32, names: String)] = [
      (
        0xA0,
        """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
        Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash \
        Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute \
        ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc \
        uuml yacute thorn yuml
        """
      ),
      (0x391, "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho"),
      (0x3A3, "Sigma Tau Upsilon Phi Chi Psi Omega"),
      (0x3B1, "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma"),
      (0x3C4, "tau upsilon phi chi psi omega"), (0x2190, "larr uarr rarr darr harr"),
      (0x21D0, "lArr uArr rArr dArr hArr"), (0x2013, "ndash mdash"), (0x2018, "lsquo rsquo"), (0x201C, "ldquo rdquo"),
      (0x2022, "bull"), (0x2026, "hellip"), (0x2032, "prime Prime"), (0x2212, "minus"), (0x221E, "infin"),
      (0x2248, "asymp"), (0x2260, "ne equiv"), (0x2264, "le ge"),
    ]
    for (first, names) in blocks {
      for (offset, name) in names.split(separator: " ").enumerated() {
        named[String(name)] = Unicode.Scalar(first + UInt32(offset))
      }
    }
    return named
  }()
}
