/// What the documents of a snapshot are about.
enum ContractType: String, Sendable, CaseIterable {
  case manifest, tissues, compartments, metabolites, pools, processes, pathways, smdapathways, ranges, layout

  /// The documents of which there is one, in the order in which they are linked.
  static let single: [ContractType] = [
    .tissues, .compartments, .metabolites, .pools, .processes, .pathways, .smdapathways, .ranges,
  ]

  /// The type of a document by its path in a snapshot, such as `pools.xml` or `layouts/w-1.xml`; nil if it is none.
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

  /// The path of its document in a snapshot; nil for layouts, of which there are several.
  var path: String? { self == .layout ? nil : rawValue + ".xml" }
}
