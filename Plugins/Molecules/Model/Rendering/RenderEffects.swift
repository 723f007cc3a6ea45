/// The effects added to plain shading.
struct RenderEffects: Hashable, Sendable {
  /// A Boolean value indicating whether hollows are darkened (ambient occlusion).
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
