import PluginAPI

/// Tables of a structure's assemblies and of its crystal's symmetry.
enum AssemblyTable {
  /// Returns one row for each assembly, in file order.
  static func table(of structure: Structure) -> Table {
    let assemblies = structure.assemblies
    let instances = assemblies.map { AssemblyInstances($0, of: structure) }
    return Table(columns: [
      .init("name", title: "Name", .texts(assemblies.map(\.id))),
      .init("details", title: "Details", .texts(assemblies.map(\.summary))),
      .init("operators", title: "Operators", .integers(assemblies.map(\.operatorCount))),
      .init("chains", title: "Chains", .integers(instances.map(\.chainCount))),
      .init("atoms", title: "Atoms", .integers(instances.map(\.atomCount))),
    ])
  }

  /// Returns one row for each operator of the space group, the identity first; none if the file has no crystal.
  static func symmetry(of structure: Structure) -> Table {
    let crystal = Crystal(structure)
    let operators = crystal?.operators ?? []
    return Table(columns: [
      .init("number", title: "Number", .integers(Array(1..<operators.count + 1))),
      .init("operator", title: "Operator", .texts(operators.map(\.text))),
      .init("stated", title: "Stated", .values(operators.map { _ in .bool(crystal?.isStated ?? false) })),
    ])
  }
}
