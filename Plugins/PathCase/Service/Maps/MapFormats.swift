import PluginAPI
import PluginJSON
import PluginXML

/// A format of network files: its extensions, the sign by which a file is recognized, and its reader.
///
/// A new format is a reader and a row of ``all``.
struct NetworkFileFormat: Sendable {
  /// The sign of a format in the content of a file.
  enum Sign: Sendable {
    /// XML with one of some root elements.
    case root(Set<String>)
    /// A JSON object with some keys.
    case object([String])
    /// A JSON list of objects with some keys.
    case list([String])
    /// A JSON object that has only numbers.
    case numbers
  }

  /// The reader of a format, which takes the uncompressed bytes of a file.
  enum Reader: Sendable {
    /// A reader of drawn maps.
    case map(@Sendable ([UInt8]) throws(ErrorReport) -> MapDocument)
    /// A reader of other contents, which also takes the name of the file for messages.
    case other(@Sendable (_ bytes: [UInt8], _ name: String) throws -> NetworkFile.Content)
  }

  let format: NetworkFormat
  fileprivate let extensions: [String]
  fileprivate let sign: Sign
  let reader: Reader

  private init(_ format: NetworkFormat, _ extensions: [String], _ sign: Sign, _ reader: Reader) {
    (self.format, self.extensions, self.sign, self.reader) = (format, extensions, sign, reader)
  }

  /// All formats; if a JSON object has the keys of several, the first is used.
  static let all: [NetworkFileFormat] = [
    .init(.sbml, ["xml", "sbml"], .root(["sbml"]), .other { bytes, _ in .model(try SBMLReader.model(bytes)) }),
    .init(
      .cobra, ["json"], .object(["reactions", "metabolites"]),
      .other { bytes, _ in .model(try COBRAReader.document(bytes)) }),
    .init(
      .scenario, ["json"], .object(["pools", "processes"]),
      .other { bytes, _ in .scenario(try ScenarioNetworkReader.read(bytes)) }),
    .init(.escher, ["json"], .list(["reactions", "nodes"]), .map(EscherReader.read)),
    .init(.graph, ["json"], .object(["nodes", "edges"]), .map(GraphJSONReader.read)),
    .init(.sbgn, ["sbgn"], .root(["sbgn"]), .map(SBGNReader.read)),
    .init(.gpml, ["gpml"], .root(["Pathway"]), .map(GPMLReader.read)),
    .init(.kgml, ["kgml"], .root(["pathway"]), .map(KGMLReader.read)),
    .init(.biopax, ["owl"], .root(["RDF"]), .map(BioPAXReader.read)),
    // A document may be in an envelope of its service.
    .init(.contract, ["xml"], .root(["MAW", "Envelope", "string"]), .other(NetworkFile.document)),
    .init(
      .overlay, ["json"], .numbers,
      .other { _, name throws(ErrorReport) in
        throw NetworkFileError.noNetwork(
          "'\(name)' is \(NetworkFormat.overlay.title), not a network",
          advice: "draw it over a network with 'draw NETWORK --overlay FILE'")
      }),
  ]

  /// The file name extensions of all formats, each once, and that of compressed files.
  static let extensions: [String] = {
    var known: Set<String> = []
    return all.flatMap(\.extensions).filter { known.insert($0).inserted } + ["gz"]
  }()
}

/// Reads drawn maps of all formats.
enum MapReader {
  /// Reads a map; its format is detected by its content, which may be compressed by gzip.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(ErrorReport) -> MapDocument {
    let content = try MapBytes.plain(bytes)
    let found = try FormatDetector.detect(plain: content)
    switch found.reader {
    case .map(let read): return try read(content)
    case .other: throw MapError.noMap(found.format)
    }
  }
}

