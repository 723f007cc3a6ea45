/// A selection as a syntax tree.
indirect enum SelectionExpression: Equatable, Sendable {
  case all
  case none
  /// Atoms of a class, as `protein`.
  case member(of: SelectionClass)
  /// Atoms or residues whose name matches one of the patterns, as `resn ALA+GLY`.
  case text(SelectionTextProperty, [TextPattern])
  /// Residues by number and insertion code, as `resi 5-10+52A`.
  case residueNumbers([ResidueNumberRange])
  /// Atoms with a number in one of the ranges, as `serial 1-100`.
  case numbers(SelectionNumberProperty, [ClosedRange<Double>])
  /// Atoms with a number that satisfies a comparison, as `b > 30`.
  case comparison(SelectionNumberProperty, SelectionComparison, Double)
  /// Atoms by path, as `A/50/CA`.
  case path(AtomPath)
  /// The atoms of a named set.
  case set(String)
  case not(SelectionExpression)
  case and([SelectionExpression])
  case or([SelectionExpression])
  /// Atoms within a distance in Å from one of the others, including these.
  case within(Double, of: SelectionExpression)
  /// Atoms farther than a distance in Å from all of the others.
  case beyond(Double, of: SelectionExpression)
  /// Atoms within a distance in Å from one of the others, excluding these.
  case around(Double, of: SelectionExpression)
  /// Whole residues, chains, molecules or models that have a selected atom.
  case whole(SelectionUnit, SelectionExpression)
  /// The atoms of the first set that share the identity of an atom of the second.
  case matching(SelectionExpression, SelectionIdentity, SelectionExpression)
  /// The first or the last atom of a model, in the order of the file.
  case end(SelectionEnd, SelectionExpression)
  /// Atoms bonded to an atom of a set: all of them, or only those outside the set.
  case bonded(SelectionExpression, isOutside: Bool)
  /// A set and the atoms within a number of bonds from it.
  case extended(Int, SelectionExpression)
  /// Residues of proteins with a sequence of one-letter codes, as `pepseq ACDE`.
  case sequences([[UInt8]])
}

/// A class of atoms.
enum SelectionClass: Equatable, Sendable {
  case residues(ResidueClass)
  case hydrogen, metal, hetero
  case helix, sheet, loop
  /// Neither helix nor sheet, including loops and other molecules.
  case unassigned
  case donors, acceptors
}

/// A class of residues, or of atoms that residues of a class have.
enum ResidueClass: Equatable, Sendable {
  case polymer, protein, nucleic, dna, rna, ligand, organic, inorganic, water
  case backbone, sidechain, guide
}

/// A textual property of an atom.
enum SelectionTextProperty: String, Sendable {
  case chain, segment, residueName, name, element, alternate

  /// True if `a` and `A` differ, as for chains, segments and alternate locations.
  var isCaseSensitive: Bool { self == .chain || self == .segment || self == .alternate }

  /// The description of one value in messages.
  var valueName: String {
    switch self {
    case .chain: "a chain name"
    case .segment: "a segment name"
    case .residueName: "a residue name"
    case .name: "an atom name"
    case .element: "an element symbol"
    case .alternate: "an alternate location"
    }
  }
}

/// A numeric property of an atom.
enum SelectionNumberProperty: String, Sendable {
  case bFactor, occupancy, charge, x, y, z, serial, index, model, residueNumber
  /// The B factor as pLDDT, which it is in predicted structures only.
  case confidence

  /// A Boolean value indicating whether its values are integers, which can also be given as lists and ranges.
  var isInteger: Bool {
    switch self {
    case .bFactor, .confidence, .occupancy, .x, .y, .z: false
    case .charge, .serial, .index, .model, .residueNumber: true
    }
  }
}

/// A comparison of two numbers.
enum SelectionComparison: String, Sendable {
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case equal = "="
  case unequal = "!="

  /// Returns true if the numbers satisfy the comparison; NaN satisfies none.
  @inline(__always)
  func holds<Number: FloatingPoint>(_ left: Number, _ right: Number) -> Bool {
    switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .equal: left == right
    case .unequal: left < right || left > right
    }
  }
}

/// A unit to which a selection can be widened.
enum SelectionUnit: String, Sendable {
  case residue, chain, model
  /// The groups of bonded atoms.
  case molecule
}

/// The fields in which atoms of two sets must agree.
enum SelectionIdentity: Equatable, Sendable {
  /// Chain, residue and atom name, as required by `in`.
  case full
  /// Residue number and atom name, as required by `like`.
  case numberAndName
}

/// The first or last of a model's atoms.
enum SelectionEnd: Equatable, Sendable {
  case first, last
}

/// The position of atoms in the hierarchy; nil matches anything.
struct AtomPath: Equatable, Sendable {
  var segment: [TextPattern]?
  var chain: [TextPattern]?
  var residue: [PathResidue]?
  var name: [TextPattern]?
  /// The conformer: this alternate location, as an ASCII code, together with atoms without one.
  var conformer: UInt8?

  /// A residue in a path: by number, or by text, which is a name, or name and number as `CYS3`.
  enum PathResidue: Equatable, Sendable {
    case number(ResidueNumberRange)
    case text(TextPattern)
  }
}

