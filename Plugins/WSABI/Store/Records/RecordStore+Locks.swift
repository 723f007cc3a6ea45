import PluginStore

extension RecordStore {
  func willLock(_ lock: HeldLock) async throws {
    // Who only looks while the store is locked has no key to write it down with.
    guard !isLocked, !heldLocks.keeps(lock) else { return }
    let holder = try heldLocks.holder()
    // With many sensors at once they share a transaction, as all changes do.
    let number = try await change(nil) { try HeldLockRow.insert(lock, holder: holder.number, at: holder.place, $0) }
    heldLocks.add(lock, number)
  }

  func didUnlock(_ lock: HeldLock) {
    // Nobody waits for it: it goes with what is written beside it.
    heldLocks.free(lock) { await self.writeFree() }
  }

  func settleLocks() async { await heldLocks.settle { await self.writeFree() } }

  private func writeFree() async {
    while let rows = heldLocks.takeFree() {
      do {
        try await change(nil) { scope in for number in rows.values { try HeldLockRow.delete(number, scope) } }
      } catch {
        return heldLocks.putBack(rows)
      }
    }
  }

  func leftLocks(at address: SensorAddress?) async throws -> [LeftLock] {
    guard !isLocked else { return [] }
    let vault = try opened()
    let rows = try await sqlite.read { connection -> [HeldLockRow] in
      try Header.checkKeys(connection, vault)
      // Nothing is refused to anybody: whoever may not use sensors leaves it to others.
      do { try vault.check(.useSensors, connection) } catch VaultError.notPermitted { return [] }
      return try HeldLockRow.all(connection, vault.keys)
    }
    return try rows.filter { row in
      if let address, address.text != row.left.lock.address.text { return false }
      return try heldLocks.adopts(row.holder, at: row.place)
    }.map(\.left)
  }

  func gaveBack(_ left: LeftLock) async throws {
    try await record { scope in
      try HeldLockRow.delete(left.number, scope)
      var event = AuditEvent(.lockGivenBack, address: left.lock.address.text)
      event.session = left.lock.session
      try scope.audit(event)
    }
  }
}
