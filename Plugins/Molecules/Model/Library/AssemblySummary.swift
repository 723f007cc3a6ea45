import PluginAPI

/// The size of a biological assembly.
struct AssemblySummary: Model {
  private let assembly: Assembly
  private let instances: AssemblyInstances

  /// Summarizes an assembly of a structure.
  init(_ assembly: Assembly, of structure: Structure) {
    (self.assembly, instances) = (assembly, AssemblyInstances(assembly, of: structure))
  }

  static let typeName = "molecules.assembly-summary"
  static let fields = Fields<AssemblySummary> {
    Field("name", \.assembly.id, "its name in the file", heading: "Name")
    Field("details", \.assembly.summary, "what the file says of it", heading: "Details")
    Field("operators", \.assembly.operatorCount, "operators over all its parts", heading: "Operators")
    Field("chains", \.instances.chainCount, "chains of all copies", heading: "Chains")
    Field("atoms", \.instances.atomCount, "atoms of all copies", heading: "Atoms")
  }
}

/// An operator of a crystal's space group.
struct SymmetryEntry: Model {
  private let number: Int
  private let text: String
  private let isStated: Bool

  /// Returns the operators of the space group, the identity first; none if the file has no crystal.
  static func all(of structure: Structure) -> [SymmetryEntry] {
    guard let crystal = Crystal(structure) else { return [] }
    return crystal.operators.enumerated().map { index, symmetryOperator in
      SymmetryEntry(number: index + 1, text: symmetryOperator.text, isStated: crystal.isStated)
    }
  }

  static let typeName = "molecules.symmetry-operator"
  static let fields = Fields<SymmetryEntry> {
    Field("number", \.number, "place in the list, from 1", heading: "Number")
    Field("operator", \.text, "in fractions of the cell edges, as -x,y+1/2,-z", heading: "Operator")
    Field("stated", \.isStated, "whether the file writes it out", heading: "Stated")
  }
}
