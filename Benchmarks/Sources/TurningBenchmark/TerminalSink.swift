import BenchmarkSupport
@preconcurrency import Dispatch
import Glibc

/// A terminal whose other side reads everything as fast as it arrives.
final class TerminalSink {
  private let master: Int32
  private let slave: Int32
  private let reader = DispatchQueue(label: "reader")

  init() {
    let opened = PseudoTerminal.open(columns: 200, rows: 60)
    let master = opened?.own ?? -1
    slave = opened.map { open($0.name, O_RDWR | O_NOCTTY) } ?? -1
    precondition(slave >= 0, "no terminal to be had")
    var attributes = termios()
    tcgetattr(slave, &attributes)
    cfmakeraw(&attributes)
    tcsetattr(slave, TCSANOW, &attributes)
    self.master = master
    reader.async {
      var room = [UInt8](repeating: 0, count: 1 << 16)
      while read(master, &room, room.count) > 0 {}
    }
  }

  /// Writes all of it, and waits until the other side took it.
  func write(_ bytes: UnsafeRawBufferPointer) {
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(slave, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count <= 0 { return }
      done += count
    }
    tcdrain(slave)
  }

  /// Ends the reader.
  func end() {
    close(slave)
    reader.sync {}
    close(master)
  }
}
