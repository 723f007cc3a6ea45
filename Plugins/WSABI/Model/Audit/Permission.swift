/// The role of a user of the store.
enum Role: String, CaseIterable, Sendable {
  /// Enrols people: adds them, captures, annotates.
  case `operator`
  /// Reviews captures, annotates their faults, and passes them on.
  case reviewer
  /// Everything, keys and deletion of people included.
  case admin

  /// Returns true if this role has a permission.
  func may(_ permission: Permission) -> Bool { permission.roles.contains(self) }
}

/// A permission on the store.
enum Permission: String, CaseIterable, Sendable {
  case readRecords
  case addPeople
  case editPeople
  case deletePeople
  case editItems
  case annotate
  case capture
  case clearCaptures
  case deleteItems
  case useSensors
  case exportRecords
  case importRecords
  case readAudit
  case manageUsers
  case manageKeys

  /// The roles that have the permission.
  ///
  /// Exports and deletions also require the key again; the commands request it.
  var roles: Set<Role> {
    switch self {
    case .readRecords: [.operator, .reviewer, .admin]
    case .addPeople, .editPeople, .editItems, .capture, .clearCaptures, .useSensors: [.operator, .admin]
    case .annotate: [.operator, .reviewer, .admin]
    case .deleteItems: [.operator, .admin]
    case .exportRecords: [.reviewer, .admin]
    case .importRecords: [.operator, .admin]
    case .readAudit: [.reviewer, .admin]
    case .deletePeople, .manageUsers, .manageKeys: [.admin]
    }
  }

  /// The refused action, as in "an operator may not delete people".
  var action: String {
    switch self {
    case .readRecords: "read records"
    case .addPeople: "add people"
    case .editPeople: "edit people"
    case .deletePeople: "delete people"
    case .editItems: "add or edit items"
    case .annotate: "annotate captures"
    case .capture: "capture"
    case .clearCaptures: "clear captures"
    case .deleteItems: "delete items"
    case .useSensors: "use sensors"
    case .exportRecords: "export records"
    case .importRecords: "import records"
    case .readAudit: "read the audit log"
    case .manageUsers: "manage users"
    case .manageKeys: "manage keys"
    }
  }

  /// True if the commands request the key again before the action.
  var needsKeyAgain: Bool {
    switch self {
    case .exportRecords, .deletePeople, .deleteItems, .clearCaptures, .manageUsers, .manageKeys: true
    case .readRecords, .addPeople, .editPeople, .editItems, .annotate, .capture, .useSensors, .importRecords,
      .readAudit:
      false
    }
  }
}

/// A user with a key of the store.
struct StoreUser: Sendable, Hashable {
  /// Never reused.
  var id: Int
  var name: String
  var role: Role
}
