import PluginAPI

/// A selection with its text and its parsed form.
struct Selection: Equatable, Sendable {
  var text: String
  var expression: SelectionExpression
  /// The named sets available to it.
  var sets: SelectionSets

  /// Reads a selection.
  ///
  /// - Parameters:
  ///   - text: the expression, as in `chain A and resi 5-10`; `Documentation/Selections.md` has the grammar.
  ///   - sets: the named sets available to it.
  /// - Throws: ``SelectionError``, with the column of the error.
  /// - Complexity: linear in the text.
  init(_ text: String, sets: SelectionSets = SelectionSets()) throws(SelectionError) {
    self.text = text
    self.sets = sets
    expression = try SelectionParser.parse(text, sets: sets)
  }

  /// Returns the selected atoms of one model of a structure.
  ///
  /// - Parameter model: model index, 0-based; one that does not exist has no atoms.
  /// - Complexity: O(terms · atoms), and O(atoms · log atoms) for each distance.
  func atoms(of structure: Structure, model: Int) -> AtomSelection {
    guard structure.models.indices.contains(model) else { return AtomSelection(atomCount: structure.atoms.count) }
    return atoms(of: structure, models: model..<model + 1)
  }

  /// Returns the selected atoms of all models of a structure.
  func atoms(of structure: Structure) -> AtomSelection {
    atoms(of: structure, models: structure.models.indices)
  }

  private func atoms(of structure: Structure, models: Range<Int>) -> AtomSelection {
    var evaluator = SelectionEvaluator(structure, models: models)
    for definition in sets.definitions where isUsed(definition.name) {
      evaluator.define(definition.name, definition.expression)
    }
    return evaluator.evaluate(expression)
  }

  /// A Boolean value indicating whether it compares pLDDT, itself or in a set that it uses.
  var comparesConfidence: Bool {
    expression.comparesConfidence || sets.definitions.contains { $0.expression.comparesConfidence && isUsed($0.name) }
  }

  /// Returns true if a set is used by the expression, directly or through another set.
  private func isUsed(_ name: String) -> Bool {
    var wanted = expression.setNames
    for definition in sets.definitions.reversed() where wanted.contains(definition.name) {
      wanted.formUnion(definition.expression.setNames)
    }
    return wanted.contains(name)
  }
}

extension SelectionExpression {
  /// The expressions that it combines or changes.
  private var parts: [SelectionExpression] {
    switch self {
    case .not(let inner), .within(_, let inner), .beyond(_, let inner), .around(_, let inner), .whole(_, let inner),
      .end(_, let inner), .bonded(let inner, _), .extended(_, let inner):
      [inner]
    case .matching(let left, _, let right): [left, right]
    case .and(let parts), .or(let parts): parts
    case .all, .none, .member, .text, .residueNumbers, .numbers, .comparison, .path, .set, .sequences: []
    }
  }

  /// The names of the sets it uses directly.
  var setNames: Set<String> {
    if case .set(let name) = self { return [name] }
    return parts.reduce(into: []) { $0.formUnion($1.setNames) }
  }

  /// A Boolean value indicating whether it compares pLDDT itself, apart from the sets that it uses.
  var comparesConfidence: Bool {
    if case .comparison(.confidence, _, _) = self { return true }
    return parts.contains { $0.comparesConfidence }
  }
}

/// Named selections, each of which can use those defined before it.
struct SelectionSets: Equatable, Sendable {
  /// A name and its expression.
  struct Definition: Equatable, Sendable {
    var name: String
    /// The text of the expression.
    var text: String
    var expression: SelectionExpression
  }

  /// The largest number of sets.
  static let limit = 64

  private(set) var definitions: [Definition] = []

  init() {}

  /// Reads definitions written as `NAME=EXPRESSION`, in order.
  init(_ texts: [String]) throws(SelectionError) {
    for text in texts { try define(text) }
  }

