import PluginAPI

/// Runs screens without a terminal: feeds keys and returns the last frame.
@MainActor enum HeadlessRun {
  /// The outcome of a headless run, with its last frame.
  struct Outcome: Sendable {
    var frame: String
    var exitStatus: Int32
    /// The error the front screen is about, if it is a page about one.
    var error: ErrorReport?
    /// The failure of the screens' work in a run without keys, which means that the document could not be shown.
    var failure: ErrorReport?
  }

  /// Shows a screen, feeds it the keys and returns the last frame; without keys it waits once.
  ///
  /// - Throws: ``HeadlessError`` before anything is shown.
  static func run(
    session: HostSession, _ launch: ScreenLaunch, setup: Navigator.Setup = Navigator.Setup()
  ) async throws -> Outcome {
    let headless = launch.headless ?? ScreenLaunch.Headless()
    let keys = try HeadlessStep.steps(headless.keys)
    let options = session.options
    let display = HeadlessDisplay(size: headless.size, options: options)
    var setup = setup
    // The same keys give the same frame, independent of earlier runs.
    setup.keepsStates = false
    let navigator = Navigator(session: session, display: display, setup: setup)
    do {
      try navigator.startRecording(launch, to: options.recordsScreens ? options.recordFile : nil)
    } catch {
      navigator.end(status: 1)
      throw error
    }
    navigator.start(launch)
    await navigator.endingWhenCancelled {
      for step in keys.isEmpty ? [.wait] : keys where navigator.exitStatus == nil {
        await feed(step, to: navigator, display, session.loop)
      }
      // Keys that wait for a screen are fed too before the last frame.
      if navigator.hasWaitingEvents { await navigator.untilIdle() }
    }
    navigator.finishFrame()
    let outline = navigator.focused?.controller.view.outline
    let error = navigator.stack.last?.hostController?.shownError
    let frame = display.frame ?? TextFrame(size: headless.size)
    let text = FrameText.text(
      frame, headless.format, path: navigator.breadcrumbs, outline: outline, theme: options.theme)
    navigator.end(status: 0)
    return Outcome(
      frame: text, exitStatus: error?.exitStatus ?? navigator.exitStatus ?? 0, error: error,
      failure: keys.isEmpty ? navigator.lastFailure : nil)
  }

  /// Performs one step; every event is a separate turn of the loop.
  static func feed(
    _ step: HeadlessStep, to navigator: Navigator, _ display: HeadlessDisplay, _ loop: HostEventLoop
  ) async {
    switch step {
    case .wait: await navigator.untilIdle()
    case .resize(let size): await turn(loop) { display.resize(to: size) }
    default:
      for event in step.events { await turn(loop) { display.onEvent?(.input(event)) } }
    }
  }

  private static func turn(_ loop: HostEventLoop, _ work: @escaping @MainActor @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      loop.post {
        work()
        continuation.resume()
      }
    }
  }
}

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
  /// - Throws: ``HeadlessError`` naming the first word that is not a key.
  static func steps(_ text: String) throws(ErrorReport) -> [HeadlessStep] {
    var steps: [HeadlessStep] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      guard let step = HeadlessStep(String(word)) else { throw HeadlessError.unknownKey(String(word)) }
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
enum HeadlessError {
  static func unknownKey(_ word: String) -> ErrorReport {
    CommonHostError.unknownKey(
      "'\(word)' in --keys is not a key",
      advice: "write keys as 'down', 'enter', 'ctrl-p' or 'x', text as 'type:TEXT', and 'wait', 'click:X,Y', "
        + "'double:X,Y', 'drag:X,Y-X,Y' or 'resize:WxH'")
  }

}

/// A display in memory, which records the last frame.
@MainActor final class HeadlessDisplay: Display {
  private(set) var geometry: ScreenGeometry
  let graphics: GraphicsMode
  var onEvent: (@MainActor (DisplayEvent) -> Void)?
  /// The receiver of each frame, its pictures drawn as cells, such as a terminal that shows a replay.
  var onFrame: (@MainActor (TextFrame, [FrameLink]) -> Void)?
  /// A Boolean value indicating whether the receiver of frames marks links.
  var showsLinks = false
  /// The last frame, pictures drawn as cells; nil before the first.
  private(set) var frame: TextFrame?
  /// The number of frames shown.
  private(set) var frameCount = 0
  /// The text copied to the clipboard most recently.
  private(set) var copied: String?
  /// The number of times the program was suspended.
  private(set) var suspensions = 0

  /// Creates a screen of a size; pictures are drawn as cells in every mode.
  init(size: Size, graphics: GraphicsMode = .halfBlock, background: Color = .black) {
    self.graphics = .cells(graphics.cells)
    geometry = ScreenGeometry(
      size: size, pixelsPerCell: self.graphics.pixelsPerCell(cellPixels: Size(width: 1, height: 2)),
      background: background)
  }

  /// Creates a screen of a size with the pictures and background that the options choose.
  convenience init(size: Size, options: GlobalOptions) {
    self.init(
      size: size, graphics: options.picture.graphics ?? .halfBlock,
      background: TerminalBackground.chosen(options.background, reported: nil, environment: [:]))
  }

  func repaint() { onEvent?(.resized) }

  @discardableResult func show(_ frame: TextFrame) -> Bool { show(frame, links: []) }

  @discardableResult func show(_ frame: TextFrame, links: [FrameLink]) -> Bool {
    var whole = frame
    PictureCells(graphics, depth: .trueColor, background: geometry.background).draw(&whole)
    onFrame?(whole, links)
    if !frame.pictures.isEmpty { Self.fillCells(of: &whole, emptyIn: frame) }
    self.frame = whole
    frameCount += 1
    return true
  }

  /// Draws cells of a single color that is not dark as full blocks: in plain text, a space with a background color
  /// shows nothing.
  private static func fillCells(of whole: inout TextFrame, emptyIn frame: TextFrame) {
    whole.replaceCells { cells in
      for index in cells.indices where frame.cells[index].glyph == 0 && cells[index].glyph == 0x20 {
        let color = cells[index].style.background
        if let (red, green, blue) = color.components, max(red, green, blue) >= 64 {
          cells[index] = Cell("█", style: Style(foreground: color))
        }
      }
    }
  }

  func copy(_ text: String) { copied = text }
  func suspend() { suspensions += 1 }
  func close() { onEvent = nil }

  /// Changes the size, as a terminal does when its window is dragged.
  func resize(to size: Size) {
    geometry.size = size
    onEvent?(.resized)
  }
}
