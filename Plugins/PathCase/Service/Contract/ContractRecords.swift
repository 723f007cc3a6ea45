/// Builds records from the elements of a document, in document order.
///
/// Elements with errors are left out, and the document is rejected at its end.
struct ContractRecords {
  private(set) var records = DatabaseRecords()
  private(set) var documents: [ManifestDocument] = []
  private(set) var places = RecordPlaces()
  private let type: ContractType

  init(type: ContractType) { self.type = type }

  /// Begins a record.
  ///
  /// - Returns: True if the record was accepted; the contents of a rejected one are only checked.
  mutating func begin(_ attributes: ContractAttributes) throws(RecordIssue) {
    switch attributes.element {
    case .document: documents.append(try Self.document(attributes))
    case .tissue: records.tissues.append(try Self.tissue(attributes))
    case .compartment: records.compartments.append(try Self.compartment(attributes))
    case .metabolite: records.metabolites.append(try Self.metabolite(attributes))
    case .pool: records.pools.append(try Self.pool(attributes))
    case .process: records.processes.append(try Self.process(attributes))
    case .pathway: records.pathways.append(try Self.pathway(attributes))
    case .scenarioPathway:
      records.activations.append(PathwayActivation(pathway: try attributes.identifier("pathway")))
    case .range: records.ranges.append(try Self.range(attributes))
    case .layout: records.layouts.append(try Self.layout(attributes))
    default: return
    }
    places.append(attributes.location, to: type)
  }

  /// Adds an element inside the last record.
  ///
  /// - Parameter isKept: True if that record was accepted.
  mutating func add(_ attributes: ContractAttributes, isKept: Bool) throws(RecordIssue) {
    switch attributes.element {
    case .participant:
      let participant = try Self.participant(attributes)
      if isKept { records.processes[records.processes.count - 1].participants.append(participant) }
    case .processRef:
      let process = try attributes.identifier("process")
      if isKept { records.pathways[records.pathways.count - 1].processes.append(process) }
    case .linkedPathway:
      let link = PathwayLink(
        pathway: try attributes.identifier("pathway"), via: try attributes.optionalIdentifier("via"))
      if isKept { records.pathways[records.pathways.count - 1].links.append(link) }
    case .condition:
      let condition = try Self.condition(attributes)
      if isKept { records.activations[records.activations.count - 1].conditions.append(condition) }
    case .node:
      let node = try Self.node(attributes)
      if isKept { records.layouts[records.layouts.count - 1].nodes.append(node) }
    case .path:
      let path = FrozenPath(process: try attributes.identifier("process"), pool: try attributes.identifier("pool"))
      if isKept { records.layouts[records.layouts.count - 1].paths.append(path) }
    case .point:
      let point = FrozenPath.Point(x: try attributes.coordinate("x"), y: try attributes.coordinate("y"))
      guard isKept, let layout = records.layouts.indices.last else { return }
      guard let path = records.layouts[layout].paths.indices.last else { return }
      records.layouts[layout].paths[path].points.append(point)
    default: break
    }
  }

  /// Adds the text of an element inside the last record: a synonym, or the symbol of a gene.
  mutating func add(_ text: String, of element: ContractElement) {
    switch (element, type) {
    case (.synonym, .metabolites): records.metabolites[records.metabolites.count - 1].synonyms.append(text)
    case (.synonym, .pathways): records.pathways[records.pathways.count - 1].synonyms.append(text)
    case (.gene, .processes): records.processes[records.processes.count - 1].genes.append(text)
    default: break
    }
  }
}

extension ContractRecords {
  private static func document(_ attributes: ContractAttributes) throws(RecordIssue) -> ManifestDocument {
    let path = try attributes.text("path")
    guard isInside(path) else {
      throw attributes.issue(.unknownWord, "the path '\(path)' leads out of the snapshot")
    }
    let digest = try attributes.text("sha256").lowercased()
    guard digest.utf8.count == 64, digest.utf8.allSatisfy(isHexadecimal) else {
      throw attributes.issue(.unknownWord, "\(attributes.subject) has an sha256 that is not 64 hexadecimal digits")
    }
    _ = try attributes.text("bytes")
    return ManifestDocument(path: path, sha256: digest, bytes: try attributes.integer("bytes", least: 0) ?? 0)
  }

