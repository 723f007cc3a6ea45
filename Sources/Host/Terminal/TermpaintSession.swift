internal import CTermpaint
internal import Glibc

/// An input that termpaint decoded from the terminal's bytes.
enum TerminalInput: Equatable {
  /// A key, with termpaint's name or text and its modifiers.
  case key(name: String, modifiers: Int32)
  /// A character that was typed.
  case character(String, modifiers: Int32)
  /// A mouse report.
  case mouse(MouseReport)
  /// The start (nil) of a paste, its text in pieces, and its end.
  case pasteBegan, pasted(String), pasteEnded
  /// The terminal got or lost the focus.
  case focus(Bool)
  /// The terminal requests a redraw.
  case repaintRequested
  /// The terminal responded to a status request: it has processed the preceding output.
  case statusReport
  /// A sequence that may be a response to one of our queries.
  case answer([UInt8])
}

/// A mouse report as terminals send it.
struct MouseReport: Equatable {
  var column: Int
  var row: Int
  /// 0, 1, 2: left, middle, right; 3: none; 4, 5: wheel up and down.
  var button: Int32
  /// 1: press, 2: release, 3: move.
  var action: Int32
  var modifiers: Int32
}

/// termpaint's session with a terminal: detection, set-up, input, and the sequence that restores.
///
/// It never draws and never accesses the terminal: ``takeOutput()`` returns the bytes for the terminal,
/// ``takeInputs()`` the decoded inputs.
final class TermpaintSession {
  private let integration: UnsafeMutableRawPointer
  private let terminal: OpaquePointer
  private var output: [UInt8] = []
  private var inputs: [TerminalInput] = []
  private var isPasting = false
  /// A Boolean value indicating whether termpaint wants ``resolveEscape(asking:)`` to be called if no more bytes come
  /// for a while.
  private(set) var wantsCallback = false

  init() {
    // termpaint stores the address of the structure, so it is in a block of its own, followed by a pointer to this
    // object.
    let size = MemoryLayout<termpaint_integration>.stride
    let integration = UnsafeMutableRawPointer.allocate(
      byteCount: size + MemoryLayout<UnsafeMutableRawPointer>.stride, alignment: 16)
    let pointer = integration.initializeMemory(as: termpaint_integration.self, repeating: .init(), count: 1)
    termpaint_integration_init(
      pointer, { _ in }, { TermpaintSession.of($0)?.collect($1, Int($2)) }, { _ in })
    termpaint_integration_set_request_callback(pointer) { TermpaintSession.of($0)?.wantsCallback = true }
    self.integration = integration
    terminal = termpaint_terminal_new(pointer)
    (integration + size).storeBytes(of: Unmanaged.passUnretained(self).toOpaque(), as: UnsafeMutableRawPointer.self)
    let context = Unmanaged.passUnretained(self).toOpaque()
    termpaint_terminal_set_event_cb(
      terminal,
      { context, event in
        guard let context, let event else { return }
        Unmanaged<TermpaintSession>.fromOpaque(context).takeUnretainedValue().take(event.pointee)
      }, context)
    termpaint_terminal_set_raw_input_filter_cb(
      terminal,
      { context, data, count, _ in
        guard let context, let data else { return false }
        let bytes = UnsafeRawBufferPointer(start: data, count: Int(count))
        return Unmanaged<TermpaintSession>.fromOpaque(context).takeUnretainedValue().filter(bytes)
      }, context)
  }

  deinit {
    termpaint_terminal_free(terminal)
    termpaint_integration_deinit(integration.assumingMemoryBound(to: termpaint_integration.self))
    integration.deallocate()
  }

  private static func of(_ integration: UnsafeMutablePointer<termpaint_integration>?) -> TermpaintSession? {
    guard let integration else { return nil }
    let place = UnsafeRawPointer(integration) + MemoryLayout<termpaint_integration>.stride
    return Unmanaged.fromOpaque(place.load(as: UnsafeRawPointer.self)).takeUnretainedValue()
  }

  private func collect(_ bytes: UnsafePointer<CChar>?, _ count: Int) {
    guard let bytes else { return }
    output += UnsafeRawBufferPointer(start: bytes, count: count)
  }

  // MARK: Detection, set-up, restoring

  /// Queries the terminal's identity; ``isDetecting`` becomes false when it is known.
  func startDetection() { _ = termpaint_terminal_auto_detect(terminal) }

  /// A Boolean value indicating whether the terminal has not identified itself yet.
  var isDetecting: Bool { termpaint_terminal_auto_detect_state(terminal) == termpaint_auto_detect_running }

  /// A Boolean value indicating whether the terminal has identified itself.
  var isDetected: Bool { termpaint_terminal_auto_detect_state(terminal) == termpaint_auto_detect_done }

  /// A Boolean value indicating whether the terminal is known to show all colors.
  var showsTrueColor: Bool { termpaint_terminal_capable(terminal, TERMPAINT_CAPABILITY_TRUECOLOR_SUPPORTED) }

  /// A Boolean value indicating whether the terminal accepts sequences with letters before the last one, as in mode
  /// queries.
  var readsModeQuestions: Bool { termpaint_terminal_capable(terminal, TERMPAINT_CAPABILITY_CSI_POSTFIX_MOD) }

