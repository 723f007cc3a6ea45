import PluginAPI

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

/// Copies of parts of a model by rigid transformations: an assembly, the unit cell, or neighbors in the crystal.
///
/// Atoms are never copied: a group refers to residues and atoms of the structure, and has a transformation for each
/// copy.
struct AssemblyInstances: Equatable, Sendable {
  /// Residues that are copied together.
  struct Group: Equatable, Sendable {
    /// The author names of its chains, in order.
    var chains: [String]
    /// Residue indices of the structure, as ascending runs.
    var residues: [Range<Int>]
    /// Their atoms, as ascending runs of atom indices of the structure.
    var atoms: [Range<Int>]
    /// The transformation of each copy; the identity leaves the atoms as deposited.
    var transforms: [Transform]

    /// The number of atoms of one copy.
    var atomCount: Int { atoms.reduce(0) { $0 + $1.count } }

    /// A Boolean value indicating whether one copy is as deposited.
    var includesDeposited: Bool { transforms.contains(.identity) }
  }

  /// The groups; those without atoms or without copies are dropped.
  private(set) var groups: [Group] = []

  /// The number of copies over all groups.
  var instanceCount: Int { groups.reduce(0) { $0 + $1.transforms.count } }

  /// The number of atoms of all copies together; 16 284 240 for assembly 1 of `1M4X`.
  var atomCount: Int { groups.reduce(0) { $0 + $1.atomCount * $1.transforms.count } }

  /// The number of chains of all copies together.
  var chainCount: Int { groups.reduce(0) { $0 + $1.chains.count * $1.transforms.count } }

  /// Returns the number of atoms drawn for some atoms of one copy: each counts once per copy.
  ///
  /// - Parameter atoms: Atom indices of the structure, ascending.
  func count(ofAtoms atoms: [Int32]) -> Int {
    groups.reduce(0) { sum, group in
      let own = group.atoms.reduce(0) { count, run in
        let end = atoms.partitioningIndex { Int($0) >= run.upperBound }
        return count + end - atoms.partitioningIndex { Int($0) >= run.lowerBound }
      }
      return sum + own * group.transforms.count
    }
  }

  /// Returns a model as deposited: one copy of all of it.
  static func asDeposited(_ structure: Structure, model: Int = 0) -> AssemblyInstances {
    copies(of: structure, model: model, by: [.identity])
  }

  /// Returns copies of a whole model.
  static func copies(of structure: Structure, model: Int = 0, by transforms: [Transform]) -> AssemblyInstances {
    precondition(structure.models.indices.contains(model), "there is no model of this index")
    let part = structure.models[model]
    var instances = AssemblyInstances()
    instances.add(
      Group(
        chains: structure.chains[part.chains].map(\.name), residues: [part.residues], atoms: [part.atoms],
        transforms: transforms))
    return instances
  }

  /// Returns the model and its copies by non-crystallographic symmetry that are not in the file.
  static func noncrystallographic(_ structure: Structure, model: Int = 0) -> AssemblyInstances {
    copies(of: structure, model: model, by: [.identity] + structure.pendingNCSTransforms)
  }

  /// Creates the copies of an assembly.
  ///
  /// Chains that the model does not have are skipped.
  /// - Complexity: linear in residues and operators.
  init(_ assembly: Assembly, of structure: Structure, model: Int = 0) {
    precondition(structure.models.indices.contains(model), "there is no model of this index")
    for part in assembly.parts {
      let residues =
        part.usesLabels
        ? Self.residues(labeled: part.chains, structure, structure.models[model])
        : Self.residues(ofChains: part.chains, structure, structure.models[model])
      add(Self.group(residues, structure, part.operators))
    }
  }

  /// Creates the instances of the assembly of that name; nil if the file states none of that name.
  init?(assemblyNamed name: String, of structure: Structure, model: Int = 0) {
    guard let assembly = structure.assemblies.first(where: { $0.id == name }) else { return nil }
    self.init(assembly, of: structure, model: model)
  }

  private init() {}

  private mutating func add(_ group: Group) {
    if group.atomCount > 0, !group.transforms.isEmpty { groups.append(group) }
  }

