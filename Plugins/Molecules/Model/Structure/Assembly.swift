/// A rigid transformation: rotation by rows, then translation in Å.
struct Transform: Hashable, Sendable {
  var row0 = SIMD3<Double>(1, 0, 0)
  var row1 = SIMD3<Double>(0, 1, 0)
  var row2 = SIMD3<Double>(0, 0, 1)
  var translation = SIMD3<Double>(0, 0, 0)

  static let identity = Transform()

  /// Returns the image of a point.
  func apply(_ point: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((row0 * point).sum(), (row1 * point).sum(), (row2 * point).sum()) + translation
  }

  /// Returns the transformation that applies `inner` first and then this one.
  func after(_ inner: Transform) -> Transform {
    func row(_ mine: SIMD3<Double>) -> SIMD3<Double> {
      mine.x * inner.row0 + mine.y * inner.row1 + mine.z * inner.row2
    }
    return Transform(
      row0: row(row0), row1: row(row1), row2: row(row2), translation: apply(inner.translation))
  }
}

/// A biological assembly.
struct Assembly: Equatable, Sendable {
  var id: String
  /// The source of the definition, in the words of `_pdbx_struct_assembly.details`: `author_defined_assembly`; empty if
  /// not stated.
  var details: String
  /// The number of chains in words, as in `tetrameric`; empty if not stated.
  var oligomericDetails = ""
  var parts: [AssemblyPart]

  /// The number of operators over all parts that name at least one chain; `1M4X` assembly 1 has 1680.
  var operatorCount: Int { parts.reduce(0) { $0 + $1.operators.count } }

  /// Its size and the source of its definition, in one text.
  var summary: String { [oligomericDetails, details].filter { !$0.isEmpty }.joined(separator: ", ") }
}

/// Chains of an assembly and the transformations that copy them.
struct AssemblyPart: Equatable, Sendable {
  /// Author names (PDB) or label names (mmCIF, see `usesLabels`) of the chains copied.
  var chains: [String]
  /// A Boolean value indicating whether `chains` are label names.
  var usesLabels: Bool
  var operators: [Transform]
}
