internal import Glibc
import PluginAPI

/// Detects a terminal's capabilities, in one bounded wait before anything is drawn.
struct TerminalDetection {
  /// The session to continue with.
  var session: TermpaintSession
  /// The capabilities that the terminal reported.
  var capabilities: TerminalCapabilities
  /// The time from the last queries to the last response; that of the whole detection if there was none.
  var roundTripInSeconds: Double
  /// The keys typed in the meantime, as far as understood.
  var earlyInputs: [TerminalInput] = []

  /// Queries the terminal; one that does not respond in time gets a session that assumes nothing.
  ///
  /// - Parameters:
  ///   - device: The terminal, in raw mode.
  ///   - longestInSeconds: The time limit for everything.
  static func run(_ device: TerminalDevice, longestInSeconds: Double) -> TerminalDetection {
    let deadline = MonotonicClock.seconds + longestInSeconds
    var detection = TerminalDetection(longestInSeconds: longestInSeconds)
    let session = detection.session
    session.startDetection()
    while session.isDetecting, detection.exchange(device, until: deadline) {}
    guard session.isDetected else {
      // A detection that never ends keeps all input for itself, so use another session without one.
      return TerminalDetection(longestInSeconds: longestInSeconds)
    }
    detection.capabilities.answers = true
    detection.capabilities.showsTrueColor = session.showsTrueColor
    detection.ask(device, until: deadline)
    return detection
  }

  /// Queries only what a picture on standard output requires; omits termpaint's detection.
  static func askOnly(_ device: TerminalDevice, longestInSeconds: Double) -> TerminalCapabilities {
    var detection = TerminalDetection(longestInSeconds: longestInSeconds)
    detection.ask(device, until: MonotonicClock.seconds + longestInSeconds)
    return detection.capabilities
  }

  private init(longestInSeconds: Double) {
    session = TermpaintSession()
    capabilities = TerminalCapabilities()
    roundTripInSeconds = longestInSeconds
  }

  /// Asks our own questions.
  private mutating func ask(_ device: TerminalDevice, until deadline: Double) {
    device.writeAll(session.takeOutput(), milliseconds: 100)
    session.expectLongAnswers()
    device.writeAll(TerminalCapabilities.questions(asksModes: session.readsModeQuestions), milliseconds: 100)
    let start = MonotonicClock.seconds
    var isAnswered = false
    while !isAnswered {
      guard exchange(device, until: deadline) else { return }
      for input in session.takeInputs() {
        if case .answer(let bytes) = input {
          isAnswered = capabilities.take(bytes) || isAnswered
        } else if input != .statusReport {
          earlyInputs.append(input)
        }
      }
    }
    roundTripInSeconds = MonotonicClock.seconds - start
  }

  /// Sends the session's output and waits for a response.
  ///
  /// - Returns: True if there was one in time.
  private func exchange(_ device: TerminalDevice, until deadline: Double) -> Bool {
    device.writeAll(session.takeOutput(), milliseconds: 100)
    let rest = deadline - MonotonicClock.seconds
    guard rest > 0, device.waitForInput(milliseconds: Int32(rest * 1000) + 1), let bytes = device.read() else {
      return false
    }
    session.add(bytes)
    return true
  }
}

/// The capabilities that a terminal reported, beyond those that termpaint detects.
struct TerminalCapabilities: Sendable, Hashable {
  /// A Boolean value indicating whether it responds to queries at all.
  var answers = false
  /// A Boolean value indicating whether it supports synchronized output (private mode 2026).
  var synchronizesOutput = false
  /// The modes in pixels that it announced.
  var pixelModes: Set<GraphicsMode> = []
  /// A Boolean value indicating whether it supports the kitty keyboard protocol.
  var knowsKittyKeyboard = false
  /// A Boolean value indicating whether it is known to show all colors.
  var showsTrueColor = false
  /// The pixels of a cell.
  var cellPixels: Size?
  /// The color of its background.
  var background: Color?

  /// Returns the queries; every terminal responds to the last one, whose response ends them.
  ///
  /// - Source: xterm control sequences (DECRQM, OSC 11, XTWINOPS 16, DA1); kitty keyboard protocol, "Progressive
  ///   enhancement"; https://gist.github.com/christianparpart (mode 2026).
  /// - Parameter asksModes: True if the terminal understands mode queries; old ones print their last letter, and would
  ///   print the background query too.
  static func questions(asksModes: Bool) -> [UInt8] {
    let mode = asksModes ? "\u{1B}[?2026$p\u{1B}]11;?\u{1B}\\" : ""
    let pixels = GraphicsMode.pixelModes.compactMap(\.pixels?.query).joined()
    return Array((mode + "\u{1B}[?u\u{1B}[16t" + pixels + "\u{1B}[c").utf8)
  }

