internal import PluginAPI

/// A numbered step from one version of a shared store's schema to the next.
///
/// Never edit a released migration: add a new one. It runs as the schema's owner, in a transaction that it must not end.
public struct PostgresMigration: Sendable {
  /// The schema version after the migration; the first is 1, and each further one is one more.
  public let version: Int
  /// A short description, for messages.
  public let name: String
  let body: @Sendable (PostgresConnection) throws -> Void

  /// Creates a migration of SQL statements.
  public init(_ version: Int, _ name: String, sql: String) {
    self.init(version, name) { try $0.execute(script: sql) }
  }

  /// Creates a migration of code.
  public init(_ version: Int, _ name: String, body: @escaping @Sendable (PostgresConnection) throws -> Void) {
    (self.version, self.name, self.body) = (version, name, body)
  }
}

/// Row policies for migrations.
///
/// Writers may insert, change and delete the rows of every table unless a migration restricts them. The owner of the
/// schema is not restricted.
public enum PostgresPolicy {
  /// Returns statements after which writers delete only the rows that they added.
  ///
  /// Everybody reads and changes all rows, but nobody changes their author. Policies for further tables, such as one
  /// whose rows belong to rows of this one, are written by hand: `ALTER TABLE … ENABLE ROW LEVEL SECURITY` and a policy
  /// for each of `SELECT`, `INSERT`, `UPDATE` and `DELETE`, as without a policy nothing is permitted.
  ///
  /// - Parameters:
  ///   - table: The table, which exists.
  ///   - column: Its column of type `text` for the author, which gets the name of the current user as its default.
  public static func deletionByAuthor(of table: String, column: String = "added_by") -> String {
    let (table, column) = (PostgresQuoting.identifier(table), PostgresQuoting.identifier(column))
    return """
      ALTER TABLE \(table) ALTER COLUMN \(column) SET DEFAULT current_user;
      ALTER TABLE \(table) ALTER COLUMN \(column) SET NOT NULL;
      ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;
      CREATE POLICY everybody_reads ON \(table) FOR SELECT USING (true);
      CREATE POLICY authors_add ON \(table) FOR INSERT WITH CHECK (\(column) = current_user);
      CREATE POLICY everybody_changes ON \(table) FOR UPDATE USING (true);
      CREATE POLICY authors_delete ON \(table) FOR DELETE USING (\(column) = current_user);
      CREATE OR REPLACE FUNCTION workbench_keep_author() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE insufficient_privilege USING MESSAGE = 'the author of a row cannot be changed';
      END $$;
      CREATE TRIGGER keep_author BEFORE UPDATE ON \(table) FOR EACH ROW
        WHEN (old.\(column) IS DISTINCT FROM new.\(column)) EXECUTE FUNCTION workbench_keep_author();

      """
  }
}

/// Creates the schema of a shared store, or updates it to the version of the code.
struct PostgresMigrator: Sendable {
  /// The role whose members own the schema.
  private static let owner = "workbench_owner"
  private static let roles = ["workbench_reader", "workbench_writer", owner]

  let store: String
  let schema: String
  /// The server and database as messages show them.
  let server: String
  let migrations: [PostgresMigration]

  init(store: String, schema: String, server: String, migrations: [PostgresMigration]) {
    precondition(
      !migrations.isEmpty && migrations.map(\.version) == Array(1...migrations.count),
      "migrations are numbered 1, 2, 3 … without a gap")
    (self.store, self.schema, self.server, self.migrations) = (store, schema, server, migrations)
  }

  /// The newest version.
  var target: Int { migrations.count }

  /// The table of the versions of a schema's stores, quoted.
  var table: String { quotedSchema + ".workbench_schema" }

  private var quotedSchema: String { PostgresQuoting.identifier(schema) }

  var notShared: PostgresError { .notShared(store: store, server: server) }

  func newerSchema(_ found: Int) -> PostgresError {
    .newerSchema(store: store, server: server, found: found, supported: target)
  }

