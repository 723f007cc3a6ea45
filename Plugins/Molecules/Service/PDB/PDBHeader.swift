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
      let text = line.textKeepingIndent(11, line.count)
      // A continued text keeps its leading blank, which separates it from the line before.
      texts[record, default: ""] += texts[record, default: ""].isEmpty ? text.trimmed() : text
    }
  }

  /// Reads the resolution from REMARK 2, as in `RESOLUTION.    1.54 ANGSTROMS`.
  mutating func readResolution(_ line: PDBLine) {
    guard resolution == nil else { return }
    let fields = line.text(11, 80).split(separator: " ")
    guard fields.count >= 2, fields[0].uppercased().hasPrefix("RESOLUTION") else { return }
    resolution = Double(fields[1]).flatMap { $0 > 0 ? $0 : nil }
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
    let fields = line.text(11, 80).split(separator: " ")
    guard fields.count == 2, Int(fields[0]) != nil, fields[1].utf8.count(where: { $0 == 44 }) == 2 else { return }
    symmetryOperators.append(String(fields[1]))
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
    metadata.authors = texts[.author, default: ""].pieces(separatedBy: UInt8(ascii: ","))
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
      title: joined("TITL"), authors: journal["AUTH", default: []].joined().pieces(separatedBy: UInt8(ascii: ",")),
      reference: joined("REF"), doi: joined("DOI"), pubMed: joined("PMID"))
  }
}

/// Reads the token lists of COMPND and SOURCE.
private enum PDBCompounds {
  /// Builds compounds from the joined texts of the two records.
  ///
  /// Tokens are `TOKEN: value;`; a value may contain colons and, if no token follows, semicolons.
  /// - Source: Contents Guide 3.30, COMPND and SOURCE.
  static func compounds(compound: String, source: String) -> [Compound] {
    var list: [Compound] = []
    for detail in tokens(compound) {
      if detail.token == "MOL_ID" || list.isEmpty { list.append(Compound()) }
      let last = list.count - 1
      switch detail.token {
      case "MOL_ID": list[last].id = detail.value
      case "MOLECULE": list[last].name = detail.value
      case "CHAIN": list[last].chains = detail.value.pieces(separatedBy: UInt8(ascii: ","))
      default: list[last].details.append(detail)
      }
    }
    addSources(tokens(source), to: &list)
    return list
  }

  private static func addSources(_ details: [Compound.Detail], to list: inout [Compound]) {
    var index = 0
    for detail in details {
      if detail.token == "MOL_ID" {
        if let known = list.firstIndex(where: { $0.id == detail.value }) {
          index = known
        } else {
          list.append(Compound(id: detail.value))
          index = list.count - 1
        }
        continue
      }
      if list.isEmpty { list.append(Compound()) }
      if detail.token == "ORGANISM_SCIENTIFIC" || (detail.token.isEmpty && list[index].organism.isEmpty) {
        list[index].organism = detail.value
      } else {
        list[index].sourceDetails.append(detail)
      }
    }
  }

  /// Splits a text into tokens; text without a token (files before 1996) has an empty token or is the molecule's name.
  private static func tokens(_ text: String) -> [Compound.Detail] {
    var details: [Compound.Detail] = []
    for piece in text.pieces(separatedBy: UInt8(ascii: ";")) {
      let part = piece.squeezed()
      if let colon = part.utf8.firstIndex(of: 58), isToken(part[..<colon]) {
        let value = String(part[part.utf8.index(after: colon)...]).trimmed()
        details.append(Compound.Detail(token: part[..<colon].trimmed(), value: value))
      } else if details.isEmpty {
        details.append(Compound.Detail(token: "MOLECULE", value: part))
      } else {
        details[details.count - 1].value += "; " + part
      }
    }
    return details
  }

  private static func isToken(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { ($0 >= 65 && $0 <= 90) || $0 == 95 || $0 == 32 || $0.isDigit }
  }
}

/// Collects the sequences of SEQRES records.
///
/// A large file names thousands of residues of some twenty kinds: each name becomes a text once.
private struct PDBSequences {
  /// The sequences, in order of the first appearance of their chains.
  private(set) var sequences: [PolymerSequence] = []
  private var indices: [String: Int] = [:]
  /// Columns 11-12 of the previous line and the index of their sequence.
  private var last: (columns: UInt16, index: Int)?
  /// Recent texts of three columns, by the columns.
  private var names = [(columns: UInt32, text: String)](repeating: (.max, ""), count: 64)

  /// Reads a line: chain 12 (and 11), names from 20 on in steps of four.
  mutating func read(_ line: PDBLine) {
    let index = index(line)
    var column = 20
    while column <= min(68, line.count) {
      let name = name(line, column)
      if !name.isEmpty { sequences[index].residueNames.append(name) }
      column += 4
    }
  }

  private mutating func index(_ line: PDBLine) -> Int {
    let columns = UInt16(line.byte(11)) << 8 | UInt16(line.byte(12))
    if let last, last.columns == columns { return last.index }
    let chain = line.text(11, 12)
    let index = indices[chain] ?? sequences.count
    if index == sequences.count {
      indices[chain] = index
      sequences.append(PolymerSequence(id: chain, chains: [chain], residueNames: []))
    }
    last = (columns, index)
    return index
  }

  private mutating func name(_ line: PDBLine, _ column: Int) -> String {
    let columns = UInt32(line.byte(column)) << 16 | UInt32(line.byte(column + 1)) << 8 | UInt32(line.byte(column + 2))
    let slot = Int((columns &* 0x9E37_79B1) >> 26)
    if names[slot].columns != columns { names[slot] = (columns, line.text(column, column + 2)) }
    return names[slot].text
  }
}

/// Dates of the PDB format.
enum PDBDate {
  /// Returns the date `DD-MMM-YY` as `YYYY-MM-DD`; a date of another form unchanged.
  ///
  /// Years from 70 on belong to the twentieth century: the archive was founded in 1971.
  static func iso(_ text: String) -> String {
    let parts = text.split(separator: "-")
    guard parts.count == 3, parts[2].count == 2, let day = Int(parts[0]), let year = Int(parts[2]),
      let month = months.firstIndex(of: parts[1].uppercased())
    else { return text }
    return "\(year >= 70 ? 1900 + year : 2000 + year)-\(twoDigits(month + 1))-\(twoDigits(day))"
  }

  /// Returns the date `YYYY-MM-DD` as `DD-MMM-YY`; a date of another form unchanged.
  static func pdb(_ text: String) -> String {
    let parts = text.split(separator: "-")
    guard parts.count == 3, parts[0].utf8.count == 4, let month = Int(parts[1]), (1...12).contains(month) else {
      return text
    }
    return "\(parts[2])-\(months[month - 1])-\(parts[0].suffix(2))"
  }

  private static let months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
