import PluginAPI

/// The table of a structure's assemblies.
enum AssemblyTable {
  /// One row for each assembly, in file order.
  static func table(of structure: Structure) -> Table {
    let assemblies = structure.assemblies
    let instances = assemblies.map { AssemblyInstances($0, of: structure) }
    return Table(columns: [
      .init("name", title: "Name", .texts(assemblies.map(\.id))),
      .init("details", title: "Details", .texts(assemblies.map(\.details))),
      .init("operators", title: "Operators", .integers(assemblies.map(\.operatorCount))),
      .init("chains", title: "Chains", .integers(instances.map(\.chainCount))),
      .init("atoms", title: "Atoms", .integers(instances.map(\.atomCount))),
    ])
  }
}