  /// Handles a response: one complete sequence.
  ///
  /// - Returns: True if it was the last one.
  @discardableResult
  mutating func take(_ answer: [UInt8]) -> Bool {
    answers = true
    pixelModes.formUnion(GraphicsMode.pixelModes.filter { $0.pixels?.isAnnounced(by: answer) == true })
    if answer.starts(with: "\u{1B}]11;".utf8) {
      background = TerminalBackground.color(inResponse: answer) ?? background
      return false
    }
    guard answer.starts(with: "\u{1B}[".utf8), let final = answer.last else { return false }
    let numbers = Self.numbers(answer)
    switch final {
    case UInt8(ascii: "y") where numbers.first == 2026: synchronizesOutput = numbers.count > 1 && numbers[1] != 0
    case UInt8(ascii: "u"): knowsKittyKeyboard = true
    case UInt8(ascii: "t") where numbers.count == 3 && numbers[0] == 6 && numbers[1] > 1 && numbers[2] > 1:
      cellPixels = Size(width: min(numbers[2], 200), height: min(numbers[1], 200))
    default: return Self.deviceAttributes(answer) != nil
    }
    return false
  }

  /// Reads a response to the query for device attributes (DA1).
  ///
  /// - Returns: The numbers of the extensions; nil if it is another response.
  static func deviceAttributes(_ response: [UInt8]) -> [Int]? {
    guard response.starts(with: "\u{1B}[?".utf8), response.last == UInt8(ascii: "c") else { return nil }
    return Array(numbers(response).dropFirst())
  }

  private static func numbers(_ answer: [UInt8]) -> [Int] {
    var result: [Int] = []
    var current: Int?
    for byte in answer {
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        current = min(100_000, (current ?? 0) * 10 + Int(byte - UInt8(ascii: "0")))
      } else if let number = current {
        result.append(number)
        current = nil
      }
    }
    return result
  }
}

/// Finds the color of a terminal's background: by the user's setting, the terminal's response, or `COLORFGBG`.
enum TerminalBackground {
  /// Returns the background to draw for; black if it is unknown.
  ///
  /// A setting of `dark` or `light` decides between the two; the reported color is kept if it fits.
  /// - Parameters:
  ///   - choice: The setting `host.background`.
  ///   - reported: The color the terminal reported.
  ///   - environment: The process's environment.
  static func chosen(
    _ choice: GlobalOptions.BackgroundChoice, reported: Color?, environment: [String: String]
  ) -> Color {
    let found = reported ?? color(inEnvironment: environment)
    switch choice {
    case .auto: return found ?? .black
    case .dark: return found.flatMap { $0.isLight ? nil : $0 } ?? .black
    case .light: return found.flatMap { $0.isLight ? $0 : nil } ?? .white
    }
  }

  /// Reads the color from a response to the question `OSC 11 ; ?`.
  ///
  /// - Returns: The color; nil if the response has another form.
  /// - Source: xterm control sequences, OSC 11; XParseColor(3), `rgb:r/g/b` with one to four hexadecimal digits each.
  static func color(inResponse bytes: [UInt8]) -> Color? {
    let text = String(decoding: bytes.drop { $0 != UInt8(ascii: ";") }.dropFirst(), as: UTF8.self)
    let prefix = ["rgb:", "rgba:"].first(where: text.hasPrefix)
    guard let prefix else { return nil }
    let value = text.dropFirst(prefix.count).prefix { $0.isHexDigit || $0 == "/" }
    let channels = value.split(separator: "/", omittingEmptySubsequences: false).map { digits -> UInt8? in
      guard (1...4).contains(digits.count), let number = Int(digits, radix: 16) else { return nil }
      let largest = 1 << (4 * digits.count) - 1
      return UInt8((number * 255 + largest / 2) / largest)
    }
    guard channels.count >= 3, let red = channels[0], let green = channels[1], let blue = channels[2] else {
      return nil
    }
    return .rgb(red, green, blue)
  }

  /// Reads the color from `COLORFGBG`, whose last part is the background's entry in the palette.
  ///
  /// - Source: rxvt(7), COLORFGBG.
  static func color(inEnvironment environment: [String: String]) -> Color? {
    guard let last = environment["COLORFGBG"]?.split(separator: ";").last, let index = UInt8(last), index < 16 else {
      return nil
    }
    return Color(packed: 0x0200_0000 | ColorMapping.components(index))
  }
}

extension Color {
  static let black = Color.rgb(0, 0, 0)
  static let white = Color.rgb(255, 255, 255)

  /// True if dark text is easier to read on this color than light text.
  ///
  /// - Source: ITU-R BT.601-7 §2.5.1 (luma).
  var isLight: Bool {
    guard let (red, green, blue) = components else { return false }
    return 77 * Int(red) + 150 * Int(green) + 29 * Int(blue) >= 128 * 256
  }
}
