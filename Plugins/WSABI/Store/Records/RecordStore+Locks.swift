import PluginAPI
import PluginStore

extension RecordStore {
  func willLock(_ lock: HeldLock) async throws {
    // A process that only reads while the store is locked has no key to write it down.
    guard !isLocked else { return }
    let old = heldLocks.kept(lock)
    let now = options.clock()
    if let old, now.seconds(since: old.written) < Self.renewalInSeconds { return }
    let holder = try heldLocks.holder()
    // With many concurrent sensors they share a transaction, as all changes do.
    let number = try await change(nil) { scope in
      if let old { try HeldLockRow.delete(old.number, scope) }
      return try HeldLockRow.insert(lock, holder: holder.number, at: holder.place, scope)
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
    let nobody = try heldLocks.nobody()
    let old = heldLocks.remove(lock)
    try await change(nil) { scope in
      if let old { try HeldLockRow.delete(old, scope) }
      try HeldLockRow.insert(lock, holder: nobody.number, at: nobody.place, isStolen: true, scope)
    }
  }

  func takeOver(_ left: LeftLock) async throws {
    let holder = try heldLocks.holder()
    let number = try await change(nil) { scope in
      try HeldLockRow.delete(left.number, scope)
      return try HeldLockRow.insert(left.lock, holder: holder.number, at: holder.place, scope)
    }
    heldLocks.add(left.lock, number, written: options.clock())
    heldLocks.letGo(left.number, isGone: true)
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
      do { try vault.check(.useSensors, connection) } catch VaultError.notPermitted { return [] }
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
    for number in numbers where !(there?.contains(number) ?? false) { heldLocks.letGo(number) }
    return adopted.filter { there?.contains($0.number) ?? false }
  }

  func gaveBack(_ left: LeftLock) async throws {
    try await forget(left, as: .lockGivenBack)
    heldLocks.letGo(left.number, isGone: true)
  }

  @discardableResult
  func leave(_ left: LeftLock, wasTried: Bool) async -> Bool {
    let age = options.clock().seconds(since: left.asked)
    // An entry that cannot be written now is tried and forgotten another time.
    let isForgotten =
      wasTried && age > LeftLock.longestLifeInSeconds ? (try? await forget(left, as: .lockForgotten)) != nil : false
    heldLocks.letGo(left.number, isGone: isForgotten)
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
