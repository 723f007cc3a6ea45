import Synchronization

/// The locks this process has written down, and the dead processes whose locks it gives back.
final class HeldLocks: Sendable {
  private struct Row {
    let number: Int
    /// Whether it is known that the lock is not held any more, which is not written yet.
    var isFree = false
  }

  private struct State {
    var claim: HolderClaim?
    var holder: Int?
    /// Of processes that are no more.
    var adopted: Set<Int> = []
    var rows: [HeldLock: Row] = [:]
    var settling: Task<Void, Never>?
  }

  private let folder: String
  private let state = Mutex(State())

  init(folder: String) { self.folder = folder }

  /// The number of this process, under which others see that it lives, and the file where they see it.
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

  /// Whether a holder is a process that is no more; its locks are this one's to give back then.
  ///
  /// - Parameter place: The file where the holder is seen; in a copy of it everybody looks dead.
  func adopts(_ holder: Int, at place: String) throws(VaultError) -> Bool {
    try state.withLock { state throws(VaultError) in
      guard try claim(&state).place == place else { return false }
      if state.holder == holder { return false }
      if state.adopted.contains(holder) { return true }
      guard try claim(&state).take(holder) else { return false }
      state.adopted.insert(holder)
      return true
    }
  }

  private func claim(_ state: inout State) throws(VaultError) -> HolderClaim {
    if let claim = state.claim { return claim }
    let claim = try HolderClaim(folder: folder)
    state.claim = claim
    return claim
  }

  /// Whether a lock is written down already, which it stays then.
  func keeps(_ lock: HeldLock) -> Bool {
    state.withLock { state in
      state.rows[lock]?.isFree = false
      return state.rows[lock] != nil
    }
  }

  func add(_ lock: HeldLock, _ number: Int) { state.withLock { $0.rows[lock] = Row(number: number) } }

  /// Marks a lock as free, and has that written if nobody does so already.
  func free(_ lock: HeldLock, _ write: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard state.rows[lock] != nil else { return }
      state.rows[lock]?.isFree = true
      if state.settling == nil { state.settling = Task { await write() } }
    }
  }

  /// Takes the rows that are to go; nil if there are none, and nobody writes any more.
  func takeFree() -> [HeldLock: Int]? {
    state.withLock { state in
      let free = state.rows.filter(\.value.isFree)
      guard !free.isEmpty else {
        state.settling = nil
        return nil
      }
      for lock in free.keys { state.rows[lock] = nil }
      return free.mapValues(\.number)
    }
  }

  /// Puts rows back that are there still; they go with the next ones.
  func putBack(_ rows: [HeldLock: Int]) {
    state.withLock { state in
      state.settling = nil
      for (lock, number) in rows where state.rows[lock] == nil {
        state.rows[lock] = Row(number: number, isFree: true)
      }
    }
  }

  /// Waits until all is written that is free by now.
  func settle(_ write: @escaping @Sendable () async -> Void) async {
    let settling = state.withLock { state in
      if state.settling == nil, state.rows.values.contains(where: \.isFree) { state.settling = Task { await write() } }
      return state.settling
    }
    await settling?.value
  }

  /// Forgets what is written down, as it is not there any more; the process stays alive to others.
  func forgetRows() { state.withLock { $0.rows = [:] } }

  /// Lets go of what was claimed, as the end of the process does.
  func close() { state.withLock { ($0.claim, $0.holder, $0.adopted, $0.rows) = (nil, nil, [], [:]) } }
}
