import PluginAPI
import PluginImages

/// Draws labels and legends with the fonts of the system.
enum OverlayFont {
  /// Draws an overlay by the library for SVG; nil where that or a font is missing.
  static let draw: PictureOverlay.Drawing = { overlay in
    // A picture of the largest size that `render` takes.
    try? ImageReader.picture(from: Array(overlay.svg.utf8), maximumPixels: 1 << 26)
  }
}
