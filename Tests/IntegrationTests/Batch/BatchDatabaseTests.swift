import Foundation
import Glibc
import PluginText
import TestSupport
import Testing

/// Results of batch runs in a PostgreSQL database, from the command line.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(20)))
struct BatchDatabaseTests {
  @Test func `gathering adds results that the database lacks`() throws {
    let address = try PostgresServer.shared.get().address
    let home = try BatchHome()
    try home.planNested(20)
    #expect(try home.batch("gather", ["--into", address]).errorCode == "batch.items-missing")
    #expect(try home.batch("run").status == 0)
    for added in [20, 0] {
      let outcome = try home.batch("gather", ["--into", address])
      #expect(outcome.status == 0 && outcome.output == "")
      #expect(outcome.errors.contains("added \(added) of 20 results"), "\(outcome.errors)")
    }
  }

  @Test func `unsuitable addresses and options have their exit statuses`() throws {
    let home = try BatchHome()
    try home.planNested(1)
    #expect(try home.batch("run").status == 0)
    func refusal(_ options: String...) throws -> String {
      let outcome = try home.batch("gather", options)
      return "\(outcome.status) \(outcome.errorCode ?? "")"
    }
    let address = "postgresql://ada@127.0.0.1:1/lab"
    #expect(try refusal("--into", address) == "6 store.unreachable")
    #expect(try refusal("--into", address, "--offline") == "6 store.unreachable")
    #expect(try refusal("--into", address, "--output", "results.jsonl") == "2 host.unfitting-argument")
    #expect(try refusal("--into", address, "--format", "csv") == "2 host.unfitting-argument")
    #expect(try refusal("--into", "postgresql://ada:secret@127.0.0.1/lab") == "7 store.password-in-address")
    #expect(try refusal("--into", "postgresql://db.example.org/lab?sslmode=require") == "7 store.insecure-address")
    #expect(try refusal("--into", "mysql://127.0.0.1/lab") == "2 store.bad-address")
  }

  @Test func `a gather killed at any moment has added all results or none`() throws {
    let address = try PostgresServer.shared.get().address
    var random = SplitMix64(seed: 24)
    for _ in 0..<6 {
      let home = try BatchHome()
      try home.planNested(400)
      #expect(try home.batch("run", ["--workers", "2"]).status == 0)
      let gather = try home.process("batch", "gather", home.run.path, "--into", address)
      usleep(UInt32.random(in: 5_000...150_000, using: &random))
      kill(gather.processIdentifier, SIGKILL)
      gather.waitUntilExit()
      let outcome = try home.batch("gather", ["--into", address])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let notes = ["added 400 of 400", "added 0 of 400"].filter(outcome.errors.contains)
      #expect(notes.count == 1, "\(outcome.errors)")
      #expect(try home.batch("gather", ["--into", address]).errors.contains("added 0 of 400"))
    }
  }

  @Test func `a gather during which the server crashes is an error or has added all, and can be repeated`() throws {
    let server = try PostgresServer()
    defer { server.stop() }
    var random = SplitMix64(seed: 24)
    for _ in 0..<3 {
      let home = try BatchHome()
      try home.planNested(400)
      #expect(try home.batch("run", ["--workers", "2"]).status == 0)
      let gather = try home.process("batch", "gather", home.run.path, "--into", server.address)
      usleep(UInt32.random(in: 5_000...100_000, using: &random))
      try server.crash()
      gather.waitUntilExit()
      #expect([0, 6].contains(gather.terminationStatus) && gather.terminationReason == .exit)
      try server.start()
      let outcome = try home.batch("gather", ["--into", server.address])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let notes = ["added 400 of 400", "added 0 of 400"].filter(outcome.errors.contains)
      #expect(notes.count == 1, "\(outcome.errors)")
      #expect(try home.batch("gather", ["--into", server.address]).errors.contains("added 0 of 400"))
    }
  }
}
