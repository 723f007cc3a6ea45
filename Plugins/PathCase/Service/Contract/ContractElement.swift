/// The contract elements inside `MAW`, with their permitted contents.
///
/// - Source: The document contract, version 1 (Documentation/PathCase).
enum ContractElement: String {
  case document = "Document"
  case tissue = "Tissue"
  case compartment = "Compartment"
  case metabolite = "Metabolite"
  case synonym = "Synonym"
  case pool = "MetabolitePool"
  case process = "Process"
  case participant = "Participant"
  case gene = "Gene"
  case pathway = "Pathway"
  case processRef = "ProcessRef"
  case linkedPathway = "LinkedPathway"
  case scenarioPathway = "SMDAPathway"
  case condition = "ActivationCondition"
  case range = "BiofluidRange"
  case layout = "Layout"
  case node = "NodePosition"
  case path = "EdgePath"
  case point = "Point"

  /// Returns the element of each record of a document type.
  static func record(of type: ContractType) -> ContractElement {
    switch type {
    case .manifest: .document
    case .tissues: .tissue
    case .compartments: .compartment
    case .metabolites: .metabolite
    case .pools: .pool
    case .processes: .process
    case .pathways: .pathway
    case .smdapathways: .scenarioPathway
    case .ranges: .range
    case .layout: .layout
    }
  }

  /// The permitted children.
  var children: [ContractElement] {
    switch self {
    case .metabolite: [.synonym]
    case .process: [.participant, .gene]
    case .pathway: [.synonym, .processRef, .linkedPathway]
    case .scenarioPathway: [.condition]
    case .layout: [.node, .path]
    case .path: [.point]
    case .document, .tissue, .compartment, .synonym, .pool, .participant, .gene, .processRef, .linkedPathway,
      .condition, .range, .node, .point:
      []
    }
  }

  /// The permitted attributes.
  var attributes: [Identifier] {
    switch self {
    case .document: ["path", "sha256", "bytes"]
    case .tissue: ["id", "name", "kind"]
    case .compartment: ["id", "name", "tissue", "outside"]
    case .metabolite: ["id", "name", "common", "formula", "charge", "kegg", "chebi", "hmdb"]
    case .synonym, .gene: []
    case .pool: ["id", "metabolite", "compartment", "boundary"]
    case .process: ["id", "name", "type", "reversible", "ec"]
    case .participant: ["pool", "role", "stoichiometry", "trigger"]
    case .pathway: ["id", "name", "organism"]
    case .processRef: ["process"]
    case .linkedPathway: ["pathway", "via"]
    case .scenarioPathway: ["pathway"]
    case .condition: ["process", "pool", "role", "trigger"]
    case .range: ["pool", "unavailableBelow", "accumulatedAbove", "severeAbove", "unit"]
    case .layout: ["pathway", "width", "height"]
    case .node: ["ref", "clone", "x", "y", "width", "height"]
    case .path: ["process", "pool"]
    case .point: ["x", "y"]
    }
  }

  /// The attribute that identifies its records in messages.
  var naming: Identifier? {
    switch self {
    case .tissue, .compartment, .metabolite, .pool, .process, .pathway: "id"
    case .document: "path"
    case .participant, .range: "pool"
    case .processRef, .condition, .path: "process"
    case .linkedPathway, .scenarioPathway, .layout: "pathway"
    case .node: "ref"
    case .synonym, .gene, .point: nil
    }
  }

  /// The name of its text in messages; nil for an element whose text is irrelevant.
  var textName: String? {
    switch self {
    case .synonym: "synonym"
    case .gene: "symbol of a gene"
    case .document, .tissue, .compartment, .metabolite, .pool, .process, .participant, .pathway, .processRef,
      .linkedPathway, .scenarioPathway, .condition, .range, .layout, .node, .path, .point:
      nil
    }
  }
}