  /// Returns the residues of chains by author name; old files write `NULL` for the chain without a name.
  private static func residues(
    ofChains names: [String], _ structure: Structure, _ model: StructureModel
  ) -> [Range<Int>] {
    structure.chains[model.chains].filter { chain in
      names.contains { $0.utf8.elementsEqual(chain.name.utf8) || $0 == "NULL" && chain.name.isEmpty }
    }.flatMap(\.residueRuns)
  }

  /// Returns the residues of parts of chains by label name.
  private static func residues(
    labeled names: [String], _ structure: Structure, _ model: StructureModel
  ) -> [Range<Int>] {
    let wanted = Set(names)
    var runs: [Range<Int>] = []
    for (index, run) in structure.labelRuns.enumerated() where wanted.contains(run.label) {
      let range = structure.residues(ofLabelRun: index).clamped(to: model.residues)
      if !range.isEmpty { runs.append(range) }
    }
    return runs
  }

  private static func group(_ runs: [Range<Int>], _ structure: Structure, _ transforms: [Transform]) -> Group {
    var residues: [Range<Int>] = []
    for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = residues.last, last.upperBound >= run.lowerBound {
        residues[residues.count - 1] = last.lowerBound..<max(last.upperBound, run.upperBound)
      } else {
        residues.append(run)
      }
    }
    var chains: [String] = []
    var seen: Set<Int32> = []
    for run in residues {
      for residue in run where seen.insert(structure.residues[residue].chain).inserted {
        chains.append(structure.chainName(ofResidue: residue))
      }
    }
    let atoms = residues.map(structure.atoms(ofResidues:))
    return Group(chains: chains, residues: residues, atoms: atoms, transforms: transforms)
  }

  // MARK: Choices

  /// The choices in addition to the assemblies named by a file.
  enum Choice: String, CaseIterable, Sendable {
    /// The model as deposited.
    case deposited
    /// The model with its copies by non-crystallographic symmetry.
    case ncs
    /// The contents of one unit cell.
    case unitCell = "unit-cell"
    /// The model and its copies in the crystal within 5 Å.
    case neighbors
  }

  /// The largest distance of neighboring copies in the crystal, in Å.
  private static let neighborDistance = 5.0

  /// Returns the instances denoted by a word: an assembly of that name, else one of the choices; nil if it is neither.
  ///
  /// The unit cell and neighbors are nil too if the file has no crystal.
  static func named(_ name: String, of structure: Structure, model: Int = 0) -> AssemblyInstances? {
    if let instances = AssemblyInstances(assemblyNamed: name, of: structure, model: model) { return instances }
    switch Choice(rawValue: name) {
    case .deposited: return asDeposited(structure, model: model)
    case .ncs: return noncrystallographic(structure, model: model)
    case .unitCell: return Crystal(structure)?.unitCell(structure, model: model)
    case .neighbors:
      guard let crystal = Crystal(structure) else { return nil }
      let near = crystal.neighbors(structure, model: model, within: neighborDistance)
      return copies(of: structure, model: model, by: [.identity] + (near.groups.first?.transforms ?? []))
    case nil: return nil
    }
  }

  /// Returns the available words for a structure, its own assemblies first.
  static func names(for structure: Structure) -> [String] {
    let crystal = Crystal(structure) == nil ? [] : [Choice.unitCell, .neighbors]
    let copies = structure.pendingNCSTransforms.isEmpty ? [] : [Choice.ncs]
    return structure.assemblies.map(\.id) + ([Choice.deposited] + copies + crystal).map(\.rawValue)
  }
}

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
    Field("name", \.assembly.id, "Name in the file", heading: "Name")
    Field("details", \.assembly.summary, "Description in the file", heading: "Details")
    Field("operators", \.assembly.operatorCount, "Number of operators of all parts", heading: "Operators")
    Field("chains", \.instances.chainCount, "Number of chains in all copies", heading: "Chains")
    Field("atoms", \.instances.atomCount, "Number of atoms in all copies", heading: "Atoms")
  }
}
