/// What is laid over plain shading.
struct RenderEffects: Hashable, Sendable {
  /// Whether hollows are darkened.
  var hasOcclusion = true
  /// Whether edges are drawn dark.
  var hasOutlines = true
  /// Whether far parts fade.
  var hasFog = true

  /// Takes from a style what is not wanted.
  func apply(to style: inout RenderStyle) {
    if !hasOcclusion { style.occlusion = 0 }
    if !hasOutlines { style.outline = 0 }
    if !hasFog { style.fog = 0 }
  }
}
