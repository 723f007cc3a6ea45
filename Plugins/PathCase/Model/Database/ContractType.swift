/// The types of documents in a snapshot, by subject.
enum ContractType: String, Sendable, CaseIterable {
  case manifest, tissues, compartments, metabolites, pools, processes, pathways, smdapathways, ranges, layout

  /// The types with a single document, in linking order.
  static let single: [ContractType] = [
    .tissues, .compartments, .metabolites, .pools, .processes, .pathways, .smdapathways, .ranges,
  ]

  /// Creates the type of a document from its path in a snapshot, such as `pools.xml` or `layouts/w-1.xml`; nil if the
  /// path has no known type.
  init?(path: String) {
    if path.hasPrefix("layouts/"), path.hasSuffix(".xml") {
      self = .layout
      return
    }
    guard path.hasSuffix(".xml"), let type = Self(rawValue: String(path.dropLast(4))), type != .layout else {
      return nil
    }
    self = type
  }

  /// The path of the document in a snapshot; nil for layouts, which have several documents.
  var path: String? { self == .layout ? nil : rawValue + ".xml" }
}
