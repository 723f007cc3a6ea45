/// How a scene is lit and drawn; strengths run from 0 (none) to 1 (full).
struct RenderStyle: Equatable, Sendable {
  /// The colour behind the scene; nil leaves the background transparent.
  var background: RGBColor?
  /// The colour that far parts fade to when the background is transparent.
  var fadeColor: RGBColor = .black
  /// How far the back of the scene fades into the background.
  var fog: Float = 0.55
  /// How dark an outline is drawn where a surface ends in front of something farther away.
  var outline: Float = 0.8
  /// The step in depth, in ångström, from which on an outline is drawn; it is full at twice that step.
  var outlineDepth: Float = 1.2
  /// How much hollows between nearby surfaces are darkened.
  var occlusion: Float = 0.7
  /// The brightness of a surface the light does not reach.
  var ambient: Float = 0.3
  /// The brightness that full light adds to it.
  var diffuse: Float = 0.85
  /// The brightness of highlights.
  var specular: Float = 0.6
  /// The direction to the light in camera space; it is scaled to length one.
  ///
  /// - Source: the impostor shaders of Molecules 2.x (BSD licence), uniform `lightPosition`.
  var light = SIMD3<Float>(0.312757, 0.248372, 0.916785)
  /// From how many directions one looks what is hidden, instead of looking for hollows in the picture; 0 for the latter.
  var occlusionDirections = 0
  /// Whether hollows are looked for in twice as many places, where these lie far apart.
  var hasFineOcclusion = true
  /// Parts of a molecule no larger than this, in pixels, may be drawn as one ball in their mean colour.
  var detail: Float = 0.6
  /// Samples along each side of a pixel: 1 is fastest, 2 or 3 smooth the edges; from 1 to 4.
  var samples = 1

  init() {}

  /// The style for a picture on the screen: the smoother its edges the fewer pixels it has.
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
