import PluginAPI
import PluginPostgres

/// Adds gathered results to a PostgreSQL database, in the tables of ``ResultDatabase``.
///
/// Everything is one transaction: a gather that was killed has added nothing, and may be repeated. Existing rows
/// stay as they are. Values are `json`, not `jsonb`, which would change the spelling of numbers.
enum ResultTable {
  private static let schema = [
    "CREATE TABLE IF NOT EXISTS workbench_run (id uuid PRIMARY KEY, plan json NOT NULL)",
    """
    CREATE TABLE IF NOT EXISTS workbench_result (
      run uuid NOT NULL REFERENCES workbench_run, item bigint NOT NULL, id text NOT NULL, value json, error json,
      PRIMARY KEY (run, item)
    )
    """,
  ]

  /// Adds the records of a run that the database lacks.
  ///
  /// - Returns: The number of results that were added, and of all results of the run.
  /// - Throws: ``PostgresError``; ``ErrorReport`` with the code `batch.other-plan` or `batch.results-differ`.
  static func add(
    _ records: RunRecords, _ plan: RunPlan, to address: PostgresAddress, _ progress: any WorkProgress
  ) throws -> (added: Int, all: Int) {
    let connection = try PostgresConnection(address) { progress.isCancelled }
    defer { connection.close() }
    try makeTables(connection)
    return try connection.transaction {
      try addPlan(plan, connection, address)
      let all = try stage(records, connection, progress)
      let added = try connection.execute(
        """
        INSERT INTO workbench_result (run, item, id, value, error)
        SELECT $1::uuid, item, id, value, error FROM pg_temp.workbench_stage ON CONFLICT DO NOTHING
        """, [.text(plan.id)])
      if added < all { try compare(plan, connection, address) }
      return (added, all)
    }
  }

  private static func makeTables(_ connection: PostgresConnection) throws {
    // A user of existing tables needs no right to create any.
    let isThere = try connection.rows("SELECT to_regclass('workbench_result') IS NOT NULL").first?[0].boolean
    if isThere == true { return }
    try connection.transaction {
      // Two gathers at once: the later one waits for the tables of the first.
      try connection.execute("SELECT pg_advisory_xact_lock(hashtext('workbench_result'))")
      for statement in schema { try connection.execute(statement) }
    }
  }

  private static func addPlan(
    _ plan: RunPlan, _ connection: PostgresConnection, _ address: PostgresAddress
  ) throws {
    let text = JSONWriter.text(of: plan.value)
    try connection.execute(
      "INSERT INTO workbench_run (id, plan) VALUES ($1, $2) ON CONFLICT DO NOTHING", [.text(plan.id), .text(text)])
    let stored = try connection.rows("SELECT plan FROM workbench_run WHERE id = $1::uuid", [.text(plan.id)])
    guard stored.first?[0].text == text else {
      throw BatchError.otherPlan(
        "'\(address.name)' has a different plan for the run '\(plan.id)'", advice: "name another database")
    }
  }

  /// Copies all records into a table of this connection, as `COPY` cannot skip existing rows.
  private static func stage(
    _ records: RunRecords, _ connection: PostgresConnection, _ progress: any WorkProgress
  ) throws -> Int {
    // The key is for the comparison: the server knows too little of a new table to choose a plan without it.
    try connection.execute(
      """
      CREATE TEMPORARY TABLE workbench_stage (item bigint PRIMARY KEY, id text, value json, error json) ON COMMIT DROP
      """)
    return try connection.copyIn("COPY pg_temp.workbench_stage FROM STDIN") { write in
      try records.forEach(progress) { document in
        let record = try ItemRecord.read(document)
        try write([
          .integer(record["item"].integer ?? 0), .text(record["id"].text ?? ""), json(record.record?["value"]),
          json(record.record?["error"]),
        ])
      }
    }
  }

  private static func json(_ value: Value?) -> PostgresValue { value.map { .text(JSONWriter.text(of: $0)) } ?? .null }

  private static func compare(
    _ plan: RunPlan, _ connection: PostgresConnection, _ address: PostgresAddress
  ) throws {
    let differing = try connection.rows(
      """
      SELECT new.item FROM pg_temp.workbench_stage new
      JOIN workbench_result old ON old.run = $1::uuid AND old.item = new.item
      WHERE (new.id, new.value::text, new.error::text) IS DISTINCT FROM (old.id, old.value::text, old.error::text)
      ORDER BY new.item LIMIT 1
      """, [.text(plan.id)])
    guard let item = differing.first?[0].integer else { return }
    throw BatchError.resultsDiffer(
      "'\(address.name)' has a different result for item \(item)",
      advice: "to replace it, delete the rows of the run '\(plan.id)' from workbench_result first",
      details: ["item": .integer(item)])
  }
}
