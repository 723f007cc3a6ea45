import Synchronization

/// The record of what the sensors really captured: the truth against which clients are checked.
final class CaptureLedger: Sendable {
  /// One capture.
  struct Entry: Sendable, Hashable {
    let id: String
    /// The hash of the downloaded data, 64 hexadecimal digits.
    let sha256: String
    let sizeInBytes: Int
    /// Milliseconds since 1970, by the sensors' clock.
    let time: Int
    let session: String
    /// The number of the sensor, from 1.
    let sensor: Int
    let modality: String
    let submodality: String
    let contentType: String
    /// The person captured.
    let person: Int
    /// The number of times the full data was sent.
    var downloads = 0
  }

  private let entriesByID = Mutex<(order: [String], all: [String: Entry])>(([], [:]))

  func add(_ entry: Entry) {
    entriesByID.withLock { entries in
      entries.order.append(entry.id)
      entries.all[entry.id] = entry
    }
  }

  func countDownload(of id: String) { entriesByID.withLock { $0.all[id]?.downloads += 1 } }

  /// The id of the first capture; nil before it.
  var firstID: String? { entriesByID.withLock { $0.order.first } }

  /// All captures in their order.
  ///
  /// - Complexity: O(*captures*).
  var entries: [Entry] { entriesByID.withLock { entries in entries.order.compactMap { entries.all[$0] } } }
}
