import PluginAPI

extension ReferenceNamespace {
  /// Returns the namespace of the ids in a column; nil if it is not known, or if a value is not an id of it.
  ///
  /// The contract declares no namespaces. They follow from the name of a field, such as `uniprotId`, or from the beginning
  /// of its summary, such as `EC number of the enzyme`.
  /// - Parameter values: The values of the column, or the first ones; null and empty texts are left out.
  static func namespace(of field: ValueSchema.Field, values: some Sequence<Value>) -> ReferenceNamespace? {
    var candidates = candidates(for: field)
    if candidates.isEmpty { return nil }
    var hasID = false
    for value in values {
      for element in value.list ?? [value] where !element.isNull && element.text != "" {
        hasID = true
        guard let text = element.text ?? element.integer.map(String.init) else { return nil }
        candidates.removeAll { $0.id(text) == nil }
        if candidates.isEmpty { return nil }
      }
    }
    // Without an id, only the field can decide.
    return hasID || candidates.count == 1 && namespaces(named: field) != nil ? candidates.first : nil
  }

  /// The names of fields, without 'id', and their namespaces.
  private static let fieldNames: [String: [ReferenceNamespace]] = [
    "pdb": [.pdb], "pdbcode": [.pdb], "uniprot": [.uniprot], "uniprotaccession": [.uniprot], "ec": [.enzyme],
    "ecnumber": [.enzyme], "chebi": [.chebi], "kegg": [.keggCompound, .keggReaction, .keggDrug],
    "keggcompound": [.keggCompound], "keggreaction": [.keggReaction], "inchikey": [.inchiKey], "pubchem": [.pubchem],
    "pubchemcid": [.pubchem], "hmdb": [.hmdb], "rhea": [.rhea], "reactome": [.reactome], "ensembl": [.ensembl],
    "ncbigene": [.gene], "entrezgene": [.gene], "taxonomy": [.taxonomy], "taxon": [.taxonomy], "perm": [.openbis],
  ]
  /// The beginnings of summaries, and their namespaces; an entry code may also be that of a user's own file.
  private static let summaries: [(start: String, namespace: ReferenceNamespace)] = [
    ("EC number", .enzyme), ("UniProt accession", .uniprot), ("PDB code", .pdb), ("Entry code", .pdb),
    ("ChEBI id", .chebi), ("InChIKey", .inchiKey), ("PubChem id", .pubchem), ("Permanent id", .openbis),
  ]

  private static func candidates(for field: ValueSchema.Field) -> [ReferenceNamespace] {
    if let namespaces = namespaces(named: field) { return namespaces }
    return summaries.filter { field.summary.hasPrefix($0.start) }.map(\.namespace)
  }

  /// Returns the namespaces that the name of a field can mean; nil if it is not that of a namespace.
  private static func namespaces(named field: ValueSchema.Field) -> [ReferenceNamespace]? {
    let name = field.name.lowercased()
    return fieldNames[name] ?? (name.hasSuffix("id") ? fieldNames[String(name.dropLast(2))] : nil)
  }
}
