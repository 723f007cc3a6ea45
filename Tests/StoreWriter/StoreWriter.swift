import Glibc
import PluginAPI
import PluginStore

/// A process of its own for tests of stores: writes until it is killed, or tries a file as another user.
@main enum StoreWriter {
  static let migrations = [
    Migration(
      1, "ledger",
      sql: """
        CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);
        CREATE TABLE entry (id INTEGER PRIMARY KEY, batch INTEGER NOT NULL, account INTEGER NOT NULL
          REFERENCES account, amount INTEGER NOT NULL, note TEXT NOT NULL);
        CREATE INDEX entry_account ON entry (account);
        """)
  ]

  /// `write PATH COUNT`: books COUNT batches, a letter on standard output for every step; `try PATH USER`: one write.
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let number = Int(arguments[3]) else { exit(2) }
    // Patient: the test is that nothing is lost, not how long three writers wait on a busy machine.
    let store = SQLiteStore(
      name: "ledger", path: arguments[2], migrations: migrations, options: .init(lockTimeoutInSeconds: 60))
    do {
      if arguments[1] == "try" {
        guard setuid(UInt32(number)) == 0 else { exit(2) }
        try await store.write { try $0.execute("INSERT INTO account (balance) VALUES (0)") }
      } else {
        for _ in 0..<number { try await book(in: store) }
      }
      await store.close()
    } catch let error as StoreError {
      print(error.report.code)
      exit(1)
    } catch {
      exit(2)
    }
  }

  /// Books a batch of ten entries whose amounts sum to nothing, and keeps the balances.
  private static func book(in store: SQLiteStore) async throws {
    try await store.write { connection in
      let batch = try connection.value("SELECT coalesce(max(batch), 0) + 1 FROM entry").integer ?? 0
      for step in 0..<10 {
        let (account, amount) = (step % 5 + 1, (step < 5 ? 1 : -1) * (batch + step % 5))
        try connection.execute(
          "INSERT INTO account VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET balance = balance + excluded.balance",
          [account, amount])
        try connection.execute(
          "INSERT INTO entry (batch, account, amount, note) VALUES (?, ?, ?, ?)",
          [batch, account, amount, String(repeating: "x", count: 300)])
        tell("s")
      }
    }
    tell("C")
  }

  private static func tell(_ letter: StaticString) {
    _ = letter.withUTF8Buffer { write(1, $0.baseAddress, 1) }
  }
}
