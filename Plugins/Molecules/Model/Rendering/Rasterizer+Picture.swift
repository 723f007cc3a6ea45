internal import PluginAPI

extension Rasterizer {
  /// Draws a scene as a picture of the contract; nil when the progress closure asked to stop.
  ///
  /// - SeeAlso: ``draw(_:from:onto:style:progress:)``
  mutating func picture(
    of scene: Scene, from camera: Camera, onto viewport: Viewport, style: RenderStyle = RenderStyle(),
    progress: ((Double) -> Bool)? = nil
  ) -> Picture? {
    draw(scene, from: camera, onto: viewport, style: style, progress: progress).map {
      Picture(width: viewport.width, height: viewport.height, pixels: $0)
    }
  }
}
