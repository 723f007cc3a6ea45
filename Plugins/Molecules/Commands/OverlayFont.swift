import PluginAPI
import PluginImages

/// Draws labels and legends with system fonts.
enum OverlayFont {
  /// The function that draws an overlay with the SVG library; it returns nil if the library or a font is missing.
  static let draw: PictureOverlay.Drawing = { overlay in
    // The largest size that `render` accepts.
    try? ImageReader.picture(from: Array(overlay.svg.utf8), maximumPixels: 1 << 26)
  }
}
