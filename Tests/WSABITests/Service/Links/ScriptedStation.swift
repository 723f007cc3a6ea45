import PluginAPI
import Synchronization

@testable import WSABI

/// Links over scripts, with a journal in memory and all published notes; waits are over at once.
struct ScriptedStation {
  final class Notes: Sendable {
    private let state = Mutex<[LinkNote]>([])
    func add(_ note: LinkNote) { state.withLock { $0.append(note) } }
    var all: [LinkNote] { state.withLock { $0 } }
  }

  let journal = MemoryJournal()
  let notes = Notes()
  static let configuration = WireDictionary([.init("submodality", .string("LeftThumbFlat"))])

  /// Waits of more than 30 s, as of an operation that hangs, last until they are canceled, or until a sensor is silent.
  static func clock(longWaitsEndAt silent: ScriptedSensor? = nil) -> LinkClock {
    LinkClock(now: { Instant(seconds: 0) }) { milliseconds in
      if milliseconds <= 30_000 {
        await Task.yield()
        try Task.checkCancellation()
        return
      }
      let (endless, end) = AsyncStream.makeStream(of: Never.self)
      // The task's cancellation ends the iteration, too.
      for await _ in silent?.untilSilent() ?? endless {}
      end.finish()
      try Task.checkCancellation()
    }
  }

  func manager(_ sensors: ScriptedSensor..., longWaitsEnd: Bool = false, times: LinkTimes = LinkTimes()) -> LinkManager
  {
    let notes = notes
    return LinkManager(
      { address in sensors.first { $0.address == address } ?? ScriptedSensor("nobody") }, journal,
      Self.clock(longWaitsEndAt: longWaitsEnd ? sensors.first : nil), times, onNote: { notes.add($0) })
  }

  static func order(_ item: Int, _ sensor: ScriptedSensor) -> CaptureOrder {
    CaptureOrder(item: item, address: sensor.address, configuration: configuration)
  }
}