/// A range of residues, or one residue, by author number and insertion code.
struct ResidueNumberRange: Equatable, Sendable {
  /// One end of a range.
  struct Bound: Equatable, Sendable {
    var number: Int32
    /// The insertion code in ASCII, 0 for none.
    var code: UInt8 = 0
  }

  var first: Bound
  var last: Bound
  /// A Boolean value indicating whether it is one residue, so that a number without code means the residue without one.
  var isSingle: Bool
  /// A Boolean value indicating whether any insertion code matches, as in `52*`.
  var takesAnyCode = false

  /// A Boolean value indicating whether a bound has an insertion code.
  var hasCode: Bool { first.code != 0 || last.code != 0 }

  /// Returns true if a residue lies in the range by number, then insertion code, none first.
  ///
  /// In a range the last number without a code includes all its codes.
  func contains(number: Int32, code: UInt8) -> Bool {
    if isSingle { return number == first.number && (takesAnyCode || code == first.code) }
    var (low, high) = (first, last)
    if (high.number, high.code) < (low.number, low.code) { (low, high) = (high, low) }
    if number < low.number || number > high.number { return false }
    if number == low.number, code < low.code { return false }
    return number < high.number || high.code == 0 || code <= high.code
  }

  /// Reads `5`, `-5`, `52A`, `52*`, `5-10`, `-5--2`, `52A-60`, `5:10`; fails for any other text.
  init?(_ text: [UInt8]) {
    var remaining = text[...]
    guard let first = Self.bound(&remaining) else { return nil }
    self.first = first
    last = first
    isSingle = true
    if remaining.isEmpty { return }
    if remaining.count == 1, remaining.first == UInt8(ascii: "*"), first.code == 0 {
      takesAnyCode = true
      return
    }
    guard let separator = remaining.popFirst(), separator == UInt8(ascii: "-") || separator == UInt8(ascii: ":"),
      let last = Self.bound(&remaining), remaining.isEmpty
    else { return nil }
    self.last = last
    isSingle = false
  }

  private static func bound(_ remaining: inout ArraySlice<UInt8>) -> Bound? {
    let isNegative = remaining.first == UInt8(ascii: "-")
    if isNegative { remaining.removeFirst() }
    var number: Int32 = 0
    var digits = 0
    while let byte = remaining.first, byte >= 48, byte <= 57, digits < 9 {
      number = number * 10 + Int32(byte - 48)
      digits += 1
      remaining.removeFirst()
    }
    guard digits > 0 else { return nil }
    var code: UInt8 = 0
    if let byte = remaining.first, byte | 32 >= 97, byte | 32 <= 122 {
      code = byte
      remaining.removeFirst()
    }
    return Bound(number: isNegative ? -number : number, code: code)
  }
}

/// A name, or a pattern of names in which `*` matches any text and `?` any one character.
struct TextPattern: Equatable, Sendable {
  var bytes: [UInt8]
  /// A Boolean value indicating whether `*` and `?` are literal, as in a quoted name.
  var isLiteral: Bool

  /// Creates a pattern from a text.
  init(_ text: String, isLiteral: Bool = false) {
    bytes = Array(text.utf8)
    self.isLiteral = isLiteral || !bytes.contains { $0 == Self.star || $0 == Self.question }
  }

  private static let star = UInt8(ascii: "*")
  private static let question = UInt8(ascii: "?")

  /// Returns true if a whole text matches, byte by byte.
  ///
  /// - Complexity: O(*n* · *m*) in the lengths, without recursion.
  func matches(_ text: [UInt8]) -> Bool {
    if isLiteral { return bytes == text }
    var (index, position) = (0, 0)
    var retry: (index: Int, position: Int)?
    while position < text.count {
      if index < bytes.count, bytes[index] == Self.star {
        retry = (index, position)
        index += 1
      } else if index < bytes.count, bytes[index] == Self.question || bytes[index] == text[position] {
        index += 1
        position += 1
      } else if let last = retry {
        // The star matches one more byte.
        retry = (last.index, last.position + 1)
        (index, position) = (last.index + 1, last.position + 1)
      } else {
        return false
      }
    }
    return bytes[index...].allSatisfy { $0 == Self.star }
  }
}

/// Several alternative patterns; a plain name is looked up rather than compared with each.
struct TextPatternSet {
  private var names: Set<[UInt8]> = []
  private var patterns: [TextPattern] = []
  private let isCaseSensitive: Bool

  init(_ patterns: [TextPattern], isCaseSensitive: Bool) {
    self.isCaseSensitive = isCaseSensitive
    for pattern in patterns {
      var folded = pattern
      folded.bytes = isCaseSensitive ? pattern.bytes : Self.upper(pattern.bytes)
      if folded.isLiteral { names.insert(folded.bytes) } else { self.patterns.append(folded) }
    }
  }

  func matches(_ text: String) -> Bool {
    let bytes = isCaseSensitive ? Array(text.utf8) : Self.upper(Array(text.utf8))
    return names.contains(bytes) || patterns.contains { $0.matches(bytes) }
  }

  /// Returns a text with ASCII letters in upper case.
  private static func upper(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { $0 >= 97 && $0 <= 122 ? $0 - 32 : $0 }
  }
}
