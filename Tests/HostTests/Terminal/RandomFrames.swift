import PluginAPI
import PluginText

/// Random frames, the same in every run.
struct RandomFrames {
  private var random: SplitMix64
  private static let texts = [
    "plain", "two words", "───╮│", "漢字かな", "e\u{301}a\u{308}x", "Ωμέγα", "🙂 smile", "👩‍🔬 lab", "       ", "a",
    "⠿⣿", "▀▄█",
  ]

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Returns a random number in 0..<bound.
  mutating func next(_ bound: Int) -> Int { Int(random.next() >> 1) % bound }

  mutating func color() -> Color {
    switch next(5) {
    case 0: .standard
    case 3: .role(Color.Role(rawValue: UInt8(next(12))))
    case 1: .palette(UInt8(next(16)))
    case 2: .palette(UInt8(next(256)))
    default: .rgb(UInt8(next(256)), UInt8(next(256)), UInt8(next(256)))
    }
  }

  mutating func style() -> Style {
    next(3) == 0
      ? .plain
      : Style(foreground: color(), background: color(), attributes: Style.Attributes(rawValue: UInt16(next(32))))
  }

  mutating func size() -> Size { Size(width: 1 + next(40), height: 1 + next(12)) }

  mutating func rect(_ size: Size) -> Rect {
    Rect(x: next(size.width + 4) - 2, y: next(size.height), width: next(size.width + 2), height: next(4))
  }

  /// Returns a frame that shares most of its cells with another, or an empty one.
  mutating func frame(after last: TextFrame?, size: Size) -> TextFrame {
    var frame = TextFrame(size: size)
    if let last, last.frameSize == size, next(5) != 0 { frame = last }
    for _ in 0..<1 + next(6) {
      switch next(6) {
      case 0: frame.clear(rect(size), style())
      case 1: frame.fill(rect(size), Cell(Character("·"), style: style()))
      case 2:
        let (part, change) = (rect(size), style())
        frame.restyle(part) { _ in change }
      case 3: frame.box(rect(size), title: "title", style())
      default:
        frame.put(Self.texts[next(Self.texts.count)], x: next(size.width + 3) - 3, y: next(size.height), style())
      }
    }
    frame.setCursor(x: next(2) == 0 ? -1 : next(size.width), y: next(size.height))
    return frame
  }
}
