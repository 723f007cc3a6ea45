import PluginAPI
import Synchronization

/// The locks this process has recorded, and the dead processes whose locks it releases.
final class HeldLocks: Sendable {
  private struct Row {
    let number: Int
    /// The time when the row was written.
    let written: Instant
    /// The time since which the lock is known to be free, which is not written yet; nil while it may be held.
    var freeSince: ContinuousClock.Instant?
  }

  /// A row of a process that has ended.
  private struct Adopted {
    let holder: Int
    /// The number of tasks of this process that handle it.
    var users = 1
  }

  private struct State {
    var claim: HolderClaim?
    var holder: Int?
    /// The locks handled here, by row number.
    var adopted: [Int: Adopted] = [:]
    var rows: [HeldLock: Row] = [:]
    /// A task that waits until free rows can be written.
    var resting: Task<Void, Never>?
    /// Writes.
    var settling: Task<Void, Never>?
    /// True if all free rows are written at once, however recently they became free.
    var isHurried = false
  }

  private let folder: String
  private let state = Mutex(State())

  /// The time for which the row of a free lock stays, so that a sensor that captures repeatedly is written down once.
  ///
  /// If the process is killed meanwhile, the lock is released like one that was held, which does no harm.
  private let rest: Duration

  init(folder: String, rest: Duration = .seconds(5)) { (self.folder, self.rest) = (folder, rest) }

  /// Returns the number under which other processes see that this one is alive, and the identity of the file that shows
  /// it.
  func holder() throws(VaultError) -> (number: Int, place: String) {
    try state.withLock { state throws(VaultError) in
      let claim = try claim(&state)
      if let holder = state.holder { return (holder, claim.place) }
      while true {
        let number = Int.random(in: 1..<(1 << 61))
        if try claim.take(number) {
          state.holder = number
          return (number, claim.place)
        }
      }
    }
  }

  /// Returns a number without a live process, and the identity of the file that shows it: a row with it is left to the
  /// next process.
  func nobody() throws(VaultError) -> (number: Int, place: String) {
    (Int.random(in: 1..<(1 << 61)), try holder().place)
  }

  /// The number of this process if it has one yet; nil if it has no locks.
  var ownHolder: Int? { state.withLock(\.holder) }

  /// Returns true if the holder of a row is a process that has ended.
  ///
  /// The lock is then this process's to release, until every caller that got true has called ``letGo(_:isGone:)``.
  ///
  /// - Parameter row: The row of the lock. In a copy of the file where its holder is seen, every holder looks dead.
  func adopts(_ row: HeldLockRow) throws(VaultError) -> Bool {
    try state.withLock { state throws(VaultError) in
      guard try claim(&state).place == row.place, state.holder != row.holder else { return false }
      if state.adopted[row.left.number] != nil {
        state.adopted[row.left.number]?.users += 1
        return true
      }
      if !state.adopted.values.contains(where: { $0.holder == row.holder }) {
        guard try claim(&state).take(row.holder) else { return false }
      }
      state.adopted[row.left.number] = Adopted(holder: row.holder)
      return true
    }
  }

  /// Stops handling a row; once no task here does, any process may take it.
  ///
  /// - Parameter isGone: True if the row no longer exists.
  func letGo(_ number: Int, isGone: Bool = false) {
    state.withLock { state in
      guard var adopted = state.adopted[number] else { return }
      adopted.users -= 1
      if adopted.users > 0, !isGone {
        state.adopted[number] = adopted
        return
      }
      state.adopted[number] = nil
      if state.adopted.values.contains(where: { $0.holder == adopted.holder }) { return }
      // A lock that cannot be let go is kept until the process ends.
      try? state.claim?.letGo(adopted.holder)
    }
  }

  private func claim(_ state: inout State) throws(VaultError) -> HolderClaim {
    if let claim = state.claim { return claim }
    let claim = try HolderClaim(folder: folder)
    state.claim = claim
    return claim
  }

  /// Returns the number of the row that already records a lock, which then keeps it, and the time it was written.
  func kept(_ lock: HeldLock) -> (number: Int, written: Instant)? {
    state.withLock { state in
      state.rows[lock]?.freeSince = nil
      return state.rows[lock].map { ($0.number, $0.written) }
    }
  }

  func add(_ lock: HeldLock, _ number: Int, written: Instant) {
    state.withLock { $0.rows[lock] = Row(number: number, written: written) }
  }

  /// Removes the row of a lock from this process's records; returns nil if it is not recorded.
  func remove(_ lock: HeldLock) -> Int? { state.withLock { $0.rows.removeValue(forKey: lock)?.number } }

  /// Marks a lock as free, and has that written unless it is requested again within a while.
  ///
  /// - Parameter write: Writes the result of ``takeFree(_:)`` until it is empty.
  func free(_ lock: HeldLock, _ write: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard state.rows[lock] != nil else { return }
      state.rows[lock]?.freeSince = .now
      beginRest(&state, write)
    }
  }

  /// Starts the wait before writing, unless one runs or a write is in progress.
  private func beginRest(_ state: inout State, _ write: @escaping @Sendable () async -> Void) {
    if state.resting != nil || state.settling != nil { return }
    state.resting = Task { [self] in
      guard (try? await Task.sleep(for: rest)) != nil else { return }
      self.state.withLock { state in
        // A task canceled meanwhile must not write.
        if Task.isCancelled { return }
        state.resting = nil
        if state.settling == nil { state.settling = Task { await write() } }
      }
    }
  }

  /// Takes the rows to be deleted; nil if there are none now, which ends the writing.
  func takeFree(
    _ write: @escaping @Sendable () async -> Void
  ) -> [HeldLock: (number: Int, written: Instant)]? {
    state.withLock { state in
      let (isHurried, latest) = (state.isHurried, ContinuousClock.now - rest)
      let free = state.rows.filter { row in row.value.freeSince.map { isHurried || $0 <= latest } ?? false }
      guard !free.isEmpty else {
        (state.settling, state.isHurried) = (nil, false)
        if state.rows.values.contains(where: { $0.freeSince != nil }) { beginRest(&state, write) }
        return nil
      }
      for lock in free.keys { state.rows[lock] = nil }
      return free.mapValues { ($0.number, $0.written) }
    }
  }

  /// Puts back rows that still exist; they are deleted with the next ones.
  func putBack(_ rows: [HeldLock: (number: Int, written: Instant)]) {
    state.withLock { state in
      (state.settling, state.isHurried) = (nil, false)
      for (lock, row) in rows where state.rows[lock] == nil {
        state.rows[lock] = Row(number: row.number, written: row.written, freeSince: .now)
      }
    }
  }

  /// Waits until all is written that is free by now.
  func settle(_ write: @escaping @Sendable () async -> Void) async {
    let settling = state.withLock { state in
      state.resting?.cancel()
      state.resting = nil
      if state.rows.values.contains(where: { $0.freeSince != nil }) {
        state.isHurried = true
        if state.settling == nil { state.settling = Task { await write() } }
      }
      return state.settling
    }
    await settling?.value
  }

  /// Forgets all records, as they no longer exist; the process stays alive for others.
  func forgetRows() { state.withLock { $0.rows = [:] } }

  /// Releases all claims, as the end of the process does.
  func close() {
    state.withLock { state in
      state.resting?.cancel()
      state.claim?.release()
      state = State()
    }
  }
}
