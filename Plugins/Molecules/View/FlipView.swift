import PluginAPI

/// A view during the flip animation: narrower, about its center.
struct FlipView: View {
  var view: any View
  /// The progress of the flip, 0 from the side to 1 from the front.
  var share: Double

  func draw(into frame: inout TextFrame) {
    let size = frame.size
    let width = max(min(1, size.width), Int((Double(size.width) * min(max(0, share), 1)).rounded()))
    frame.draw(view, in: Rect(x: (size.width - width) / 2, y: 0, width: width, height: size.height))
  }

  var outline: Outline { view.outline }
}
