internal import CHost
internal import Glibc
import PluginAPI

/// A note on the last line of the full screen, written past the display while the loop cannot draw.
enum BlockedScreenNote {
  /// Returns a name for the code that blocks the loop.
  static func name(_ plugin: String?) -> String { plugin.map { "plugin '\($0)'" } ?? "something" }

  /// Writes the note if there is a full screen; the display must repaint when the loop comes round again.
  ///
  /// May be called on any thread; never waits.
  static func write(_ text: String) {
    let terminal = chost_crash_terminal()
    var window = winsize()
    guard terminal >= 0, ioctl(terminal, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 1, window.ws_row > 0 else {
      return
    }
    let bytes = bytes(text, columns: Int(window.ws_col), row: Int(window.ws_row))
    // Bytes that the terminal does not accept at once are dropped: the terminal itself may be blocking the loop.
    _ = bytes.withUnsafeBytes { Glibc.write(terminal, $0.baseAddress, $0.count) }
  }

  /// Returns the bytes that show the note in reverse on a row (from 1) and restore the cursor.
  ///
  /// - Source: ECMA-48, CUP, SGR and EL; DEC VT100, DECSC and DECRC.
  static func bytes(_ text: String, columns: Int, row: Int) -> [UInt8] {
    let shown = TextWidth.padded(text, to: columns - 1)
    return Array("\u{1B}7\u{1B}[\(row);1H\u{1B}[0;7m\(shown)\u{1B}[0m\u{1B}[K\u{1B}8".utf8)
  }
}
