/// A selection with its text and its parsed form.
struct Selection: Equatable, Sendable {
  /// The text.
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
  /// The names of the sets it uses directly.
  var setNames: Set<String> {
    switch self {
    case .set(let name): [name]
    case .not(let inner), .within(_, let inner), .beyond(_, let inner), .around(_, let inner), .whole(_, let inner),
      .end(_, let inner), .bonded(let inner, _), .extended(_, let inner):
      inner.setNames
    case .matching(let left, _, let right): left.setNames.union(right.setNames)
    case .and(let parts), .or(let parts): parts.reduce(into: []) { $0.formUnion($1.setNames) }
    case .all, .none, .member, .text, .residueNumbers, .numbers, .comparison, .path, .sequences: []
    }
  }
}
