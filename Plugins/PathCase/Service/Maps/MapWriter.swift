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
