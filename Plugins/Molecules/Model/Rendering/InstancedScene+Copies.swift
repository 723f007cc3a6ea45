extension InstancedScene {
  /// Creates a scene of copies of a model's scene.
  ///
  /// - Parameters:
  ///   - scene: The model as deposited, its primitives named by atom indices of the structure.
  ///   - copies: The placements of groups of atoms.
  /// - Complexity: O(primitives) for each group of the copies; the number of copies does not matter.
  init(_ scene: Scene, copies: AssemblyInstances) {
    self.init(
      copies.groups.map { group in
        Part(SceneGeometry(scene.restricted(to: group.atoms)), at: group.transforms.map { Placement($0) })
      })
  }
}
