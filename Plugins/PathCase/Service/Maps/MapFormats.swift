import PluginAPI
import PluginJSON
import PluginXML

/// Reads drawn maps of all formats.
enum MapReader {
  /// Reads a map; its format is detected by its content, which may be compressed by gzip.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(MapError) -> MapDocument {
    let content = try MapBytes.plain(bytes)
    let format = try FormatDetector.format(ofPlain: content)
    switch format {
    case .escher: return try EscherReader.read(content)
    case .kgml: return try KGMLReader.read(content)
    case .sbgn: return try SBGNReader.read(content)
    case .gpml: return try GPMLReader.read(content)
    case .biopax: return try BioPAXReader.read(content)
    case .graph: return try GraphJSONReader.read(content)
    case .sbml, .cobra, .contract, .scenario, .overlay: throw .noMap(format)
    }
  }
}

/// Detects the format of a file from its content, regardless of its name.
enum FormatDetector {
  /// Returns the format of a file, which may be compressed by gzip.
  ///
  /// - Throws: ``MapError/unknownFormat(seen:)`` with the content found, and the errors of malformed XML or JSON.
  static func format(of bytes: [UInt8]) throws(MapError) -> NetworkFormat { try format(ofPlain: MapBytes.plain(bytes)) }

  /// Returns the format of an uncompressed file.
  static func format(ofPlain bytes: [UInt8]) throws(MapError) -> NetworkFormat {
    let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    let head = bytes.prefix(4096).drop(while: blanks.contains)
    guard let first = head.first else {
      throw .malformed(bytes.isEmpty ? "it is empty" : "it begins with blanks alone")
    }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try JSONFormatSeer.format(of: bytes)
    // The two byte order marks of UTF-16 are accepted too.
    case UInt8(ascii: "<"), 0xFE, 0xFF: return try markupFormat(of: bytes)
    default:
      if bytes.count > 262, bytes[257..<262].elementsEqual("ustar".utf8) {
        throw .unknownFormat(seen: "a tar archive")
      }
      let start = MapText.oneLine(String(decoding: head.prefix(24).filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self))
      throw .unknownFormat(seen: start.isEmpty ? "neither XML nor JSON" : "neither XML nor JSON but begins '\(start)'")
    }
  }

  /// The error that stops parsing once the root element is known.
  private struct Seen: Error {
    var name: XMLName
  }

  private static func markupFormat(of bytes: [UInt8]) throws(MapError) -> NetworkFormat {
    if MarkupProlog.isWebPage(bytes[...]) { throw .webPage }
    // The prolog is checked before libxml2 sees the file; the formats that may name a document type are checked later.
    try MarkupProlog.check(bytes, allowsDoctype: true)
    if !AttributeBudget.suffices(for: bytes) { throw .tooDeep("the file's elements have too many attributes") }
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
      throw MapError(reading: error)
    }
    throw .malformed("it has no element")
  }

  private static func format(of root: XMLName) throws(MapError) -> NetworkFormat {
    switch root.local {
    case "sbml": return .sbml
    case "pathway": return .kgml
    case "Pathway": return .gpml
    case "sbgn": return .sbgn
    case "RDF": return .biopax
    // A document may be in an envelope of its service.
    case "MAW", "Envelope", "string": return .contract
    case "html", "HTML": throw .webPage
    default:
      let space = root.namespace.isEmpty ? "" : " of '\(root.namespace.prefix(80))'"
      throw .unknownFormat(seen: "XML that begins with '\(root.local.prefix(80))'" + space)
    }
  }
}

/// Detects the format from the top-level keys of JSON.
private final class JSONFormatSeer {
  /// The keys of the outermost object, or of the objects in the outermost list.
  private var keys: Set<String> = []
  private var isList = false
  /// The number of the outermost object's values that are numbers or null, and the number of other values.
  private var numbers = 0
  private var others = 0
  private var depth = 0

  static func format(of bytes: [UInt8]) throws(MapError) -> NetworkFormat {
    let seer = JSONFormatSeer()
    try MapJSON.read(bytes) { seer.take($0) }
    return try seer.format()
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

  private func format() throws(MapError) -> NetworkFormat {
    func has(_ names: String...) -> Bool { names.allSatisfy(keys.contains) }
    if isList {
      if has("reactions", "nodes") { return .escher }
    } else if has("reactions", "metabolites") {
      return .cobra
    } else if has("pools", "processes") {
      return .scenario
    } else if has("nodes", "edges") {
      return .graph
    } else if numbers > 0, others == 0 {
      return .overlay
    }
    let shown = keys.sorted { Identifier($0) < Identifier($1) }.prefix(6).map { "'\($0.prefix(40))'" }
    let kind = isList ? "a JSON list" : "a JSON object"
    throw .unknownFormat(seen: shown.isEmpty ? kind : "\(kind) with \(shown.joined(separator: ", "))")
  }
}

/// Writes maps and graphs as files.
enum MapWriter {
  /// A file format for writing maps.
  enum Format: String, Sendable, CaseIterable {
    case escher, sbgn, kgml, dot, json
  }

  /// Writes a map.
  ///
  /// - Throws: ``MapError/notPlaced(node:format:)`` for Escher, SBGN-ML and KGML if a node has no position.
  static func write(_ document: MapDocument, as format: Format) throws(MapError) -> WrittenMap {
    switch format {
    case .escher: try EscherWriter.write(document)
    case .sbgn: try SBGNWriter.write(document)
    case .kgml: try KGMLWriter.write(document)
    case .dot: WrittenMap(bytes: DOTWriter.write(document.graph))
    case .json: WrittenMap(bytes: GraphJSONWriter.write(document.graph, indentation: 2))
    }
  }
}

/// A file written from a map.
struct WrittenMap: Sendable, Hashable {
  var bytes: [UInt8]
  /// The features that the format cannot represent.
  var warnings: [Diagnostic] = []
}
