/// The lighting and effects of a scene; strengths run from 0 (none) to 1 (full).
struct RenderStyle: Equatable, Sendable {
  /// The color behind the scene; nil leaves the background transparent.
  var background: RGBColor?
  /// The color that far parts fade to if the background is transparent.
  var fadeColor: RGBColor = .black
  /// The degree to which the back of the scene fades into the background.
  var fog: Float = 0.55
  /// The darkness of outlines where a surface ends in front of something farther away.
  var outline: Float = 0.8
  /// The least step in depth with an outline, in ångström; the outline is full at twice that step.
  var outlineDepth: Float = 1.2
  /// The darkening by ambient occlusion between nearby surfaces.
  var occlusion: Float = 0.7
  /// The brightness of an unlit surface.
  var ambient: Float = 0.3
  /// The brightness that full light adds to it.
  var diffuse: Float = 0.85
  /// The brightness of highlights.
  var specular: Float = 0.6
  /// The direction to the light in camera space; it is scaled to length one.
  ///
  /// - Source: the impostor shaders of Molecules 2.x (BSD license), uniform `lightPosition`.
  var light = SIMD3<Float>(0.312757, 0.248372, 0.916785)
  /// The number of directions for ambient occlusion from views of the scene; 0 to estimate it from the picture.
  var occlusionDirections = 0
  /// A Boolean value indicating whether twice as many samples are examined for occlusion if they are far apart.
  var hasFineOcclusion = true
  /// The largest part of a molecule, in pixels, that may be drawn as one ball in its mean color.
  var detail: Float = 0.6
  /// The number of samples along each side of a pixel, 1 to 4: 1 is fastest, 2 or 3 smooth the edges.
  var samples = 1

  init() {}

  /// Returns the style for a picture on the screen: smaller pictures have smoother edges.
  static func screen(_ viewport: Viewport) -> RenderStyle {
    var style = RenderStyle()
    let pixels = viewport.width * viewport.height
    style.samples = pixels <= 120_000 ? 3 : pixels <= 2_500_000 ? 2 : 1
    return style
  }

  /// The style with smooth edges for still pictures.
  static var still: RenderStyle {
    var style = RenderStyle()
    style.samples = 3
    return style
  }
}

/// The effects added to plain shading.
struct RenderEffects: Hashable, Sendable {
  /// A Boolean value indicating whether ambient occlusion is drawn.
  var hasOcclusion = true
  /// A Boolean value indicating whether edges are drawn dark.
  var hasOutlines = true
  /// A Boolean value indicating whether far parts fade.
  var hasFog = true

  /// Removes disabled effects from a style.
  func apply(to style: inout RenderStyle) {
    if !hasOcclusion { style.occlusion = 0 }
    if !hasOutlines { style.outline = 0 }
    if !hasFog { style.fog = 0 }
  }
}
