extension InstancedScene {
  /// Makes a scene of copies of the scene of a model.
  ///
  /// - Parameters:
  ///   - scene: The model as it is, its primitives named by atom indices of the structure.
  ///   - copies: Which atoms are copied where.
  /// - Complexity: O(primitives) for each group of the copies; the number of copies does not matter.
  init(_ scene: Scene, copies: AssemblyInstances) {
    self.init(
      copies.groups.map { group in
        Part(SceneGeometry(scene.restricted(to: group.atoms)), at: group.transforms.map { Placement($0) })
      })
  }
}