  /// Creates or migrates the store in one transaction, in which other clients do the same only later.
  ///
  /// - Returns: A note if the roles are missing.
  func migrate(_ connection: PostgresConnection) throws -> [Diagnostic] {
    try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
    return try connection.complete("COMMIT") {
      try connection.execute(
        """
        SELECT set_config('lock_timeout', least(5000, setting::integer)::text, true) FROM pg_settings
          WHERE name = 'lock_timeout'
        """)
      try connection.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [.text("workbench_schema \(schema)")])
      let (owner, hasRoles): (String, Bool)
      if let row = try connection.first(
        "SELECT pg_get_userbyid(nspowner), pg_has_role(nspowner, 'MEMBER') FROM pg_namespace WHERE nspname = $1",
        [.text(schema)])
      {
        owner = row.text(0)
        if !row.boolean(1) {
          try checkCurrent(connection, owner: owner)
          return []
        }
        hasRoles = try makeRoles(connection)
      } else {
        hasRoles = try makeRoles(connection)
        owner = hasRoles ? Self.owner : try connection.value("SELECT current_user").text ?? ""
        try makeSchema(connection, owner: owner)
      }
      try connection.execute("SET LOCAL ROLE " + PostgresQuoting.identifier(owner))
      try update(connection)
      if hasRoles { try grantRights(connection) }
      return hasRoles ? [] : [PostgresError.noRoles(store: store, server: server)]
    }
  }

  /// Throws unless there is nothing to do for a user who cannot act as the owner.
  private func checkCurrent(_ connection: PostgresConnection, owner: String) throws {
    let found = try version(connection)
    if found > target { throw newerSchema(found) }
    if found == 0 { throw onlyOwner(connection, owner) }
    if found < target {
      throw PostgresError.olderSchema(store: store, server: server, found: found, supported: target, owner: owner)
    }
  }

  private func onlyOwner(_ connection: PostgresConnection, _ owner: String) -> PostgresError {
    .noPermission(connection.failure("only members of role '\(owner)' can create store '\(store)'"))
  }

  private func makeSchema(_ connection: PostgresConnection, owner: String) throws {
    guard try connection.value("SELECT pg_has_role($1, 'MEMBER')", [.text(owner)]).boolean == true else {
      throw onlyOwner(connection, owner)
    }
    try connection.execute("CREATE SCHEMA \(quotedSchema) AUTHORIZATION \(PostgresQuoting.identifier(owner))")
  }

  /// Runs the migrations that the store lacks.
  private func update(_ connection: PostgresConnection) throws {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(table) (
        store text PRIMARY KEY, version integer NOT NULL, migrated_at timestamptz NOT NULL DEFAULT now())
      """)
    let found = try version(connection)
    if found > target { throw newerSchema(found) }
    if found == target { return }
    // Waits for the accesses of other clients, which lock the table until they end.
    try connection.execute("LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE")
    for migration in migrations.dropFirst(found) { try run(migration, on: connection) }
    try connection.execute(
      """
      INSERT INTO \(table) (store, version) VALUES ($1, $2)
      ON CONFLICT (store) DO UPDATE SET version = excluded.version, migrated_at = excluded.migrated_at
      """, [.text(store), .integer(target)])
  }

  /// Returns the store's version; 0 for none.
  private func version(_ connection: PostgresConnection) throws -> Int {
    if try connection.value("SELECT to_regclass($1)", [.text(table)]) == .null { return 0 }
    return try connection.value("SELECT version FROM \(table) WHERE store = $1", [.text(store)]).integer ?? 0
  }

  /// Returns environment errors unchanged, and other errors as a failure of the migration.
  private func run(_ migration: PostgresMigration, on connection: PostgresConnection) throws {
    func failed(_ failure: PostgresError.Failure) -> PostgresError {
      .migrationFailed(version: migration.version, name: migration.name, failure)
    }
    do {
      try migration.body(connection)
    } catch PostgresError.failed(let failure) {
      throw failed(failure)
    } catch PostgresError.constraint(let failure) {
      throw failed(failure)
    } catch  where !(error is PostgresError || error is CancellationError) {
      throw failed(connection.failure("\(error)"))
    }
  }

  /// Creates the roles that are missing, if the user may.
  ///
  /// - Returns: True if they exist.
  private func makeRoles(_ connection: PostgresConnection) throws -> Bool {
    let names = Self.roles.map(PostgresQuoting.literal).joined(separator: ", ")
    let count = try connection.value("SELECT count(*) FROM pg_roles WHERE rolname IN (\(names))")
    if count == .integer(Self.roles.count) { return true }
    let mayCreate = try connection.value(
      "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
    guard mayCreate.boolean == true else { return false }
    for role in Self.roles {
      // Roles belong to the server: a client of another database may create them now.
      try connection.execute(
        "DO $$ BEGIN CREATE ROLE \(role); EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$")
    }
    try connection.execute(
      script: """
        GRANT workbench_reader TO workbench_writer;
        GRANT workbench_writer TO workbench_owner;
        GRANT workbench_owner TO CURRENT_USER
        """)
    return true
  }

  /// Gives readers and writers their rights in the schema; members of `workbench_owner` those of writers if it belongs
  /// to a user, who made it before the roles existed.
  private func grantRights(_ connection: PostgresConnection) throws {
    try connection.execute(
      script: """
        GRANT USAGE ON SCHEMA \(quotedSchema) TO workbench_reader, workbench_writer, workbench_owner;
        GRANT SELECT ON ALL TABLES IN SCHEMA \(quotedSchema) TO workbench_reader, workbench_writer, workbench_owner;
        GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(quotedSchema) TO workbench_writer, workbench_owner;
        REVOKE INSERT, UPDATE, DELETE ON \(table) FROM workbench_writer;
        GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(quotedSchema) TO workbench_writer, workbench_owner
        """)
  }
}
