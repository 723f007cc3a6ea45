import Synchronization

/// The captures that this process began and did not end, and the ids whose data is to be requested next.
final class CapturesUnderWay: Sendable {
  private let numbers = Mutex<Set<JournalNumber>>([])
  /// Ids that were just written, and whose data was not requested yet.
  private let announced = Mutex<[SensorUUID: JournalNumber]>([:])

  /// The number of captures.
  var count: Int { numbers.withLock { $0.count } }

  /// Adds a capture.
  func begin(_ number: JournalNumber) { numbers.withLock { _ = $0.insert(number) } }

  /// Removes a capture; later calls do nothing.
  func end(_ number: JournalNumber) { numbers.withLock { _ = $0.remove(number) } }

  /// Adds ids whose data a capture waits for.
  func announce(_ ids: [SensorUUID], of number: JournalNumber) {
    announced.withLock { announced in for id in ids { announced[id] = number } }
  }

  /// Removes an id.
  ///
  /// - Returns: True if it was announced, as one of this capture.
  func remove(_ id: SensorUUID, of number: JournalNumber) -> Bool {
    announced.withLock { $0.removeValue(forKey: id) } == number
  }
}
