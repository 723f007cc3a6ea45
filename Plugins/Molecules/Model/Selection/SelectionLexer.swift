/// A token of a selection.
struct SelectionToken: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// A bare word, number or pattern.
    case word
    /// A text in quotes, without the quotes.
    case quoted
    case open, close, comma, plus
    case and, or, not
    case comparison(SelectionComparison)
    case end
  }

  var kind: Kind
  var text: String
  /// The column at which it begins, in characters from 1.
  var column: Int

  /// The description in messages.
  var description: String { kind == .end ? "the end" : "'\(text)'" }
}

/// Splits a selection into tokens.
///
/// A quote opens only where a word could begin and closes only where one could end. So atom names such as `O5'` need no
/// quotes, but can be quoted.
struct SelectionLexer {
  private let bytes: [UInt8]
  private var position = 0
  private var column = 1

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns the tokens of a text, with an end token after them.
  ///
  /// - Complexity: linear in the text.
  static func tokens(of text: String) throws(SelectionError) -> [SelectionToken] {
    var lexer = SelectionLexer(text)
    var tokens: [SelectionToken] = []
    while let token = try lexer.next() { tokens.append(token) }
    tokens.append(SelectionToken(kind: .end, text: "", column: lexer.column))
    return tokens
  }

  private mutating func next() throws(SelectionError) -> SelectionToken? {
    while position < bytes.count, Self.isSpace(bytes[position]) { advance() }
    guard position < bytes.count else { return nil }
    let start = (position, column)
    if let kind = symbol() {
      return SelectionToken(kind: kind, text: text(from: start.0), column: start.1)
    }
    let byte = bytes[position]
    if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return try quoted(byte) }
    var isPath = false
    while position < bytes.count, isPath && bytes[position] == UInt8(ascii: "+") || !Self.endsWord(bytes[position]) {
      if bytes[position] == UInt8(ascii: "/") { isPath = true }
      advance()
    }
    return SelectionToken(kind: .word, text: text(from: start.0), column: start.1)
  }

  private mutating func symbol() -> SelectionToken.Kind? {
    let isEqualNext = position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "=")
    let kind: SelectionToken.Kind
    switch bytes[position] {
    case UInt8(ascii: "("): kind = .open
    case UInt8(ascii: ")"): kind = .close
    case UInt8(ascii: ","): kind = .comma
    case UInt8(ascii: "+"): kind = .plus
    case UInt8(ascii: "&"): kind = .and
    case UInt8(ascii: "|"): kind = .or
    case UInt8(ascii: "<"): kind = .comparison(isEqualNext ? .lessOrEqual : .less)
    case UInt8(ascii: ">"): kind = .comparison(isEqualNext ? .greaterOrEqual : .greater)
    case UInt8(ascii: "="): kind = .comparison(.equal)
    case UInt8(ascii: "!"): kind = isEqualNext ? .comparison(.unequal) : .not
    default: return nil
    }
    if isEqualNext, case .comparison = kind { advance() }
    advance()
    return kind
  }

  private mutating func quoted(_ quote: UInt8) throws(SelectionError) -> SelectionToken {
    let start = (position, column)
    advance()
    while position < bytes.count {
      if bytes[position] == quote, position + 1 == bytes.count || Self.endsWord(bytes[position + 1]) {
        let inner = String(decoding: bytes[(start.0 + 1)..<position], as: UTF8.self)
        advance()
        return SelectionToken(kind: .quoted, text: inner, column: start.1)
      }
      advance()
    }
    throw .unclosedQuote(column: start.1)
  }

  private func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

  /// Skips a byte; continuation bytes of a character do not advance the column.
  private mutating func advance() {
    position += 1
    if position >= bytes.count || bytes[position] & 0xC0 != 0x80 { column += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  /// Returns true if a byte ends a word.
  private static func endsWord(_ byte: UInt8) -> Bool {
    isSpace(byte) || [40, 41, 44, 43, 38, 124, 60, 62, 61, 33].contains(byte)
  }
}

/// The words of the selection language.
enum SelectionWord: Equatable, Sendable {
  case all, none
  case and, or, not
  case of, same, sameAs
  case containedIn, like, first, last, neighbor, boundTo, extend, sequence
  case within, beyond, around, expand, nearTo
  case secondaryStructure
  case member(SelectionClass)
  case text(SelectionTextProperty)
  case number(SelectionNumberProperty)
  case whole(SelectionUnit)

  /// Creates the keyword of a text in any case, or nil.
  init?(_ text: String) {
    guard let word = Self.table[text.lowercased()] else { return nil }
    self = word
  }

  /// All spellings, with the preferred suggestions first.
  static let spellings = rows.flatMap(\.spellings)

  private static let table = Dictionary(
    rows.flatMap { row in row.spellings.map { ($0, row.word) } }, uniquingKeysWith: { first, _ in first })

  private struct Row {
    var word: SelectionWord
    var spellings: [String]

    init(_ word: SelectionWord, _ spellings: String) {
      self.word = word
      self.spellings = spellings.split(separator: " ").map(String.init)
    }
  }

  private static let rows = logic + properties + classes

  private static let logic = [
    Row(.all, "all *"), Row(.none, "none"), Row(.and, "and"), Row(.or, "or"), Row(.not, "not"), Row(.of, "of"),
    Row(.same, "same"), Row(.sameAs, "as"), Row(.within, "within w."), Row(.beyond, "beyond be."),
    Row(.around, "around a."), Row(.expand, "expand x."), Row(.nearTo, "near_to nto."),
    Row(.whole(.residue), "byres byresi byresidue br."), Row(.whole(.chain), "bychain bc."),
    Row(.whole(.model), "bymodel"), Row(.whole(.molecule), "bymolecule bymol bm."), Row(.containedIn, "in"),
    Row(.like, "like l."), Row(.first, "first"), Row(.last, "last"), Row(.neighbor, "neighbor nbr."),
    Row(.boundTo, "bound_to bto."), Row(.extend, "extend xt."),
  ]

  private static let properties = [
    Row(.text(.chain), "chain c."), Row(.number(.residueNumber), "resi residue resid i."),
    Row(.text(.residueName), "resn resname r."), Row(.text(.name), "name n."),
    Row(.text(.element), "element elem symbol e."), Row(.text(.alternate), "altloc alt"),
    Row(.number(.model), "model state"), Row(.number(.bFactor), "b bfactor"), Row(.number(.confidence), "plddt"),
    Row(.number(.occupancy), "occ occupancy q"), Row(.number(.charge), "charge formal_charge fc."),
    Row(.number(.serial), "serial id"), Row(.number(.index), "index idx."), Row(.number(.x), "x"),
    Row(.number(.y), "y"), Row(.number(.z), "z"), Row(.secondaryStructure, "ss"),
    Row(.text(.segment), "segi segid segment s."), Row(.sequence, "pepseq ps."),
  ]

  private static let classes = [
    Row(.member(.residues(.polymer)), "polymer pol."), Row(.member(.residues(.protein)), "protein polymer.protein"),
    Row(.member(.residues(.nucleic)), "nucleic polymer.nucleic"), Row(.member(.residues(.dna)), "dna"),
    Row(.member(.residues(.rna)), "rna"),
    Row(.member(.residues(.ligand)), "ligand ligands"), Row(.member(.residues(.organic)), "organic org."),
    Row(.member(.residues(.water)), "water waters solvent sol."), Row(.member(.residues(.backbone)), "backbone bb."),
    Row(.member(.residues(.sidechain)), "sidechain sidechains sc."),
    Row(.member(.hydrogen), "hydrogen hydrogens hydro h."),
    Row(.member(.metal), "metal metals"), Row(.member(.hetero), "hetero hetatm het"),
    Row(.member(.helix), "helix helices"), Row(.member(.sheet), "sheet sheets strand"),
    Row(.member(.loop), "loop loops"), Row(.member(.residues(.inorganic)), "inorganic ino."),
    Row(.member(.residues(.guide)), "guide"),
    Row(.member(.donors), "donors don."), Row(.member(.acceptors), "acceptors acc."),
  ]
}
