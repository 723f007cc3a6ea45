import Testing

@testable import WSABI

struct PermissionTests {
  @Test func `each permission is granted to the listed roles`() {
    let table: [(Permission, [Role])] = [
      (.readRecords, [.operator, .reviewer, .admin]), (.addPeople, [.operator, .admin]),
      (.editPeople, [.operator, .admin]), (.deletePeople, [.admin]), (.editItems, [.operator, .admin]),
      (.annotate, [.operator, .reviewer, .admin]), (.capture, [.operator, .admin]),
      (.clearCaptures, [.operator, .admin]), (.deleteItems, [.operator, .admin]), (.useSensors, [.operator, .admin]),
      (.exportRecords, [.reviewer, .admin]), (.importRecords, [.operator, .admin]), (.readAudit, [.reviewer, .admin]),
      (.manageUsers, [.admin]), (.manageKeys, [.admin]),
    ]
    #expect(table.map(\.0) == Permission.allCases)
    for (permission, roles) in table {
      #expect(Role.allCases.filter { $0.may(permission) } == roles, "\(permission)")
    }
  }

  @Test func `exports, deletions and user and key management require the key again`() {
    let again = Permission.allCases.filter(\.needsKeyAgain)
    #expect(again == [.deletePeople, .clearCaptures, .deleteItems, .exportRecords, .manageUsers, .manageKeys])
  }
}