  /// The names, in order of definition.
  var names: [String] { definitions.map(\.name) }

  /// Returns true if a set has that name.
  func contains(_ name: String) -> Bool { definitions.contains { $0.name == name } }

  /// Defines a set by `NAME=EXPRESSION`, replacing an earlier one of that name.
  mutating func define(_ text: String) throws(SelectionError) {
    guard let split = text.firstIndex(of: "=") else {
      throw .unusableSet(text, reason: "'=' is missing after its name")
    }
    try define(String(text[..<split]), as: String(text[text.index(after: split)...]))
  }

  /// Defines a set, replacing an earlier one of that name at its index.
  ///
  /// Sets are resolved by name when they are evaluated, and use only those before them: there are no cycles.
  mutating func define(_ name: String, as text: String) throws(SelectionError) {
    let name = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    try Self.check(name)
    var earlier = self
    earlier.definitions = Array(definitions.prefix { $0.name != name })
    let index = earlier.definitions.count
    let isNew = index == definitions.count
    guard !isNew || index < Self.limit else { throw .unusableSet(name, reason: "there are already \(Self.limit) sets") }
    let expression: SelectionExpression
    do {
      expression = try SelectionParser.parse(text, sets: earlier)
    } catch {
      throw .inSet(name, error)
    }
    let definition = Definition(name: name, text: text, expression: expression)
    if isNew { definitions.append(definition) } else { definitions[index] = definition }
  }

  private static func check(_ name: String) throws(SelectionError) {
    guard let first = name.utf8.first else { throw .unusableSet(name, reason: "it has no name") }
    let isPlain = name.utf8.allSatisfy {
      ($0 | 32 >= 97 && $0 | 32 <= 122) || ($0 >= 48 && $0 <= 57) || $0 == 95 || $0 == 45
    }
    guard isPlain, first | 32 >= 97, first | 32 <= 122, name.utf8.count <= 64 else {
      throw .unusableSet(name, reason: "a name starts with a letter and has at most 64 letters, digits, '_' and '-'")
    }
    if SelectionWord(name) != nil { throw .unusableSet(name, reason: "its name is a keyword of selections") }
  }
}

/// A summary of the selected atoms of a model.
struct SelectionSummary: Model, Equatable {
  /// The selection as written.
  var selection: String
  var atoms = 0
  /// The labels of the residues with a selected atom, as `A/CYS3`.
  var residues: [String] = []
  var waters = 0
  var ligands = 0
  /// The author names of their chains.
  var chains: [String] = []
  /// The numbers of atoms by element symbol.
  var elements: [String: Int] = [:]
  /// The mean position in Å; nil for an empty selection.
  var center: SIMD3<Double>?

  static let typeName = MoleculeValueType.selection
  static let fields = Fields<SelectionSummary> {
    Field("selection", \.selection, "Selection as written")
    Field("atoms", \.atoms, "Number of selected atoms")
    Field("residues", \.residues.count, "Number of residues with a selected atom")
    Field("waters", \.waters, "Number of waters among these residues")
    Field("ligands", \.ligands, "Number of ligands among these residues")
    Field("chains", \.chains, "Author names of their chains")
    Field("elements", \.elements, "Number of selected atoms by element symbol")
    Field("center", \.center?.coordinates, "Mean position of the atoms in angstrom; null if there are none")
    Field("residueLabels", \.residues, "Residues, such as A/CYS3")
  }

