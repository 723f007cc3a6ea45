import PluginAPI

extension PictureOverlay {
  /// Adds the legend in the lower left corner: a line per color, or a ramp with its ends.
  ///
  /// The last line counts the lines that do not fit.
  mutating func add(_ legend: ColorLegend) {
    let line = fontSize * 1.35
    let room = max(1, Int((Double(size.height) - fontSize) / line))
    var entries = legend.entries.map { (title: $0.title, colors: [$0.color]) }
    if let ramp = legend.ramp {
      let colors = (0..<Self.rampSteps).map { ramp.color(at: Float($0) / Float(Self.rampSteps - 1)) }
      entries = [(legend.low + " – " + legend.high, colors)]
    }
    var lines = [(title: legend.scheme.title, colors: [RGBColor]())] + entries
    if lines.count > room {
      let count = lines.count - room + 1
      lines = lines.prefix(room - 1) + [(title: "and \(count) more", colors: [])]
    }
    for (index, entry) in lines.enumerated() {
      add(entry.title, entry.colors, y: Double(size.height) - fontSize / 2 - line * (Double(lines.count - index) - 0.5))
    }
  }

  private static let rampSteps = 48

  /// Adds a line of the legend: its colors side by side, then its title.
  private mutating func add(_ title: String, _ colors: [RGBColor], y: Double) {
    var x = fontSize * 0.6
    let width = colors.count > 1 ? fontSize / 6 : fontSize
    for color in colors {
      patches.append(Patch(x: x, y: y - fontSize * 0.4, width: width + 0.5, height: fontSize * 0.8, color: color))
      x += width
    }
    if !colors.isEmpty { x += fontSize * 0.4 }
    texts.append(Text(text: title, x: x, y: y, anchor: .start))
  }
}
