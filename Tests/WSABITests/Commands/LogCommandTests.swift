import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import WSABI

/// The head of the audit log, noted elsewhere and compared later, with the commands of a user.
@Suite(.timeLimit(.minutes(5)))
struct LogCommandTests {
  private func head(_ user: StationUser) async throws -> String {
    let page = try await user.value("log --head --limit 0 --key-file \(user.keyFile)")
    #expect(page["entries"].list?.isEmpty == true)
    return try #require(page["head"].text)
  }

  @Test func `a noted head is found again after the log has grown`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let noted = try await head(user)
    #expect(try await user.value("log")["head"] == .null)
    try await user.addPerson("Bob")
    #expect(try await head(user) != noted)
    let page = try await user.value("log --noted \(noted) --limit 0")
    // A comparison says nothing about a log that was changed, so it verifies the log as well.
    #expect(page["isWhole"] == true && page["firstBad"] == .null)
    await user.stop()
  }

  @Test func `a log without the noted entry is intact and still an error`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    let parts = try await head(user).split(separator: ":").map(String.init)
    try #require(parts.count == 2)
    let (number, code) = (parts[0], parts[1])
    let other = String(code.dropLast()) + (code.hasSuffix("0") ? "1" : "0")
    for missing in ["\(number):\(other)", "9999:\(code)", "\(number):\(code)00"] {
      let report = await user.report("log --noted \(missing) --limit 0")
      #expect(report?.code == "wsabi.log-replaced" && report?.exitStatus == 5, "\(missing): \(report as Any)")
    }
    #expect(try await user.value("log --verify --limit 0")["isWhole"] == true)
    await user.stop()
  }

  @Test func `an older copy of the whole folder is detected by a later noted head`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try await user.run("store lock")
    let copy = user.keyFile + ".copy"
    try FileManager.default.copyItem(atPath: user.home, toPath: copy)
    try await user.run("person add --first-name Bob --key-file \(user.keyFile)")
    let noted = try await head(user)
    await user.stop()
    let older = try await TestPlugin(WSABIPlugin(), home: copy)
    let key = "--key-file \(user.keyFile)"
    #expect(try await older.run(line: "log --verify --limit 0 \(key)").value["isWhole"] == true)
    let refused = await #expect(throws: ErrorReport.self) {
      _ = try await older.run(line: "log --noted \(noted) --limit 0 \(key)")
    }
    #expect(refused?.code == "wsabi.log-replaced")
    // The copy grows past the noted number, and is still another log.
    for name in 1...9 { _ = try await older.run(line: "person add --first-name P\(name) \(key)") }
    let later = await #expect(throws: ErrorReport.self) {
      _ = try await older.run(line: "log --noted \(noted) --limit 0 \(key)")
    }
    #expect(later?.code == "wsabi.log-replaced")
  }

  @Test func `a new master key gives all entries new codes, so the head must be noted again`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    let noted = try await head(user)
    try await user.run("store change-master-key --key-file \(user.keyFile)")
    #expect(await user.report("log --noted \(noted) --limit 0")?.code == "wsabi.log-replaced")
    let again = try await head(user)
    #expect(try await user.value("log --noted \(again) --limit 0")["isWhole"] == true)
    await user.stop()
  }

  @Test func `a text that is not a head is refused, also an empty one`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    for text in ["", "5", "5:", ":ab", "-1:ab", "5:xyz", "a:b"] {
      let refused = await #expect(throws: ErrorReport.self) {
        _ = try await user.plugin.run("log", ["noted": .text(text)])
      }
      #expect(refused?.code == "wsabi.bad-head" && refused?.exitStatus == 2, "\(text)")
    }
    await user.stop()
  }
}