  /// Summarizes a selection.
  ///
  /// - Complexity: linear in atoms and residues.
  init(_ text: String, _ selection: AtomSelection, of structure: Structure, model: Int) {
    self.selection = text
    let part = structure.models[model]
    atoms = selection.count(in: part.atoms)
    var histogram = [Int](repeating: 0, count: 256)
    selection.forEach { histogram[Int(structure.atoms.element[$0].rawValue)] += 1 }
    for (code, count) in histogram.enumerated() where count > 0 {
      elements[Element(rawValue: UInt8(code)).symbol] = count
    }
    center = selection.centroid(of: structure)
    var isTouched = [Bool](repeating: false, count: part.chains.count)
    for index in part.residues where selection.intersects(structure.residues[index].atoms) {
      let row = structure.residues[index]
      residues.append("\(structure.chainName(ofResidue: index))/\(structure.label(ofResidue: index))")
      if row.kind == .water { waters += 1 }
      if row.kind == .ligand { ligands += 1 }
      isTouched[Int(row.chain) - part.chains.lowerBound] = true
    }
    chains = part.chains.filter { isTouched[$0 - part.chains.lowerBound] }.map { structure.chains[$0].name }
  }
}

/// An error in a selection; columns count characters from 1.
enum SelectionError: Error, Equatable {
  /// The selection is empty.
  case empty
  /// The selection is longer than the limit in characters.
  case tooLong(limit: Int)
  /// Parentheses, `not` and the like are nested too deep, or distances are too many.
  case tooDeep(column: Int, limit: Int)
  /// An unknown word.
  case unknownWord(String, column: Int, nearest: String?)
  /// Something else was expected.
  case expected(String, found: String, column: Int)
  /// A quote is not closed.
  case unclosedQuote(column: Int)
  /// A parenthesis is not closed.
  case unclosedParenthesis(column: Int)
  /// A list has too many patterns with `*` or `?`.
  case tooManyPatterns(column: Int, limit: Int)
  /// A named set is not defined as `NAME=EXPRESSION`, or its name is a word of the language.
  case unusableSet(String, reason: String)
  /// The expression of a named set has an error.
  indirect case inSet(String, SelectionError)

  /// The column of the error, from 1; nil if it has no particular position.
  var column: Int? {
    switch self {
    case .empty, .tooLong, .unusableSet: nil
    case .tooDeep(let column, _), .unknownWord(_, let column, _), .expected(_, _, let column),
      .unclosedQuote(let column), .unclosedParenthesis(let column), .tooManyPatterns(let column, _):
      column
    case .inSet(_, let error): error.column
    }
  }

  /// The error in one sentence.
  var message: String {
    switch self {
    case .empty: "the selection is empty"
    case .tooLong(let limit): "the selection has more than \(limit) characters"
    case .tooDeep(let column, let limit): "the selection is nested deeper than \(limit) at column \(column)"
    case .unknownWord(let word, let column, _): "unknown word '\(word)' at column \(column) of the selection"
    case .expected(let what, let found, let column):
      "expected \(what) at column \(column) of the selection, found \(found)"
    case .unclosedQuote(let column): "the quote at column \(column) of the selection is not closed"
    case .unclosedParenthesis(let column): "the parenthesis at column \(column) of the selection is not closed"
    case .tooManyPatterns(let column, let limit):
      "more than \(limit) names with '*' or '?' in the list at column \(column) of the selection"
    case .unusableSet(let text, let reason): "the named set '\(text)' cannot be used: \(reason)"
    case .inSet(let name, let error): "in the named set '\(name)': \(error.message)"
    }
  }

  /// The advice to the user.
  var advice: String {
    switch self {
    case .empty: "write 'all' for all atoms, or a selection such as 'chain A and resi 5-10'"
    case .tooLong: "split it into named sets"
    case .tooDeep: "split it into named sets"
    case .unknownWord(let word, _, let nearest):
      nearest.map { "did you mean '\($0)'?" } ?? "for a name write 'resn \(word)', 'name \(word)' or 'chain \(word)'"
    case .expected: "see 'workbench help molecules select'"
    case .unclosedQuote: "close it with the same quote"
    case .unclosedParenthesis: "close it with ')'"
    case .tooManyPatterns: "split it into named sets"
    case .unusableSet: "write a set such as 'site=resi 5-10 and chain A'"
    case .inSet(_, let error): error.advice
    }
  }
}
