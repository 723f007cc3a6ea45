/// Copies of parts of a model by rigid motions: an assembly, the unit cell, or neighbours in the crystal.
///
/// Atoms are never copied: a group names residues and atoms of the structure, and how each of its copies is moved.
struct AssemblyInstances: Equatable, Sendable {
  /// Residues that are copied together.
  struct Group: Equatable, Sendable {
    /// Author names of the chains that take part, in order.
    var chains: [String]
    /// Residue indices of the structure, as ascending runs.
    var residues: [Range<Int>]
    /// Their atoms, as ascending runs of atom indices of the structure.
    var atoms: [Range<Int>]
    /// How each copy is moved; the identity stands for the atoms as they are.
    var transforms: [Transform]

    /// The number of atoms of one copy.
    var atomCount: Int { atoms.reduce(0) { $0 + $1.count } }
  }

  /// Groups without atoms or without copies are left out.
  private(set) var groups: [Group] = []

  /// The number of copies over all groups.
  var instanceCount: Int { groups.reduce(0) { $0 + $1.transforms.count } }

  /// The number of atoms that all copies together have; 16 284 240 for assembly 1 of `1M4X`.
  var atomCount: Int { groups.reduce(0) { $0 + $1.atomCount * $1.transforms.count } }

  /// The number of chains that all copies together have.
  var chainCount: Int { groups.reduce(0) { $0 + $1.chains.count * $1.transforms.count } }

  /// A model as it is in the file: one copy of all of it.
  static func asDeposited(_ structure: Structure, model: Int = 0) -> AssemblyInstances {
    copies(of: structure, model: model, by: [.identity])
  }

  /// Copies of a whole model.
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

  /// What non-crystallographic symmetry makes of a model: the model and its copies that the file leaves out.
  static func noncrystallographic(_ structure: Structure, model: Int = 0) -> AssemblyInstances {
    copies(of: structure, model: model, by: [.identity] + structure.pendingNCSTransforms)
  }

  /// The copies that an assembly consists of.
  ///
  /// Chains that the model does not have are passed over.
  /// - Complexity: linear in residues and operators.
  init(_ assembly: Assembly, of structure: Structure, model: Int = 0) {
    precondition(structure.models.indices.contains(model), "there is no model of this index")
    for part in assembly.parts {
      let residues =
        part.usesLabels
        ? Self.residues(labelled: part.chains, structure, structure.models[model])
        : Self.residues(ofChains: part.chains, structure, structure.models[model])
      add(Self.group(residues, structure, part.operators))
    }
  }

  /// The instances of the assembly of that name; nil if the file states none of that name.
  init?(assemblyNamed name: String, of structure: Structure, model: Int = 0) {
    guard let assembly = structure.assemblies.first(where: { $0.id == name }) else { return nil }
    self.init(assembly, of: structure, model: model)
  }

  private init() {}

  private mutating func add(_ group: Group) {
    if group.atomCount > 0, !group.transforms.isEmpty { groups.append(group) }
  }

  /// The residues of chains by author name; `NULL` is how old files write the chain without a name.
  private static func residues(
    ofChains names: [String], _ structure: Structure, _ model: StructureModel
  ) -> [Range<Int>] {
    structure.chains[model.chains].filter { chain in
      names.contains { $0.utf8.elementsEqual(chain.name.utf8) || $0 == "NULL" && chain.name.isEmpty }
    }.flatMap(\.residueRuns)
  }

  /// The residues of parts of chains by label name.
  private static func residues(
    labelled names: [String], _ structure: Structure, _ model: StructureModel
  ) -> [Range<Int>] {
    let wanted = Set(names)
    var runs: [Range<Int>] = []
    for (place, run) in structure.labelRuns.enumerated() where wanted.contains(run.label) {
      let next = place + 1
      let end =
        next < structure.labelRuns.count ? Int(structure.labelRuns[next].firstResidue) : structure.residues.count
      let range = (Int(run.firstResidue)..<end).clamped(to: model.residues)
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
    let atoms = residues.map { run in
      Int(structure.residues[run.lowerBound].firstAtom)..<Int(structure.residues[run.upperBound - 1].endAtom)
    }
    return Group(chains: chains, residues: residues, atoms: atoms, transforms: transforms)
  }
}
