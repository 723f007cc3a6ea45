import PluginAPI
import Synchronization

/// What the commands and screens of one process share: the store, the links to sensors, what is going on.
final class Station: Sendable {
  private struct State {
    var records: RecordStore?
    var links: LinkManager?
    var watchers: [Int: @Sendable (LinkNote) -> Void] = [:]
    var watcherCount = 0
  }

  private let state = Mutex(State())

  /// Told after every change of the store; the payload names the person whose row changed, or is null.
  static let recordsChanged = "records-changed"
  /// Told of everything that happens at a sensor; the payload names the item and never a captured value.
  static let sensorNoted = "sensor-noted"

  /// The store of this user, locked or not; made at the first use, and opened by ``unlock(_:_:)``.
  func records(_ context: any PluginContext) -> RecordStore {
    state.withLock { state in
      if let records = state.records { return records }
      let options = RecordStore.Options(clock: { context.now() }) { [weak context] changes in
        for person in Self.people(changes) { context?.notify(Self.recordsChanged, person) }
      }
      let records = RecordStore(folder: context.folders.data + "/people", options)
      state.records = records
      return records
    }
  }

  /// The links to sensors, which write what they capture into the store.
  func links(_ context: any PluginContext) -> LinkManager {
    let records = records(context)
    return state.withLock { state in
      if let links = state.links { return links }
      let sensors = SensorAccess(isOffline: context.isOffline)
      let clock = LinkClock(now: { context.now() }) { try await Task.sleep(for: .milliseconds($0)) }
      let links = LinkManager({ sensors.connection($0) }, records, clock) { [weak self, weak context] note in
        self?.tell(note, context)
      }
      state.links = links
      return links
    }
  }

  /// Has every note of a link told to somebody, until ``unwatch(_:)``.
  func watch(_ onNote: @escaping @Sendable (LinkNote) -> Void) -> Int {
    state.withLock { state in
      state.watcherCount += 1
      state.watchers[state.watcherCount] = onNote
      return state.watcherCount
    }
  }

  func unwatch(_ number: Int) { state.withLock { state in state.watchers[number] = nil } }

  private func tell(_ note: LinkNote, _ context: (any PluginContext)?) {
    let watchers = state.withLock { $0.watchers.sorted { $0.key < $1.key }.map(\.value) }
    for watcher in watchers { watcher(note) }
    context?.notify(Self.sensorNoted, note.value)
  }

  private static func people(_ changes: Set<RecordChange>) -> [Value] {
    let people = Set(
      changes.map { change -> Int? in
        switch change {
        case .person(let person), .item(_, let person): person
        case .journal, .users, .lock: nil
        }
      })
    return people.sorted { ($0 ?? -1) < ($1 ?? -1) }.map { $0.map(Value.integer) ?? .null }
  }

  /// Gives back all locks and sessions, and closes the store.
  func close() async {
    let (links, records) = state.withLock { state in
      defer { (state.links, state.records) = (nil, nil) }
      return (state.links, state.records)
    }
    await links?.close()
    await records?.close()
  }
}