  /// A description of the terminal as termpaint detected it, for `doctor`.
  var description: String {
    var text = [CChar](repeating: 0, count: 256)
    termpaint_terminal_auto_detect_result_text(terminal, &text, Int32(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Sets the terminal up for full screen, mouse, focus and tagged paste.
  func setUp(backspaceIsControlH: Bool) {
    if isDetected { termpaint_terminal_auto_detect_apply_input_quirks(terminal, backspaceIsControlH) }
    // The size is only that of a surface that is never drawn; options must not be nil.
    termpaint_terminal_setup_fullscreen(terminal, 1, 1, "")
    termpaint_terminal_set_mouse_mode(terminal, TERMPAINT_MOUSE_MODE_DRAG)
    termpaint_terminal_request_focus_change_reports(terminal, true)
    termpaint_terminal_request_tagged_paste(terminal, true)
    termpaint_terminal_handle_paste(terminal, true)
    expectLongAnswers()
  }

  /// Reads responses of the form `ESC _ … ESC \` as one sequence.
  func expectLongAnswers() { termpaint_terminal_expect_apc_input_sequences(terminal, true) }

  /// The bytes that restore the terminal.
  var restoreSequence: [UInt8] {
    guard let text = termpaint_terminal_restore_sequence(terminal) else { return [] }
    return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// Restores the terminal temporarily.
  func pause() { termpaint_terminal_pause(terminal) }

  /// Sets the terminal up again as it was.
  func unpause() { termpaint_terminal_unpause(terminal) }

  /// Returns the bytes that must go to the terminal.
  func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  // MARK: Input

  /// Understands bytes from the terminal.
  func add(_ bytes: [UInt8]) {
    wantsCallback = false
    bytes.withUnsafeBytes { bytes in
      let text = bytes.bindMemory(to: CChar.self)
      termpaint_terminal_add_input_data(terminal, text.baseAddress, UInt32(text.count))
    }
  }

  /// Decides whether a lone escape was the key: when no more bytes came for a while.
  ///
  /// - Parameter asking: True if the terminal responds to queries; then its response decides, otherwise the elapsed
  ///   time.
  func resolveEscape(asking: Bool) {
    wantsCallback = false
    if asking { termpaint_terminal_callback(terminal) } else { add(Array("\u{1B}[0n".utf8)) }
  }

  /// Returns the inputs since the last call.
  func takeInputs() -> [TerminalInput] {
    defer { inputs = [] }
    return inputs
  }

  /// Handles sequences unknown to termpaint: responses to our own queries, and keys of the kitty protocol.
  ///
  /// - Returns: True if termpaint must not see it.
  private func filter(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 3, bytes[0] == 0x1B else { return false }
    if bytes.elementsEqual("\u{1B}[0n".utf8) { inputs.append(.statusReport) }
    if isPasting { return false }
    if bytes[1] == UInt8(ascii: "_") || bytes.starts(with: "\u{1B}]11;".utf8) {
      inputs.append(.answer(Array(bytes)))
      return true
    }
    guard bytes[1] == UInt8(ascii: "[") else { return false }
    switch bytes[bytes.count - 1] {
    case UInt8(ascii: "c"), UInt8(ascii: "t"), UInt8(ascii: "y"):
      inputs.append(.answer(Array(bytes)))
    case UInt8(ascii: "u"):
      if bytes[2] == UInt8(ascii: "?") {
        inputs.append(.answer(Array(bytes)))
      } else if let key = KittyKey(bytes) {
        inputs.append(key.input)
        return true
      }
    default: break
    }
    return false
  }

  private func take(_ event: termpaint_event) {
    switch event.type {
    case TERMPAINT_EV_CHAR:
      inputs.append(.character(Self.text(event.c.string, event.c.length), modifiers: event.c.modifier))
    case TERMPAINT_EV_KEY:
      inputs.append(.key(name: Self.text(event.key.atom, event.key.length), modifiers: event.key.modifier))
    case TERMPAINT_EV_MOUSE:
      let mouse = event.mouse
      inputs.append(
        .mouse(
          MouseReport(
            column: Int(mouse.x), row: Int(mouse.y), button: mouse.button, action: mouse.action,
            modifiers: mouse.modifier)))
    case TERMPAINT_EV_PASTE: takePaste(event)
    case TERMPAINT_EV_MISC:
      let name = Self.text(event.misc.atom, event.misc.length)
      if name == "FocusIn" || name == "FocusOut" { inputs.append(.focus(name == "FocusIn")) }
    case TERMPAINT_EV_REPAINT_REQUESTED: inputs.append(.repaintRequested)
    default: break
    }
  }

  private func takePaste(_ event: termpaint_event) {
    if event.paste.initial {
      isPasting = true
      inputs.append(.pasteBegan)
    }
    if event.paste.length > 0 { inputs.append(.pasted(Self.text(event.paste.string, event.paste.length))) }
    if event.paste.final {
      isPasting = false
      inputs.append(.pasteEnded)
    }
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ count: UInt32) -> String {
    guard let start else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }
}
