internal import PluginAPI

extension Rasterizer {
  /// Draws a scene as a picture of the contract; returns nil if `progress` returned false.
  ///
  /// - SeeAlso: ``draw(_:from:onto:style:work:progress:)``
  mutating func picture(
    of scene: InstancedScene, from camera: Camera, onto viewport: Viewport, style: RenderStyle = RenderStyle(),
    work: ParallelWork = .serial, progress: ((Double) -> Bool)? = nil
  ) -> Picture? {
    draw(scene, from: camera, onto: viewport, style: style, work: work, progress: progress).map {
      Picture(width: viewport.width, height: viewport.height, pixels: $0)
    }
  }

  /// Draws a scene once as a picture of the contract; returns nil if `progress` returned false.
  mutating func picture(
    of scene: Scene, from camera: Camera, onto viewport: Viewport, style: RenderStyle = RenderStyle(),
    work: ParallelWork = .serial, progress: ((Double) -> Bool)? = nil
  ) -> Picture? {
    picture(
      of: InstancedScene(scene), from: camera, onto: viewport, style: style, work: work, progress: progress)
  }
}
