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