  /// Returns whether a path stays below its base folder and uses only plain characters.
  private static func isInside(_ path: String) -> Bool {
    let steps = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
    return isPlain && steps.allSatisfy { !$0.isEmpty && String($0) != "." && String($0) != ".." }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  private static func tissue(_ attributes: ContractAttributes) throws(RecordIssue) -> Tissue {
    Tissue(
      id: try attributes.identifier("id"), name: try attributes.text("name"),
      kind: try attributes.word("kind", of: Tissue.Kind.allCases, as: \.rawValue) ?? .organ)
  }

  private static func compartment(_ attributes: ContractAttributes) throws(RecordIssue) -> Compartment {
    Compartment(
      id: try attributes.identifier("id"), name: try attributes.text("name"),
      tissue: try attributes.identifier("tissue"), outside: try attributes.optionalIdentifier("outside"))
  }

  private static func metabolite(_ attributes: ContractAttributes) throws(RecordIssue) -> Metabolite {
    var metabolite = Metabolite(id: try attributes.identifier("id"), name: try attributes.text("name"))
    metabolite.isCommon = try attributes.boolean("common") ?? false
    metabolite.formula = attributes.optionalText("formula")
    metabolite.charge = try attributes.integer("charge")
    for base in ["kegg", "chebi", "hmdb"] {
      metabolite.references[base] = attributes.optionalText(Identifier(base))
    }
    return metabolite
  }

  private static func pool(_ attributes: ContractAttributes) throws(RecordIssue) -> MetabolitePool {
    MetabolitePool(
      id: try attributes.identifier("id"), metabolite: try attributes.identifier("metabolite"),
      compartment: try attributes.identifier("compartment"),
      isBoundary: try attributes.boolean("boundary") ?? false)
  }

  private static func process(_ attributes: ContractAttributes) throws(RecordIssue) -> MetabolicProcess {
    _ = try attributes.text("type")
    return MetabolicProcess(
      id: try attributes.identifier("id"), name: try attributes.text("name"),
      kind: try attributes.word("type", of: MetabolicProcess.Kind.allCases, as: \.rawValue) ?? .reaction,
      isReversible: try attributes.neededBoolean("reversible"), enzyme: attributes.optionalText("ec"))
  }

  private static func participant(_ attributes: ContractAttributes) throws(RecordIssue) -> Participant {
    Participant(
      pool: try attributes.identifier("pool"), role: try attributes.role(),
      stoichiometry: try attributes.number("stoichiometry", ("a number above 0", { $0 > 0 })) ?? 1,
      trigger: try attributes.trigger())
  }

  private static func pathway(_ attributes: ContractAttributes) throws(RecordIssue) -> MetabolicPathway {
    MetabolicPathway(
      id: try attributes.identifier("id"), name: try attributes.text("name"),
      organism: attributes.optionalText("organism"))
  }

  private static func condition(_ attributes: ContractAttributes) throws(RecordIssue) -> ActivationCondition {
    _ = try attributes.text("trigger")
    return ActivationCondition(
      process: try attributes.identifier("process"), pool: try attributes.identifier("pool"),
      role: try attributes.role(), trigger: try attributes.trigger() ?? .available)
  }

  private static func range(_ attributes: ContractAttributes) throws(RecordIssue) -> BiofluidRange {
    BiofluidRange(
      pool: try attributes.identifier("pool"), unavailableBelow: try attributes.number("unavailableBelow"),
      accumulatedAbove: try attributes.number("accumulatedAbove"), severeAbove: try attributes.number("severeAbove"),
      unit: attributes.optionalText("unit") ?? "")
  }

  private static func layout(_ attributes: ContractAttributes) throws(RecordIssue) -> FrozenLayout {
    FrozenLayout(
      pathway: try attributes.identifier("pathway"), width: try attributes.number("width", size),
      height: try attributes.number("height", size))
  }

  private static func node(_ attributes: ContractAttributes) throws(RecordIssue) -> FrozenNode {
    FrozenNode(
      ref: try attributes.identifier("ref"), clone: attributes.optionalText("clone") ?? "",
      x: try attributes.coordinate("x"), y: try attributes.coordinate("y"), width: try attributes.number("width", size),
      height: try attributes.number("height", size))
  }

  private static let size: (text: String, holds: @Sendable (Double) -> Bool) = ("a number from 0 on", { $0 >= 0 })
}
