import PluginVault
import Testing

@testable import WSABI

struct StoreUserTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func words(_ text: String) -> VaultKeySource { .passphrase(Array(text.utf8)) }

  @Test func `each user opens the store with their own key, in their own role`() async throws {
    let store = try await folder.create()
    let bob = try await store.addUser("bob", .operator, key: words("one two three"))
    _ = try await store.addUser("eve", .reviewer, key: .key([UInt8](repeating: 7, count: 32)))
    #expect(try await store.users().map(\.name) == ["anna", "bob", "eve"])
    await store.close()
    let his = try await folder.open(key: words("one two three"))
    #expect(his.user == bob)
    await his.close()
    let hers = try await folder.open(key: .key([UInt8](repeating: 7, count: 32)))
    #expect(hers.user?.role == .reviewer)
    await hers.close()
  }

  @Test func `names and keys of users are unique`() async throws {
    let store = try await folder.create()
    _ = try await store.addUser("bob", .operator, key: words("one"))
    await #expect(throws: VaultError.userExists) { try await store.addUser("bob", .admin, key: words("two")) }
    await #expect(throws: VaultError.userExists) { try await store.addUser("eve", .admin, key: words("one")) }
    await #expect(throws: VaultError.userExists) { try await store.changeKey(to: words("one")) }
    await store.close()
  }

  @Test func `a replaced key no longer opens the store, and the records remain`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    try await store.changeKey(to: words("new words"))
    await store.close()
    await #expect(throws: VaultError.wrongKey) { try await folder.open() }
    let again = try await folder.open(key: words("new words"))
    #expect(try await again.item(item.id) == item)
    await again.close()
  }

  @Test func `a removed user cannot open the store, and the last administrator cannot be removed`() async throws {
    let store = try await folder.create()
    let bob = try await store.addUser("bob", .operator, key: words("one"))
    await #expect(throws: VaultError.lastAdmin) { try await store.removeUser(1) }
    await #expect(throws: VaultError.lastAdmin) { try await store.setRole(.operator, of: 1) }
    await #expect(throws: VaultError.noUser(9)) { try await store.removeUser(9) }
    #expect(try await store.setRole(.admin, of: bob.id).role == .admin)
    try await store.removeUser(bob.id)
    #expect(try await store.check().isEmpty)
    await store.close()
    await #expect(throws: VaultError.wrongKey) { try await folder.open(key: words("one")) }
  }

  @Test func `the store recognizes the key of the user who opened it`() async throws {
    let store = try await folder.create()
    _ = try await store.addUser("bob", .operator, key: words("one"))
    #expect(try await store.isOwnKey(StoreFolder.passphrase))
    #expect(try await !store.isOwnKey(words("one")))
    #expect(try await !store.isOwnKey(words("none")))
    await store.close()
  }

  @Test func `a changed role applies from the next write, and a removed user is locked out`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let bob = try await store.addUser("bob", .operator, key: words("one"))
    let his = try await folder.open(key: words("one"))
    let number = try await his.begin(StoreSamples.intent(item.id))
    _ = try await store.setRole(.reviewer, of: bob.id)
    await #expect(throws: VaultRefusal.permission(.reviewer, .addPeople)) { _ = try await his.samplePerson("Eve") }
    await #expect(throws: VaultRefusal.permission(.reviewer, .capture)) { try await his.checkPermission(.capture) }
    #expect(his.user?.role == .reviewer)
    #expect(try await his.verifyAudit().isWhole)
    // An earlier request to a sensor is still recorded: its data cannot be obtained twice.
    try await his.captured(number, ids: [StoreSamples.uuid(1)])
    _ = try await store.setRole(.operator, of: bob.id)
    await #expect(throws: VaultRefusal.permission(.operator, .readAudit)) { try await his.verifyAudit() }
    _ = try await his.samplePerson("Bob")
    try await store.removeUser(bob.id)
    await #expect(throws: VaultError.locked) { try await his.person(item.person) }
    #expect(his.isLocked)
    #expect(try await store.people(0..<9).total == 2)
    let refused = try await store.auditEntries(1..<100).filter { $0.event.action == .permissionRefused }
    #expect(refused.map(\.event.outcome) == ["addPeople", "capture", "readAudit"])
    #expect(refused.map(\.role) == [.reviewer, .reviewer, .operator])
    await his.close()
    await store.close()
  }

  @Test func `an action that a role does not allow is refused and logged, and changes nothing`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    _ = try await store.addUser("eve", .reviewer, key: words("eve"))
    await store.close()
    let hers = try await folder.open(key: words("eve"))
    await #expect(throws: VaultRefusal.permission(.reviewer, .deletePeople)) {
      try await hers.deletePerson(item.person)
    }
    await #expect(throws: VaultRefusal.permission(.reviewer, .capture)) {
      try await hers.begin(StoreSamples.intent(item.id))
    }
    #expect(try await hers.person(item.person).biography.firstName == "Ada")
    let entries = try await hers.auditEntries(1..<100)
    #expect(
      entries.filter { $0.event.action == .permissionRefused }.map(\.event.outcome) == ["deletePeople", "capture"])
    #expect(entries.last { $0.event.action == .permissionRefused }?.user == "eve")
    await hers.close()
    let again = try await folder.open()
    _ = try await again.addUser("bob", .operator, key: words("bob"))
    await again.close()
    let his = try await folder.open(key: words("bob"))
    await #expect(throws: VaultRefusal.permission(.operator, .readAudit)) { try await his.verifyAudit() }
    await his.close()
  }
}
