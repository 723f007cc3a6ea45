internal import CHost
internal import Glibc
import PluginAPI

/// The terminal as a file: opened for this process alone, its line settings, its size.
///
/// It is reopened by name, so that non-blocking reads do not change the shell's own descriptor.
struct TerminalDevice {
  /// The descriptor, which never waits.
  let fileDescriptor: Int32
  /// The line settings found at the start.
  let originalAttributes: termios

  /// Opens the terminal that standard input is.
  ///
  /// - Throws: ``TerminalError/notATerminal(stream:)`` if standard input or output is none;
  ///   ``TerminalError/cannotOpen(path:errno:)``.
  init() throws(ErrorReport) {
    guard isatty(STDIN_FILENO) == 1 else { throw TerminalError.notATerminal(stream: "standard input") }
    guard isatty(StandardOutput.descriptor) == 1 else { throw TerminalError.notATerminal(stream: "standard output") }
    var name = [CChar](repeating: 0, count: 256)
    let isNamed = ttyname_r(STDIN_FILENO, &name, name.count) == 0
    let path = isNamed ? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
    var descriptor: Int32 = -1
    for candidate in [path, "/dev/tty"] where descriptor < 0 && !candidate.isEmpty {
      descriptor = open(candidate, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    }
    guard descriptor >= 0 else { throw TerminalError.cannotOpen(path: path.isEmpty ? "/dev/tty" : path, errno: errno) }
    var attributes = termios()
    guard tcgetattr(descriptor, &attributes) == 0 else {
      let problem = errno
      Glibc.close(descriptor)
      throw TerminalError.cannotOpen(path: path, errno: problem)
    }
    fileDescriptor = descriptor
    originalAttributes = attributes
  }

  /// Enters raw mode: keys arrive as pressed, without echo, lines or signals, and output is unchanged.
  func enterRawMode() {
    var raw = originalAttributes
    raw.c_iflag &= ~UInt32(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON)
    raw.c_oflag &= ~UInt32(OPOST)
    raw.c_lflag &= ~UInt32(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
    raw.c_cflag &= ~UInt32(CSIZE | PARENB)
    raw.c_cflag |= UInt32(CS8)
    Self.set(&raw, on: fileDescriptor)
  }

  /// Restores the original line settings.
  func leaveRawMode() {
    var original = originalAttributes
    Self.set(&original, on: fileDescriptor)
    // Input that arrives too late is not meant for the shell.
    tcflush(fileDescriptor, TCIFLUSH)
  }

  /// Sets line settings; from the background too, where the first try would only stop the process.
  ///
  /// At once, without waiting for output: a blocked terminal must not block the process.
  private static func set(_ attributes: inout termios, on descriptor: Int32) {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    while tcsetattr(descriptor, TCSANOW, &attributes) != 0, errno == EINTR {}
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// A Boolean value indicating whether the backspace key sends the code usually sent by Ctrl-H.
  var backspaceIsControlH: Bool { originalAttributes.c_cc.2 == 8 }

  /// The columns and rows, and the pixels of a cell if the terminal reports them.
  var geometry: (size: Size, cellPixels: Size?) {
    var window = winsize()
    guard ioctl(fileDescriptor, UInt(TIOCGWINSZ), &window) == 0 else { return (Size(width: 80, height: 24), nil) }
    let size = Size(width: Int(window.ws_col), height: Int(window.ws_row))
    guard window.ws_xpixel > 0, window.ws_ypixel > 0, size.width > 0, size.height > 0 else { return (size, nil) }
    let pixels = Size(width: Int(window.ws_xpixel) / size.width, height: Int(window.ws_ypixel) / size.height)
    return (size, pixels.width > 1 && pixels.height > 1 ? pixels : nil)
  }

  /// Reads the available bytes.
  ///
  /// - Returns: The bytes, empty if there are none now; nil if the terminal was closed.
  func read() -> [UInt8]? {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 16384) { buffer, initialized in
      repeat { count = Glibc.read(fileDescriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
      initialized = max(0, count)
    }
    if count > 0 { return bytes }
    return count < 0 && errno == EAGAIN ? [] : nil
  }

  /// Waits until there is something to read.
  ///
  /// - Returns: True if there is.
  func waitForInput(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// Writes once.
  ///
  /// - Returns: The number of bytes accepted, 0 if none can be now; nil if the terminal was closed.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    if bytes.isEmpty { return 0 }
    while true {
      let count = Glibc.write(fileDescriptor, bytes.baseAddress, bytes.count)
      if count >= 0 { return count }
      if errno == EINTR { continue }
      return errno == EAGAIN ? 0 : nil
    }
  }

  /// Writes all, waiting for a slow terminal no longer than a time.
  func writeAll(_ bytes: [UInt8], milliseconds: Int32) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty, let count = write(UnsafeRawBufferPointer(rebasing: rest)) {
        rest = rest.dropFirst(count)
        if rest.isEmpty { return }
        var entry = pollfd(fd: fileDescriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&entry, 1, milliseconds) <= 0 { return }
      }
    }
  }

  func close() { Glibc.close(fileDescriptor) }
}
