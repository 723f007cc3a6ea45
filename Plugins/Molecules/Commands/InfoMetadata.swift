import PluginAPI

/// The script form of a structure's header data.
enum InfoMetadata {
  static let fields: [ValueSchema.Field] = [
    .init("classification", .optional(.text), "class of the entry"),
    .init("deposited", .optional(.text), "date of deposition, YYYY-MM-DD where it could be read"),
    .init("keywords", .optional(.text), "key words"),
    .init("compounds", .list(.record(compoundFields)), "the molecules the entry consists of"),
    .init("source", .optional(.text), "organisms the molecules come from"),
    .init("authors", .list(.text), "authors of the entry"),
    .init("journalTitle", .optional(.text), "title of the primary citation"),
    .init("journalAuthors", .list(.text), "its authors"),
    .init("journalReference", .optional(.text), "journal, volume, page and year"),
    .init("doi", .optional(.text), "its DOI"),
    .init("pubMed", .optional(.text), "its PubMed number"),
    .init("sequence", .list(.record(sequenceFields)), "sequences of the polymers, by chain"),
  ]

  private static let compoundFields: [ValueSchema.Field] = [
    .init("id", .text, "molecule or entity identifier"),
    .init("name", .text, "what it is called"),
    .init("chains", .list(.text), "author names of its chains"),
    .init("organism", .optional(.text), "scientific name of the organism"),
    .init(
      "details", .list(.record([.init("name", .text, "its name"), .init("value", .text, "its text")])),
      "what else the file says of it: tokens of COMPND and SOURCE, data items of an SDF record, keys of an XYZ file"),
  ]

  static let sequenceFields: [ValueSchema.Field] = [
    .init("chain", .text, "author name of the chain"),
    .init("length", .integer, "residues"),
    .init(
      "origin", .choice(ChainSequence.Origin.allCases.map(\.rawValue)),
      "stated by the file, or from the residues with coordinates"),
    .init("letters", .text, "one letter for each residue, X for one that has none"),
  ]

  static func value(of structure: Structure) -> Value {
    let metadata = structure.metadata
    let citation = metadata.citation
    let sources = metadata.compounds.map(\.sourceText).filter { !$0.isEmpty }
    return [
      "classification": InfoCommand.text(metadata.classification),
      "deposited": InfoCommand.text(metadata.depositionDate),
      "keywords": InfoCommand.text(metadata.keywords),
      "compounds": .list(metadata.compounds.map(value)),
      "source": InfoCommand.text(unique(sources).joined(separator: "; ")),
      "authors": .list(metadata.authors.map(Value.text)),
      "journalTitle": InfoCommand.text(citation.title),
      "journalAuthors": .list(citation.authors.map(Value.text)),
      "journalReference": InfoCommand.text(citation.reference),
      "doi": InfoCommand.text(citation.doi),
      "pubMed": InfoCommand.text(citation.pubMed),
      "sequence": .list(ChainSequence.all(of: structure).map(value)),
    ]
  }

  private static func value(_ compound: Compound) -> Value {
    [
      "id": .text(compound.id), "name": .text(compound.name), "chains": .list(compound.chains.map(Value.text)),
      "organism": InfoCommand.text(compound.organism),
      "details": .list(
        (compound.details + compound.sourceDetails).map { ["name": .text($0.token), "value": .text($0.value)] }),
    ]
  }

  static func value(_ sequence: ChainSequence) -> Value {
    [
      "chain": .text(sequence.chain), "length": .integer(sequence.count), "origin": .text(sequence.origin.rawValue),
      "letters": .text(sequence.letters),
    ]
  }

  /// Returns the texts in order, each once.
  private static func unique(_ texts: [String]) -> [String] {
    texts.enumerated().filter { !texts[..<$0.offset].contains($0.element) }.map(\.element)
  }
}
