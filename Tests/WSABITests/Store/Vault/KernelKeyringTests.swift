import Foundation
import PluginAPI
import PluginTesting
import PluginVault
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The keys stored in the kernel, as it lists them.
private enum KeptKeys {
  static let isAllowed: Bool = {
    guard (try? Vault.open()) != nil else { return false }
    let keyring = KernelKeyring(folder: "/tests/\(UUID())")
    defer { keyring.drop() }
    return keyring.put(WrappingKey(kind: 1, key: DataKey()), seconds: 60) == nil && KeptKeys.timeout(keyring) != nil
  }()

  /// Returns the remaining time of a key in the kernel's short form, such as `59s` or `14m`; `expd` for an expired key,
  /// nil for a missing one.
  ///
  /// - Source: proc_keys(5) of the Linux manual.
  static func timeout(_ keyring: KernelKeyring) -> String? {
    let lines = (try? String(contentsOfFile: "/proc/keys", encoding: .utf8))?.split(separator: "\n") ?? []
    let fields = lines.filter { $0.contains(" \(keyring.name): ") }.map { $0.split(separator: " ") }
    // A dropped key is listed for a while, before or after its replacement: revoked, dead or invalid.
    return fields.last { !$0[1].contains { "RDi".contains($0) } }.map { String($0[3]) }
  }
}

/// Keys stored in the kernel for a limited time; skipped where it stores none, as in some containers.
@Suite(.enabled(if: KeptKeys.isAllowed, "cannot store the key in the kernel"), .timeLimit(.minutes(2)))
struct KernelKeyringTests {
  init() throws { try Vault.open() }

  private func bytes(_ key: DataKey) -> [UInt8] { key.withBytes { Array(UnsafeBufferPointer(start: $0, count: 32)) } }

  @Test func `a key is returned as stored until it is dropped`() throws {
    let keyring = KernelKeyring(folder: "/tests/\(UUID())")
    defer { keyring.drop() }
    #expect(keyring.take(seconds: 60) == nil && !keyring.drop())
    for kind in 1...2 {
      let key = DataKey()
      #expect(keyring.put(WrappingKey(kind: kind, key: key), seconds: 60) == nil)
      let taken = try #require(keyring.take(seconds: 60))
      #expect(taken.kind == kind && bytes(taken.key) == bytes(key))
    }
    #expect(KernelKeyring(folder: "/tests/\(UUID())").take(seconds: 60) == nil)
    #expect(keyring.drop())
    #expect(keyring.take(seconds: 60) == nil && !keyring.drop())
  }

  @Test func `each use of a key restarts its timeout`() throws {
    let keyring = KernelKeyring(folder: "/tests/\(UUID())")
    defer { keyring.drop() }
    #expect(keyring.put(WrappingKey(kind: 1, key: DataKey()), seconds: 40) == nil)
    #expect(KeptKeys.timeout(keyring)?.hasSuffix("s") == true)
    #expect(keyring.take(seconds: 900) != nil)
    #expect(["14m", "15m"].contains(KeptKeys.timeout(keyring)))
  }

  @Test func `an expired key is not returned`() async {
    let keyring = KernelKeyring(folder: "/tests/\(UUID())")
    defer { keyring.drop() }
    #expect(keyring.put(WrappingKey(kind: 1, key: DataKey()), seconds: 1) == nil)
    // The kernel measures the second.
    await until { [nil, "expd"].contains(KeptKeys.timeout(keyring)) }
    #expect(keyring.take(seconds: 60) == nil)
  }

  @Test func `the key cached by 'store unlock' opens the store for other processes until 'store lock'`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    let keyring = KernelKeyring(folder: try user.store().folder)
    defer { keyring.drop() }
    try await user.run("store lock")
    try user.plugin.context.set("idle-lock", to: 1)
    let unlocked = try await user.run("store unlock --key-file \(user.keyFile)")
    #expect(unlocked.value["isLocked"] == false && unlocked.diagnostics.isEmpty)
    let timeout = try #require(KeptKeys.timeout(keyring))
    #expect(timeout == "1m" || timeout.hasSuffix("s"))
    let other = try await user.restarted()
    _ = try await other.run(line: "person list")
    #expect(["14m", "15m"].contains(KeptKeys.timeout(keyring)), "each use restarts the timeout, by the user's setting")
    // The cached key opens the store, but does not prove the user's identity.
    let needed = await #expect(throws: ErrorReport.self) { _ = try await other.run(line: "store purge") }
    #expect(needed?.code == "wsabi.key-needed" && needed?.message.contains("even after 'store unlock'") == true)
    #expect(needed?.advice?.contains("'--passphrase-stdin'") == true)
    #expect(needed?.advice?.contains("store unlock") == false)
    try await user.run("store lock")
    #expect(keyring.take(seconds: 60) == nil)
    let third = try await user.restarted()
    await #expect(throws: StationError.keyNeeded) { _ = try await third.run(line: "person list") }
    await user.stop()
  }

  @Test func `the status shows whether the next command finds the store locked`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    let keyring = KernelKeyring(folder: try user.store().folder)
    defer { keyring.drop() }
    func status() async throws -> Value { try await user.restarted().run(line: "store status").value }
    #expect(try await status()["isLocked"] == true)
    try await user.run("store unlock --key-file \(user.keyFile)")
    let count = try await user.store().auditCount()
    try await user.run("store lock")
    #expect(try await status()["isLocked"] == true)
    try user.plugin.context.set("idle-lock", to: 1)
    try await user.run("store unlock --key-file \(user.keyFile)")
    let open = try await status()
    #expect(open["isLocked"] == false && open["user"] == "anna" && open["role"] == "admin")
    // The status opens nothing and does not restart the timeout.
    #expect(try await user.store().auditCount() == count + 2)
    let timeout = try #require(KeptKeys.timeout(keyring))
    #expect(timeout == "1m" || timeout.hasSuffix("s"))
    #expect(keyring.put(WrappingKey(kind: 2, key: DataKey()), seconds: 60) == nil)
    #expect(try await status()["isLocked"] == true)
    await user.stop()
  }

  @Test func `a cached key is dropped after a key change, or if it does not open the store`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    let keyring = KernelKeyring(folder: try user.store().folder)
    defer { keyring.drop() }
    try await user.run("store unlock --key-file \(user.keyFile)")
    let new = "\(user.keyFile).new"
    try await user.run("store change-key --key-file \(user.keyFile) --new-key-file \(new)")
    #expect(keyring.take(seconds: 60) == nil)
    #expect(keyring.put(WrappingKey(kind: 2, key: DataKey()), seconds: 60) == nil)
    let other = try await user.restarted()
    await #expect(throws: StationError.keyNeeded) { _ = try await other.run(line: "person list") }
    #expect(keyring.take(seconds: 60) == nil)
    _ = try await other.run(line: "person list --key-file \(new)")
    await user.stop()
  }
}
