internal import Glibc
import PluginAPI

/// A screen of the terminal layer alone, without the interface, for tests of real terminals.
///
/// Shows its size, the last event, whether the background is light, and a picture. `q` quits, `s` suspends, `p` covers the picture, `x` crashes.
@MainActor final class TerminalDemo {
  private let display: any Display
  private var lastEvent = "none"
  private var count = 0
  private var isCovered = false

  init(display: any Display) {
    self.display = display
    display.onEvent = { [weak self] in self?.take($0) }
  }

  /// Shows the screen until it is left; the first argument names how pictures are shown.
  static func start(_ arguments: [String]) -> Never {
    var options = TerminalDisplay.Options()
    options.graphics = arguments.first.flatMap(GraphicsMode.init(rawValue:))
    options.environment = ProcessEnvironment.all()
    do {
      let demo = TerminalDemo(display: try TerminalDisplay(loop: HostEventLoop(), options: options))
      demo.draw()
      withExtendedLifetime(demo) { MainQueue.run() }
    } catch {
      print(error)
      exit(1)
    }
  }

  /// Draws the screen as it is now.
  func draw() {
    var frame = TextFrame(size: display.geometry.size, pixelsPerCell: display.geometry.pixelsPerCell)
    let size = frame.size
    frame.put("terminal demo \(size.width)x\(size.height) \(display.graphics.rawValue)", x: 0, y: 0, .heading)
    frame.put("event \(count): \(lastEvent)", x: 0, y: 1, .accent)
    let ground = display.geometry.background.isLight ? "light" : "dark"
    frame.put("wide: 漢字, cluster: e\u{301}, \(ground) background", x: 0, y: 2)
    let place = Rect(x: 0, y: 3, width: min(40, size.width), height: min(10, max(0, size.height - 4)))
    frame.place(Self.gradient(place.size, display.geometry.pixelsPerCell), in: place)
    if isCovered {
      let box = Rect(x: 2, y: 4, width: 12, height: 3)
      frame.clear(box)
      frame.box(box)
      frame.put("popover", x: 4, y: 5)
    }
    display.show(frame)
  }

  private func take(_ event: DisplayEvent) {
    count += 1
    switch event {
    case .input(.key(let key)):
      lastEvent = "key \(key)"
      act(on: key.description)
    case .input(.mouse(let mouse)):
      lastEvent = "\(mouse.action) \(mouse.button) at \(mouse.position.x),\(mouse.position.y)"
    case .input(.paste(let text)): lastEvent = "paste of \(text.count): \(text.prefix(20))"
    case .input(let other): lastEvent = "\(other)"
    case .resized: lastEvent = "resized"
    case .ended(let signal):
      display.close()
      exit(128 + signal)
    }
    draw()
  }

  private func act(on key: String) {
    switch key {
    case "q":
      display.close()
      exit(0)
    case "s": display.suspend()
    case "p": isCovered.toggle()
    case "x": raise(SIGSEGV)
    default: break
    }
  }

  private static func gradient(_ cells: Size, _ unit: Size) -> Picture {
    let size = Size(width: cells.width * unit.width, height: cells.height * unit.height)
    return Picture(size: size) { x, y in
      (UInt8(255 * x / max(1, size.width - 1)), UInt8(255 * y / max(1, size.height - 1)), 128)
    }
  }
}