/// Detects the format of a file from its content, regardless of its name.
enum FormatDetector {
  /// Returns the format of an uncompressed file, with its reader.
  ///
  /// - Throws: ``MapError/unknownFormat(seen:)`` with the content found, and the errors of malformed XML or JSON.
  static func detect(plain bytes: [UInt8]) throws(ErrorReport) -> NetworkFileFormat {
    let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    let head = bytes.prefix(4096).drop(while: blanks.contains)
    guard let first = head.first else {
      throw MapError.malformed(bytes.isEmpty ? "it is empty" : "it begins with white space only")
    }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try JSONFormatDetector.format(of: bytes)
    // The two byte order marks of UTF-16 are accepted too.
    case UInt8(ascii: "<"), 0xFE, 0xFF: return try markupFormat(of: bytes)
    default:
      if bytes.count > 262, bytes[257..<262].elementsEqual("ustar".utf8) {
        throw MapError.unknownFormat(seen: "a tar archive")
      }
      let start = MapText.oneLine(String(decoding: head.prefix(24).filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self))
      throw MapError.unknownFormat(
        seen: start.isEmpty ? "neither XML nor JSON" : "neither XML nor JSON but begins '\(start)'")
    }
  }

  /// The error that stops parsing once the root element is known.
  private struct Seen: Error {
    var name: XMLName
  }

  private static func markupFormat(of bytes: [UInt8]) throws(ErrorReport) -> NetworkFileFormat {
    if MarkupProlog.isWebPage(bytes[...]) { throw MapError.webPage }
    // The prolog is checked before libxml2 sees the file; the formats that may name a document type are checked later.
    try MarkupProlog.check(bytes, allowsDoctype: true)
    if !AttributeBudget.suffices(for: bytes) { throw MapError.tooDeep("the file's elements have too many attributes") }
    do {
      let reader = try XMLReader { event in
        if case .begin(let element) = event { throw Seen(name: element.name) }
      }
      // Most of the file is not read.
      for start in stride(from: 0, to: bytes.count, by: 1 << 14) {
        try reader.push(Array(bytes[start..<min(start + 1 << 14, bytes.count)]))
      }
      try reader.finish()
    } catch let seen as Seen {
      return try format(of: seen.name)
    } catch {
      throw MapError.of(reading: error)
    }
    throw MapError.malformed("it has no element")
  }

  private static func format(of root: XMLName) throws(ErrorReport) -> NetworkFileFormat {
    let found = NetworkFileFormat.all.first {
      if case .root(let names) = $0.sign { names.contains(root.local) } else { false }
    }
    if let found { return found }
    if ["html", "HTML"].contains(root.local) { throw MapError.webPage }
    let space = root.namespace.isEmpty ? "" : " of '\(root.namespace.prefix(80))'"
    throw MapError.unknownFormat(seen: "XML that begins with '\(root.local.prefix(80))'" + space)
  }
}

/// Detects the format from the top-level keys of JSON.
private final class JSONFormatDetector {
  /// The keys of the outermost object, or of the objects in the outermost list.
  private var keys: Set<String> = []
  private var isList = false
  /// The number of the outermost object's values that are numbers or null, and the number of other values.
  private var numbers = 0
  private var others = 0
  private var depth = 0

  static func format(of bytes: [UInt8]) throws(ErrorReport) -> NetworkFileFormat {
    let detector = JSONFormatDetector()
    try MapJSON.read(bytes) { detector.take($0) }
    return try detector.format()
  }

  private func take(_ event: JSONEvent) -> JSONFlow {
    switch event {
    case .beginObject, .beginArray:
      if depth == 0, case .beginArray = event { isList = true }
      if depth == 1, !isList { others += 1 }
      depth += 1
      return .more
    case .endObject, .endArray: depth -= 1
    case .key(let text):
      if depth == (isList ? 2 : 1), keys.count < 64 { keys.insert(text.string) }
    case .number, .null: if depth == 1 { numbers += 1 }
    default: if depth == 1 { others += 1 }
    }
    return .more
  }

  private func format() throws(ErrorReport) -> NetworkFileFormat {
    if let found = NetworkFileFormat.all.first(where: { has($0.sign) }) { return found }
    let shown = keys.sorted { Identifier($0) < Identifier($1) }.prefix(6).map { "'\($0.prefix(40))'" }
    let kind = isList ? "a JSON list" : "a JSON object"
    throw MapError.unknownFormat(seen: shown.isEmpty ? kind : "\(kind) with \(shown.joined(separator: ", "))")
  }

  private func has(_ sign: NetworkFileFormat.Sign) -> Bool {
    switch sign {
    case .root: false
    case .object(let names): !isList && names.allSatisfy(keys.contains)
    case .list(let names): isList && names.allSatisfy(keys.contains)
    case .numbers: !isList && numbers > 0 && others == 0
    }
  }
}

/// A file written from a map.
struct WrittenMap: Sendable, Hashable {
  var bytes: [UInt8]
  /// The features that the format cannot represent.
  var warnings: [Diagnostic] = []
}
