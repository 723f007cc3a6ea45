import Synchronization

/// Adds marks to scenes; caches the last result, so that rotation rebuilds nothing.
final class MarkedScene: Sendable {
  private struct Kept {
    var key: SceneKey
    var marks: [Sphere]
    var scene: InstancedScene
  }

  private let kept = Mutex<Kept?>(nil)

  /// Returns the scene with marks.
  ///
  /// - Complexity: O(n log n) in the marks if they or the scene changed since the last call, else constant.
  func scene(of prepared: PreparedScene, marks: [Sphere]) -> InstancedScene {
    if marks.isEmpty { return prepared.scene }
    return kept.withLock { kept in
      if let kept, kept.key == prepared.key, kept.marks == marks { return kept.scene }
      var scene = prepared.scene
      scene.add(InstancedScene.Part(SceneGeometry(Scene(spheres: marks))))
      kept = Kept(key: prepared.key, marks: marks, scene: scene)
      return scene
    }
  }
}
