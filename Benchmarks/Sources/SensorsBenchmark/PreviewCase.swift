import BenchmarkSupport
import PluginAPI
import Synchronization

@testable import WSABI

/// Live previews side by side: how many pictures of each are read and made ready to be drawn in a second.
struct PreviewCase {
  let workbench: String

  private static let streams = 16
  private static let seconds = 10.0

  /// The number of pictures received from each stream.
  private final class Counts: Sendable {
    let pictures = Mutex([Int](repeating: 0, count: PreviewCase.streams))
  }

  func run() async throws {
    let title = "\(Self.streams) live previews at once"
    guard let process = SensorProcess(workbench, sensors: Self.streams, []) else {
      return Measurement.skip(title, because: "no simulated sensors to be had")
    }
    let counts = Counts()
    let stalls = StallWatch()
    let access = SensorAccess(isOffline: false)
    let end = Timing.milliseconds() + Self.seconds * 1000
    let tasks = try process.addresses.enumerated().map { number, text in
      let connection = access.connection(try SensorAddress(parsing: text))
      return Task.detached {
        let resource = try await connection.serviceInformation(deadlineInSeconds: 10).livePreviews.first
        guard let resource else { return }
        try await connection.preview(resource, session: nil) { frame in
          // The card's work for each picture, at the size of a large card.
          if (try? ScreenPictures.decoded(frame.bytes, fitting: Size(width: 160, height: 160))) != nil {
            counts.pictures.withLock { $0[number] += 1 }
          }
        }
      }
    }
    await stalls.watch(until: end)
    for task in tasks { task.cancel() }
    let rates = counts.pictures.withLock { $0 }.map { Double($0) / Self.seconds }
    Measurement("\(title): pictures of the slowest", rates.min() ?? 0, unit: "1/s", floor: 15).print()
    Measurement("\(title): main actor late, p99", await stalls.quantile(0.99), unit: "ms", bar: 20).print()
  }
}
