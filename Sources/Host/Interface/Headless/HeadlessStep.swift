import PluginAPI

/// One word of `--keys`.
enum HeadlessStep: Sendable, Equatable {
  case key(Key)
  case text(String)
  case wait
  case press(Point, clicks: Int)
  case drag(from: Point, to: Point)
  case resize(Size)

  /// Reads the words of `--keys`, separated by spaces; a space in `type:` text is written `\s`, a backslash `\\`.
  ///
  /// - Throws: ``HeadlessError`` naming the first word that is none.
  static func steps(_ text: String) throws(HeadlessError) -> [HeadlessStep] {
    var steps: [HeadlessStep] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      guard let step = HeadlessStep(String(word)) else { throw .unknownKey(String(word)) }
      steps.append(step)
    }
    return steps
  }

  private init?(_ word: String) {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts[0].count > 1 else {
      if word == "wait" {
        self = .wait
      } else if let key = Key(word) {
        self = .key(key)
      } else {
        return nil
      }
      return
    }
    switch parts[0] {
    case "type": self = .text(Self.unescaped(parts[1]))
    case "click", "double":
      guard let point = Self.point(parts[1]) else { return nil }
      self = .press(point, clicks: parts[0] == "click" ? 1 : 2)
    case "drag":
      let ends = parts[1].split(separator: "-").compactMap { Self.point(String($0)) }
      guard ends.count == 2 else { return nil }
      self = .drag(from: ends[0], to: ends[1])
    case "resize":
      guard let size = Self.size(parts[1]) else { return nil }
      self = .resize(size)
    default: return nil
    }
  }

  private static func unescaped(_ text: String) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        result.append(character == "s" ? " " : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }

  private static func point(_ text: String) -> Point? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Int($0) }
    return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
  }

  /// Reads a size in cells, `120x40`.
  static func size(_ text: String) -> Size? {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard numbers.count == 2, numbers.allSatisfy({ (0...10_000).contains($0) }) else { return nil }
    return Size(width: numbers[0], height: numbers[1])
  }

  /// The events of the step, in order.
  var events: [Event] {
    switch self {
    case .key(let key): [.key(key)]
    case .text(let text): text.map { .key(Key(.character($0))) }
    case .press(let point, let clicks):
      (1...clicks).flatMap { [.mouse(Mouse(.press(clicks: $0), at: point)), .mouse(Mouse(.release, at: point))] }
    case .drag(let from, let to): Self.dragEvents(from, to)
    case .wait, .resize: []
    }
  }

  /// Returns a press, a move for each cell on the way, a release.
  private static func dragEvents(_ from: Point, _ to: Point) -> [Event] {
    let count = max(1, abs(to.x - from.x), abs(to.y - from.y))
    let moves: [Event] = (1...count).map { step in
      let point = Point(x: from.x + (to.x - from.x) * step / count, y: from.y + (to.y - from.y) * step / count)
      return .mouse(Mouse(.drag, at: point))
    }
    return [.mouse(Mouse(.press(clicks: 1), at: from))] + moves + [.mouse(Mouse(.release, at: to))]
  }
}

/// An error in the keys of a headless screen.
enum HeadlessError: Error, Equatable, ReportableError {
  /// A word of `--keys` is unknown.
  case unknownKey(String)

  var report: ErrorReport {
    switch self {
    case .unknownKey(let word):
      ErrorReport(
        code: "host.unknown-key", kind: .usage, "'\(word)' in --keys is not a key",
        advice: "write keys as 'down', 'enter', 'ctrl-p' or 'x', text as 'type:TEXT', and 'wait', 'click:X,Y', "
          + "'double:X,Y', 'drag:X,Y-X,Y' or 'resize:WxH'")
    }
  }
}
