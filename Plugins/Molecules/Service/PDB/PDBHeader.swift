import PluginText

/// Collects the title section line by line, and builds metadata from it at the end.
struct PDBHeader {
  private var classification = ""
  private var date = ""
  private var entryID = ""
  private var texts: [PDBRecord: String] = [:]
  private var journal: [String: [String]] = [:]
  private var resolution: Double?
  private var refinementResolution: Double?
  private var sequences = PDBSequences()
  var cell: UnitCell?
  var spaceGroup = ""
  var chainsPerCell: Int?
  private var symmetryOperators: [String] = []

  /// Reads HEADER: class 11-50, date 51-59, entry 63-66 (12-character identifiers extend to the right).
  mutating func readHeader(_ line: PDBLine) {
    classification = line.text(11, 50)
    date = line.text(51, 59)
    entryID = String(line.text(63, 74).split(separator: " ").first ?? "")
  }

  /// Reads a record of running text, or JRNL.
  mutating func read(_ record: PDBRecord, _ line: PDBLine) {
    if record == .jrnl {
      journal[line.text(13, 16), default: []].append(line.text(20, 79))
    } else {
      // Programs other than those of the archive write titles past column 80.
      texts[record, default: ""].append(line.textKeepingIndent(11, line.count).paddedForJoin(after: texts[record]))
    }
  }

  /// Reads the resolution from REMARK 2, as in `RESOLUTION.    1.54 ANGSTROMS`.
  mutating func readResolution(_ line: PDBLine) {
    guard resolution == nil else { return }
    let words = line.text(11, 80).split(separator: " ")
    guard words.count >= 2, words[0].uppercased().hasPrefix("RESOLUTION") else { return }
    resolution = Double(words[1]).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Reads the high limit of the resolution range from REMARK 3, which is used if REMARK 2 is missing.
  mutating func readRefinement(_ line: PDBLine) {
    // One of several hundred lines matches: test a letter before creating a string.
    guard refinementResolution == nil, line.byte(14) == 82 || line.byte(13) == 82 || line.byte(12) == 82 else { return }
    let text = line.text(11, 80)
    guard text.hasPrefix("RESOLUTION RANGE HIGH (ANGSTROMS)"), let colon = text.firstIndex(of: ":") else { return }
    refinementResolution = text[text.index(after: colon)...].split(separator: " ").first.flatMap { Double($0) }
  }

  /// Reads an operator from REMARK 290, as in `2555   -X,Y+1/2,-Z`.
  mutating func readSymmetry(_ line: PDBLine) {
    // Few lines have commas: look for one before creating strings.
    guard line.hasByte(44, 24, 80) else { return }
    let words = line.text(11, 80).split(separator: " ")
    guard words.count == 2, Int(words[0]) != nil, words[1].utf8.count(where: { $0 == 44 }) == 2 else { return }
    symmetryOperators.append(String(words[1]))
  }

  /// Reads SEQRES.
  mutating func readSequence(_ line: PDBLine) { sequences.read(line) }

  /// Moves the collected data into a structure.
  consuming func finish(into structure: inout Structure, log: inout DiagnosticLog) {
    var metadata = StructureMetadata()
    metadata.entryID = entryID
    metadata.title = texts[.title, default: ""].trimmed()
    metadata.classification = classification
    metadata.depositionDate = PDBDate.iso(date)
    metadata.keywords = texts[.keywds, default: ""].trimmed()
    metadata.method = texts[.expdta, default: ""].trimmed()
    metadata.authors = Self.names(texts[.author, default: ""])
    metadata.compounds = PDBCompounds.compounds(
      compound: texts[.compnd, default: ""], source: texts[.source, default: ""])
    metadata.citation = citation()
    metadata.resolution = resolution ?? refinementResolution
    metadata.refinementResolution = refinementResolution
    metadata.cell = cell
    metadata.spaceGroup = spaceGroup
    metadata.symmetryOperators = symmetryOperators
    metadata.chainsPerCell = chainsPerCell
    structure.metadata = metadata
    structure.sequences = sequences.sequences
  }

  private func citation() -> Citation {
    func joined(_ key: String) -> String { journal[key, default: []].joined(separator: " ").squeezed() }
    return Citation(
      title: joined("TITL"), authors: Self.names(journal["AUTH", default: []].joined()), reference: joined("REF"),
      doi: joined("DOI"), pubMed: joined("PMID"))
  }

  private static func names(_ text: String) -> [String] {
    text.pieces(separatedBy: 44)
  }
}

extension String {
  /// Returns a continuation line as it is appended to the previous text: separated by one blank.
  ///
  /// The leading blank of continued text is kept; the first line loses it.
  fileprivate func paddedForJoin(after before: String?) -> String {
    guard let before, !before.isEmpty else { return trimmed() }
    return self
  }
}
