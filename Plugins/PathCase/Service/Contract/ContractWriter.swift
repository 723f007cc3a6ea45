import PluginText

/// A document with its path in a snapshot.
struct WrittenDocument: Sendable, Hashable {
  /// The path relative to the manifest: `pools.xml`, `layouts/w-1.xml`.
  var path: String
  var bytes: [UInt8]

  /// The entry in a manifest.
  var entry: ManifestDocument {
    ManifestDocument(path: path, sha256: SHA256.hexadecimal(of: bytes), bytes: bytes.count)
  }
}

/// Writes the documents of a snapshot; reading them gives back the written records.
///
/// - Source: The document contract, version 1 (Documentation/PathCase).
enum ContractWriter {
  private typealias Writer = ContractTextWriter

  /// Returns all documents of a snapshot: the manifest first, then one document per single type, then the layouts in
  /// the order of their pathways.
  static func documents(of records: DatabaseRecords) -> [WrittenDocument] {
    let single = ContractType.single.compactMap { type -> WrittenDocument? in
      guard let path = type.path, let bytes = document(type, of: records) else { return nil }
      return WrittenDocument(path: path, bytes: bytes)
    }
    let layouts = records.layouts.sorted { $0.pathway < $1.pathway }.map { layout in
      WrittenDocument(path: path(ofLayout: layout.pathway), bytes: document(of: layout, snapshot: records.snapshot))
    }
    let entries = (single + layouts).map(\.entry)
    let manifest = WrittenDocument(
      path: "manifest.xml", bytes: document(of: DatabaseManifest(snapshot: records.snapshot, documents: entries)))
    return [manifest] + single + layouts
  }

  /// Returns the path of a pathway's layout: its id, with bytes that are special in paths or addresses percent-encoded.
  static func path(ofLayout pathway: Identifier) -> String {
    var name: [UInt8] = []
    for (index, byte) in pathway.text.utf8.enumerated() {
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || (byte == UInt8(ascii: ".") && index > 0)
      name += isPlain ? [byte] : Array("%\(Hexadecimal.text(byte, digits: 2, isUppercase: true))".utf8)
    }
    return "layouts/\(String(decoding: name, as: UTF8.self)).xml"
  }

  /// Returns the document of a manifest.
  static func document(of manifest: DatabaseManifest) -> [UInt8] {
    var writer = Writer(type: .manifest, snapshot: manifest.snapshot)
    for document in manifest.documents {
      writer.element(
        .document, [("path", document.path), ("sha256", document.sha256), ("bytes", String(document.bytes))])
    }
    return writer.finish()
  }

  /// Returns the document of a layout.
  static func document(of layout: FrozenLayout, snapshot: String) -> [UInt8] {
    var writer = Writer(type: .layout, snapshot: snapshot)
    writer.element(
      .layout,
      [
        ("pathway", layout.pathway.text), ("width", Writer.text(layout.width)), ("height", Writer.text(layout.height)),
      ]
    ) { writer in
      for node in layout.nodes { write(node, to: &writer) }
      for path in layout.paths { write(path, to: &writer) }
    }
    return writer.finish()
  }

  private static func write(_ node: FrozenNode, to writer: inout Writer) {
    writer.element(
      .node,
      [
        ("ref", node.ref.text), ("clone", node.clone.isEmpty ? nil : node.clone), ("x", Writer.text(node.x)),
        ("y", Writer.text(node.y)), ("width", Writer.text(node.width)), ("height", Writer.text(node.height)),
      ])
  }

  private static func write(_ path: FrozenPath, to writer: inout Writer) {
    writer.element(.path, [("process", path.process.text), ("pool", path.pool.text)]) { writer in
      for point in path.points { writer.element(.point, [("x", Writer.text(point.x)), ("y", Writer.text(point.y))]) }
    }
  }

  /// Returns the document of a single type; nil for manifests and layouts, which have functions of their own.
  private static func document(_ type: ContractType, of records: DatabaseRecords) -> [UInt8]? {
    var writer = Writer(type: type, snapshot: records.snapshot)
    switch type {
    case .tissues: for tissue in records.tissues { write(tissue, to: &writer) }
    case .compartments: for compartment in records.compartments { write(compartment, to: &writer) }
    case .metabolites: for metabolite in records.metabolites { write(metabolite, to: &writer) }
    case .pools: for pool in records.pools { write(pool, to: &writer) }
    case .processes: for process in records.processes { write(process, to: &writer) }
    case .pathways: for pathway in records.pathways { write(pathway, to: &writer) }
    case .smdapathways: for activation in activations(of: records) { write(activation, to: &writer) }
    case .ranges: for range in records.ranges { write(range, to: &writer) }
    case .manifest, .layout: return nil
    }
    return writer.finish()
  }

  /// Returns the activation conditions of all pathways, whether stored with the pathways or apart.
  private static func activations(of records: DatabaseRecords) -> [PathwayActivation] {
    records.pathways.filter { !$0.activations.isEmpty }
      .map { PathwayActivation(pathway: $0.id, conditions: $0.activations) } + records.activations
  }
}
