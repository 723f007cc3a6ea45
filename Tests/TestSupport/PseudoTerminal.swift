internal import Foundation
internal import Glibc

/// A program on a terminal that responds to nothing and only collects output.
public final class PseudoTerminal {
  private let master: Int32
  private let slave: Int32
  private let process = Process()
  private let ended = DispatchSemaphore(value: 0)
  /// Everything the program wrote so far.
  public private(set) var output: [UInt8] = []

  /// Starts a program on a terminal of a size.
  public init(
    _ program: String, _ arguments: [String], columns: UInt16, rows: UInt16, environment: [String: String]
  ) throws {
    // TIOCSPTLCK and TIOCGPTN of Linux, which Swift's Glibc leaves out together with grantpt(3).
    var (lock, number): (Int32, UInt32) = (0, 0)
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw POSIXError(.EIO)
    }
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    firstLineSettings = Self.lineSettings(slave)
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = environment
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    Glibc.close(master)
    Glibc.close(slave)
  }

  /// The line settings now, as bytes to compare.
  public var lineSettings: [UInt8] { Self.lineSettings(slave) }

  /// The line settings before the program started.
  public let firstLineSettings: [UInt8]

  private static func lineSettings(_ terminal: Int32) -> [UInt8] {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return withUnsafeBytes(of: &settings) { Array($0) }
  }

  /// The process.
  public var processIdentifier: Int32 { process.processIdentifier }

  /// Types bytes.
  public func type(_ text: String) { send(Array(text.utf8)) }

  /// Sends bytes, such as the terminal's responses.
  public func send(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) } }

  /// Changes the size and tells the program, which is not the terminal's foreground job.
  public func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    kill(process.processIdentifier, SIGWINCH)
  }

  /// Reads until the program wrote a text.
  ///
  /// - Parameter start: The number of bytes of the output that do not count.
  /// - Returns: True if it did in time.
  public func reads(_ text: String, from start: Int = 0, seconds: Double = 120) -> Bool {
    reads(seconds: seconds) { [self] _ in String(decoding: output[start...], as: UTF8.self).contains(text) }
  }

  /// Reads until what the program wrote is enough.
  ///
  /// - Parameter isEnough: Is asked at first with no bytes, then with each part that was read.
  /// - Returns: True if it was in time.
  public func reads(seconds: Double = 120, until isEnough: ([UInt8]) throws -> Bool) rethrows -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    var part: [UInt8] = []
    while try !isEnough(part) {
      var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      let rest = deadline.timeIntervalSinceNow
      guard rest > 0, poll(&entry, 1, Int32(rest * 1000) + 1) > 0 else { return false }
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = Glibc.read(master, &buffer, buffer.count)
      guard count > 0 else { return false }
      part = Array(buffer[..<count])
      output += part
    }
    return true
  }

  /// Waits until the program ended; it is killed after a time.
  ///
  /// - Returns: Its exit status, or the signal with a minus sign.
  public func end(seconds: Double = 120) -> Int32 {
    if ended.wait(timeout: .now() + seconds) == .timedOut, process.isRunning {
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }
}
