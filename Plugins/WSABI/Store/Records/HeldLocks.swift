import PluginAPI
import PluginStore
import Synchronization

extension RecordStore {
  func willLock(_ lock: HeldLock) async throws {
    // A process that only reads while the store is locked has no key to write it down.
    guard !isLocked else { return }
    let old = heldLocks.kept(lock)
    let now = now
    if let old, now.seconds(since: old.written) < Self.renewalInSeconds { return }
    let holder = try heldLocks.holder()
    // With many concurrent sensors they share a transaction, as all changes do.
    let number = try await change(nil) { scope in
      if let old { try HeldLockRow.delete(old.number, scope) }
      return try HeldLockRow.insert(lock, holder: holder.number, at: holder.fileIdentity, scope)
    }
    heldLocks.add(lock, number, written: now)
  }

  /// The time after which a requested lock is written again, so that its age is that of the last use.
  private static let renewalInSeconds = 3600.0

  func didUnlock(_ lock: HeldLock) {
    // The caller does not wait for it.
    heldLocks.free(lock) { await self.writeFree() }
  }

  /// Leaves a lock that was stolen to the next capture at its sensor, of this process or another.
  func handOver(_ lock: HeldLock) async throws {
    try await leave(lock, replacing: heldLocks.remove(lock), isStolen: true)
  }

  func abandon(_ lock: HeldLock) async {
    guard let row = heldLocks.remove(lock) else { return }
    // A row that cannot be replaced now stays this process's, until it ends.
    try? await leave(lock, replacing: row, isStolen: false)
  }

  private func leave(_ lock: HeldLock, replacing old: Int?, isStolen: Bool) async throws {
    let nobody = try heldLocks.nobody()
    try await change(nil) { scope in
      if let old { try HeldLockRow.delete(old, scope) }
      try HeldLockRow.insert(lock, holder: nobody.number, at: nobody.fileIdentity, isStolen: isStolen, scope)
    }
  }

  func takeOver(_ left: LeftLock) async throws {
    let holder = try heldLocks.holder()
    let number = try await change(nil) { scope in
      try HeldLockRow.delete(left.number, scope)
      return try HeldLockRow.insert(left.lock, holder: holder.number, at: holder.fileIdentity, scope)
    }
    heldLocks.add(left.lock, number, written: now)
    heldLocks.release(left.number, isGone: true)
  }

  func settleLocks() async { await heldLocks.settle { await self.writeFree() } }

  private func writeFree() async {
    while let rows = heldLocks.takeFree({ await self.writeFree() }) {
      do {
        try await change(nil) { scope in for row in rows.values { try HeldLockRow.delete(row.number, scope) } }
      } catch {
        return heldLocks.putBack(rows)
      }
    }
  }

  func leftLocks(at address: SensorAddress?) async throws -> [LeftLock] {
    guard !isLocked else { return [] }
    let vault = try opened()
    let own = heldLocks.ownHolder
    let rows = try await sqlite.read { connection -> [HeldLockRow] in
      try Header.checkKeys(connection, vault)
      // This is not an error: a user who may not use sensors leaves the locks to others.
      do { try vault.check(.useSensors, connection) } catch VaultRefusal.permission { return [] }
      return try HeldLockRow.others(than: own, connection, vault.keys)
    }
    let adopted = rows.filter { row in
      if let address, address.text != row.left.lock.address.text { return false }
      // A lock that cannot be claimed now is left to others.
      return (try? heldLocks.adopts(row)) ?? false
    }.map(\.left)
    if adopted.isEmpty { return [] }
    // The process that had such a lock has released it meanwhile.
    let numbers = adopted.map(\.number)
    let there = try? await sqlite.read { connection in
      Set(try numbers.filter { try HeldLockRow.isThere($0, connection) })
    }
    for number in numbers where !(there?.contains(number) ?? false) { heldLocks.release(number) }
    return adopted.filter { there?.contains($0.number) ?? false }
  }

  func gaveBack(_ left: LeftLock) async throws {
    try await forget(left, as: .lockGivenBack)
    heldLocks.release(left.number, isGone: true)
  }

