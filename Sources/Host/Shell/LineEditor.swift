internal import CHost
internal import Glibc
import PluginAPI
import Synchronization

/// A line editor with history, search and completion: libedit on the terminal of standard input and error.
///
/// It reads on a queue of its own. Libedit calls back on that thread, which then waits for the loop.
// Only `queue` uses the C handle and the state of its callbacks; all else is behind a lock or constant.
final class LineEditor: LineSource, @unchecked Sendable {
  /// The functions of the shell that the editor calls, on its own thread.
  struct Client: Sendable {
    /// Completes a line, given as far as the cursor; nil if there is nothing to complete.
    var complete: @Sendable (_ before: String) -> LineCompletion.Outcome?
    /// Moves in the history.
    var move: @Sendable (ShellHistory.Move) -> String?
  }

  /// The most characters of a line.
  static let longestLine = 1 << 16
  /// The time that the bytes of one key may be apart.
  private static let pauseInMilliseconds: Int32 = 50

  private enum Wake: UInt8 {
    case interrupt = 1
    case end
  }

  private let client: Client
  private let queue = WorkQueue("workbench.shell", isUrgent: true)
  /// The two ends of the connection that ends a read.
  private let wake: (reading: Int32, writing: Int32)
  private let isClosed = Mutex(false)

  private var handle: OpaquePointer?
  private var keys = KeyStream()
  private var paste: [Unicode.Scalar] = []
  /// The entry of the history that libedit looks at.
  private var entry: UnsafeMutablePointer<UInt32>?
  private var windowSize = winsize()
  /// True once no line is read any more.
  private var isEnded = false
  /// The outcome if there is no line.
  private var ending = TypedLine.end
  private var isTooLong = false

  /// A Boolean value indicating whether libedit is installed.
  static var isAvailable: Bool { chost_editor_is_available() }

  /// Creates an editor.
  ///
  /// - Returns: nil if there are no file descriptors left.
  init?(_ client: Client) {
    self.client = client
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    wake = (ends[0], ends[1])
  }

  func line(_ prompt: ShellPrompt) async -> TypedLine {
    await withTaskCancellationHandler {
      await onQueue { $0.read(prompt) }
    } onCancel: {
      send(.end)
    }
  }

  func interrupt() { send(.interrupt) }

  func close() async {
    await onQueue { editor in
      if let handle = editor.handle { chost_editor_release(handle) }
      editor.handle = nil
      editor.entry?.deallocate()
      editor.entry = nil
      editor.isClosed.withLock { isClosed in
        isClosed = true
        Glibc.close(editor.wake.reading)
        Glibc.close(editor.wake.writing)
      }
    }
  }

  private func onQueue<Outcome: Sendable>(_ work: @escaping @Sendable (LineEditor) -> Outcome) async -> Outcome {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work(self)) }
    }
  }

  private func send(_ reason: Wake) {
    isClosed.withLock { isClosed in
      var byte = reason.rawValue
      // A full connection has enough reasons to wake.
      if !isClosed { _ = Glibc.write(wake.writing, &byte, 1) }
    }
  }

  private func read(_ prompt: ShellPrompt) -> TypedLine {
    // An interrupt that came too late for the last line is not for this one.
    while let reason = takeWake() { isEnded = isEnded || reason == .end }
    guard !isEnded, let handle = open() else { return .end }
    (ending, isTooLong) = (.end, false)
    _ = ioctl(STDIN_FILENO, UInt(TIOCGWINSZ), &windowSize)
    // Libedit restores the settings; the rescue of terminals does so if the process ends in the meantime.
    let line: [UInt32]? = TerminalReading.withSettings({ _ in }) {
      show(KeyStream.marksPastes.on)
      defer { show(KeyStream.marksPastes.off) }
      var count = 0
      guard let text = chost_editor_read(handle, prompt.marked, &count) else { return nil }
      return Array(UnsafeBufferPointer(start: text, count: count))
    }
    guard let line else {
      show("\n")
      return ending
    }
    let isCut = isTooLong && line.count >= Self.longestLine
    return isCut || line.count > Self.longestLine ? .tooLong : .text(Self.text(line[...]))
  }

  private func open() -> OpaquePointer? {
    if let handle { return handle }
    var client = chost_editor_client()
    client.context = Unmanaged.passUnretained(self).toOpaque()
    client.next = { LineEditor.of($0).next() }
    client.complete = { LineEditor.of($0).complete() }
    client.paste = { LineEditor.of($0).insertPaste() }
    client.interrupt = { LineEditor.of($0).giveUp() }
    client.history = { LineEditor.of($0).move($1) }
    handle = chost_editor_make(STDIN_FILENO, STDERR_FILENO, &client)
    return handle
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> LineEditor {
    guard let context else { preconditionFailure("the editor passes the context it was made with") }
    return Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
  }

  private func show(_ text: String) { _ = HostFile.writeAll(Array(text.utf8), to: STDERR_FILENO) }

  private static func text(_ scalars: ArraySlice<UInt32>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars { text.append(Unicode.Scalar(scalar) ?? "\u{FFFD}") }
    return String(text)
  }
}

