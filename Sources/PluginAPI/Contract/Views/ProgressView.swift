/// A label and a progress bar.
public struct ProgressView: View {
  /// The progress, with a label of the current step.
  public var progress: Progress
  /// The animation phase of a bar without a known end; increment it to animate.
  public var phase: Int
  /// A line below the bar, such as instructions to cancel; empty for none.
  public var hint: String

  /// Creates a progress view.
  public init(_ progress: Progress, phase: Int = 0, hint: String = "") {
    self.progress = progress
    self.phase = phase
    self.hint = hint
  }

  /// Draws the label, the bar with its percentage, and the hint.
  public func draw(into frame: inout TextFrame) {
    let width = frame.size.width
    frame.put(TextWidth.truncated(progress.label, to: width), x: 0, y: 0)
    frame.inside(Rect(x: 0, y: 1, width: width, height: 1), drawBar)
    frame.put(TextWidth.truncated(hint, to: width), x: 0, y: 2, .secondary)
  }

  /// The label and the percentage.
  public var outline: Outline {
    Outline(title: progress.label, text: [percentage ?? "In progress"] + (hint.isEmpty ? [] : [hint]))
  }

  /// The percentage, if the end is known; never 100 before the end.
  private var percentage: String? {
    guard let fraction = progress.fraction, fraction.isFinite else { return nil }
    return "\(Int((min(max(0, fraction), 1) * 100).rounded(.down))) %"
  }

  private func drawBar(_ frame: inout TextFrame) {
    let text = percentage.map { TextWidth.padded($0, to: 5, right: true) } ?? ""
    let width = frame.size.width - (text.isEmpty ? 0 : text.count + 1)
    guard width > 0 else { return }
    let done: Range<Int>
    if let fraction = progress.fraction, fraction.isFinite {
      done = 0..<min(width, Int((Double(width) * min(max(0, fraction), 1)).rounded()))
    } else {
      let length = max(1, width / 5)
      let travel = 2 * max(1, width - length)
      let step = ((phase % travel) + travel) % travel
      let start = min(step, travel - step)
      done = min(start, width - length)..<min(start + length, width)
    }
    for x in 0..<width { frame.put(done.contains(x) ? "━" : "╌", x: x, y: 0, done.contains(x) ? .accent : .secondary) }
    if !text.isEmpty { frame.put(text, x: width + 1, y: 0) }
  }
}