  @discardableResult
  func leave(_ left: LeftLock, wasTried: Bool) async -> Bool {
    let age = now.seconds(since: left.asked)
    // An entry that cannot be written now is tried and forgotten another time.
    let isForgotten =
      wasTried && age > LeftLock.longestLifeInSeconds ? (try? await forget(left, as: .lockForgotten)) != nil : false
    heldLocks.release(left.number, isGone: isForgotten)
    return isForgotten
  }

  private func forget(_ left: LeftLock, as action: AuditAction) async throws {
    try await record { scope in
      guard try HeldLockRow.isThere(left.number, scope.connection) else { return }
      try HeldLockRow.delete(left.number, scope)
      var event = AuditEvent(action, address: left.lock.address.text)
      event.session = left.lock.session
      try scope.audit(event)
    }
  }
}

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
    var writing = Writing.none
    var hasFreeRows: Bool { rows.values.contains { $0.freeSince != nil } }
  }

  /// The writing of free rows.
  private enum Writing {
    case none
    /// The task waits until the rows can be written.
    case resting(Task<Void, Never>)
    /// The task writes; rows that became free recently are included only if it is hurried.
    case running(Task<Void, Never>, isHurried: Bool)
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
  func holder() throws(ErrorReport) -> (number: Int, fileIdentity: String) {
    try state.withLock { state throws(ErrorReport) in
      let claim = try claim(&state)
      if let holder = state.holder { return (holder, claim.fileIdentity) }
      while true {
        let number = Int.random(in: 1..<(1 << 61))
        if try claim.take(number) {
          state.holder = number
          return (number, claim.fileIdentity)
        }
      }
    }
  }

  /// Returns a number without a live process, and the identity of the file that shows it: a row with it is left to the
  /// next process.
  func nobody() throws(ErrorReport) -> (number: Int, fileIdentity: String) {
    (Int.random(in: 1..<(1 << 61)), try holder().fileIdentity)
  }

  /// The number of this process if it has one yet; nil if it has no locks.
  var ownHolder: Int? { state.withLock(\.holder) }

  /// Returns true if the holder of a row is a process that has ended.
  ///
  /// The lock is then this process's to release, until every caller that got true has called ``release(_:isGone:)``.
  ///
  /// - Parameter row: The row of the lock. In a copy of the file where its holder is seen, every holder looks dead.
  func adopts(_ row: HeldLockRow) throws(ErrorReport) -> Bool {
    try state.withLock { state throws(ErrorReport) in
      guard try claim(&state).fileIdentity == row.fileIdentity, state.holder != row.holder else { return false }
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
  func release(_ number: Int, isGone: Bool = false) {
    state.withLock { state in
      guard var adopted = state.adopted[number] else { return }
      adopted.users -= 1
      if adopted.users > 0, !isGone {
        state.adopted[number] = adopted
        return
      }
      state.adopted[number] = nil
      if state.adopted.values.contains(where: { $0.holder == adopted.holder }) { return }
      // A claim that cannot be released stays until the process ends.
      try? state.claim?.release(adopted.holder)
    }
  }

  private func claim(_ state: inout State) throws(ErrorReport) -> HolderClaim {
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
    guard case .none = state.writing else { return }
    let task = Task { [self] in
      guard (try? await Task.sleep(for: rest)) != nil else { return }
      self.state.withLock { state in
        // A task canceled meanwhile must not write.
        if !Task.isCancelled { state.writing = .running(Task { await write() }, isHurried: false) }
      }
    }
    state.writing = .resting(task)
  }

  /// Takes the rows to be deleted; nil if there are none now, which ends the writing.
  func takeFree(
    _ write: @escaping @Sendable () async -> Void
  ) -> [HeldLock: (number: Int, written: Instant)]? {
    state.withLock { state in
      let isHurried = if case .running(_, true) = state.writing { true } else { false }
      let latest = ContinuousClock.now - rest
      let free = state.rows.filter { row in row.value.freeSince.map { isHurried || $0 <= latest } ?? false }
      guard !free.isEmpty else {
        state.writing = .none
        if state.hasFreeRows { beginRest(&state, write) }
        return nil
      }
      for lock in free.keys { state.rows[lock] = nil }
      return free.mapValues { ($0.number, $0.written) }
    }
  }

  /// Puts back rows that still exist; they are deleted with the next ones.
  func putBack(_ rows: [HeldLock: (number: Int, written: Instant)]) {
    state.withLock { state in
      state.writing = .none
      for (lock, row) in rows where state.rows[lock] == nil {
        state.rows[lock] = Row(number: row.number, written: row.written, freeSince: .now)
      }
    }
  }

  /// Waits until all is written that is free by now.
  func settle(_ write: @escaping @Sendable () async -> Void) async {
    let task = state.withLock { state -> Task<Void, Never>? in
      if case .running(let task, _) = state.writing {
        if state.hasFreeRows { state.writing = .running(task, isHurried: true) }
        return task
      }
      if case .resting(let task) = state.writing { task.cancel() }
      state.writing = .none
      guard state.hasFreeRows else { return nil }
      let task = Task { await write() }
      state.writing = .running(task, isHurried: true)
      return task
    }
    await task?.value
  }

  /// Forgets all records, as they no longer exist; the process stays alive for others.
  func forgetRows() { state.withLock { $0.rows = [:] } }

  /// Releases all claims, as the end of the process does.
  func close() {
    state.withLock { state in
      if case .resting(let task) = state.writing { task.cancel() }
      state.claim?.release()
      state = State()
    }
  }
}

/// A row of a sensor's lock, which reveals neither address nor session.
struct HeldLockRow {
  /// The requesting process, by its number of ``HolderClaim``.
  var holder: Int
  /// The file where that process is seen to live, by ``HolderClaim/fileIdentity``.
  var fileIdentity: String
  var left: LeftLock

  static func place(_ id: Int, holder: Int) -> RecordPlace {
    RecordPlace(kind: .heldLock, id: id, owner: holder, version: 1)
  }

  /// Writes that a process requests a lock.
  ///
  /// - Parameters:
  ///   - claimed: The file where the process is seen to live.
  ///   - isStolen: True if the lock waits for the next capture at its sensor.
  /// - Returns: The number of the row.
  @discardableResult
  static func insert(
    _ lock: HeldLock, holder: Int, at claimed: String, isStolen: Bool = false, _ scope: WriteScope
  ) throws -> Int {
    let number = try scope.nextID(of: "held")
    var writer = ByteWriter(form: isStolen ? 2 : 1)
    writer.put(lock.address)
    writer.put(lock.address.trust)
    writer.put(lock.session)
    writer.put(scope.now)
    writer.put(claimed)
    let sealed = try scope.keys.seal(writer.bytes, as: place(number, holder: holder))
    try scope.connection.execute(
      "INSERT INTO held (id, holder, key, body) VALUES (?, ?, ?, ?)", [number, holder, sealed.key, sealed.body])
    return number
  }

  /// Returns all rows, oldest first.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` at the first that cannot be opened.
  static func all(_ connection: Connection, _ keys: VaultKeys) throws -> [HeldLockRow] {
    try connection.list("SELECT id, holder, key, body FROM held ORDER BY id") { try row($0, keys) }
  }

  /// Returns the rows of all processes but one, oldest first; damaged ones are left out, and found by the check of the
  /// store.
  static func others(than holder: Int?, _ connection: Connection, _ keys: VaultKeys) throws -> [HeldLockRow] {
    // A process has a number from 1 on.
    try connection.list("SELECT id, holder, key, body FROM held WHERE holder <> ? ORDER BY id", [holder ?? 0]) {
      try? row($0, keys)
    }.compactMap(\.self)
  }

  private static func row(_ row: Row, _ keys: VaultKeys) throws -> HeldLockRow {
    let place = place(row.integer(0), holder: row.integer(1))
    let bytes = try keys.open(SealedRecord(key: row.bytes(2), body: row.bytes(3)), of: place)
    return try decoded(bytes, forms: 1...2, as: place) { reader throws(ByteReader.Problem) in
      var address = try reader.address()
      address.trust = try reader.trust()
      let session = try reader.uuid()
      let lock = HeldLock(address: address, session: session)
      let left = LeftLock(number: place.id, lock: lock, asked: try reader.instant(), isStolen: bytes[0] == 2)
      return HeldLockRow(holder: place.owner, fileIdentity: try reader.text(), left: left)
    }
  }

  static func delete(_ number: Int, _ scope: WriteScope) throws {
    try scope.connection.execute("DELETE FROM held WHERE id = ?", [number])
  }

  static func isThere(_ number: Int, _ connection: Connection) throws -> Bool {
    try !connection.value("SELECT 1 FROM held WHERE id = ?", [number]).isNull
  }
}