/// The functions that libedit calls.
extension LineEditor {
  /// Waits for the next key and returns its code; 0 at the end of the input.
  private func next() -> UInt32 {
    var isPaused = false
    while true {
      if let key = keys.next(isPaused: isPaused) { return code(of: key) }
      switch wait(milliseconds: keys.isEmpty || isPaused ? -1 : Self.pauseInMilliseconds) {
      case .input(let bytes):
        isPaused = false
        keys.append(bytes)
      case .pause: isPaused = true
      case .interrupt: return chost_key_interrupt.rawValue
      case .end: return 0
      }
    }
  }

  private func code(of key: KeyStream.Key) -> UInt32 {
    switch key {
    case .scalar(let scalar): return scalar.value
    case .interrupt: return chost_key_interrupt.rawValue
    case .paste(let text):
      paste = text
      return chost_key_paste.rawValue
    }
  }

  private enum Event {
    case input([UInt8])
    case pause, interrupt, end
  }

  private func wait(milliseconds: Int32) -> Event {
    while true {
      var watched = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&watched, 2, milliseconds)
      if count == 0 { return .pause }
      if count < 0 {
        if errno == EINTR { continue }
        return .end
      }
      switch takeWake() {
      case .interrupt: return .interrupt
      case .end:
        isEnded = true
        return .end
      case nil: break
      }
      if watched[0].revents != 0 { return readInput() }
    }
  }

  private func takeWake() -> Wake? {
    var reason: UInt8 = 0
    return Glibc.read(wake.reading, &reason, 1) == 1 ? Wake(rawValue: reason) : nil
  }

  private func readInput() -> Event {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return .input([]) }
    if count <= 0 { return .end }
    adaptToWindow()
    return .input(Array(buffer[..<count]))
  }

  /// Adapts the line to a terminal that changed its size, which is noticed at the next key.
  private func adaptToWindow() {
    var size = winsize()
    guard ioctl(STDIN_FILENO, UInt(TIOCGWINSZ), &size) == 0,
      (size.ws_col, size.ws_row) != (windowSize.ws_col, windowSize.ws_row)
    else { return }
    windowSize = size
    if let handle { chost_editor_resize(handle) }
  }

  private func move(_ move: chost_history_move) -> UnsafePointer<UInt32>? {
    let moves: [chost_history_move.RawValue: ShellHistory.Move] = [
      chost_history_newest.rawValue: .newest, chost_history_oldest.rawValue: .oldest,
      chost_history_newer.rawValue: .newer, chost_history_older.rawValue: .older,
      chost_history_present.rawValue: .present,
    ]
    guard let move = moves[move.rawValue], let text = client.move(move) else { return nil }
    let scalars = text.unicodeScalars.map(\.value) + [0]
    entry?.deallocate()
    let copy = UnsafeMutablePointer<UInt32>.allocate(capacity: scalars.count)
    copy.initialize(from: scalars, count: scalars.count)
    entry = copy
    return UnsafePointer(copy)
  }

  private func giveUp() {
    var (count, cursor) = (0, 0)
    if let handle { _ = chost_editor_line(handle, &count, &cursor) }
    ending = .interrupted(isEmpty: count == 0)
  }

  private func insertPaste() -> chost_edit_effect {
    guard let handle else { return chost_edit_refused }
    var (count, cursor) = (0, 0)
    _ = chost_editor_line(handle, &count, &cursor)
    let part = paste.prefix(max(0, Self.longestLine - count))
    if part.count < paste.count { isTooLong = true }
    paste = []
    if part.isEmpty { return chost_edit_refused }
    return chost_editor_insert(handle, part.map(\.value) + [0]) ? chost_edit_changed : chost_edit_refused
  }

  private func complete() -> chost_edit_effect {
    guard let handle else { return chost_edit_refused }
    var (count, cursor) = (0, 0)
    guard let line = chost_editor_line(handle, &count, &cursor) else { return chost_edit_refused }
    let before = Self.text(Array(UnsafeBufferPointer(start: line, count: cursor))[...])
    switch client.complete(before) {
    case nil: return chost_edit_refused
    case .replace(let replaced, let text):
      if replaced > 0 { chost_editor_delete(handle, replaced) }
      _ = chost_editor_insert(handle, text.unicodeScalars.map(\.value) + [0])
      return chost_edit_changed
    case .list(let candidates):
      show("\n\u{1B}[J" + LineCompletion.listing(candidates, in: windowSize.shape))
      return chost_edit_written_below
    }
  }
}

extension winsize {
  /// The size in cells, 80×24 for a terminal that does not know it.
  fileprivate var shape: Size {
    Size(width: ws_col == 0 ? 80 : Int(ws_col), height: ws_row == 0 ? 24 : Int(ws_row))
  }
}
