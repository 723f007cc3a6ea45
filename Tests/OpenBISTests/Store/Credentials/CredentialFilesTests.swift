import Glibc
import PluginAPI
import Testing

@testable import OpenBIS

/// Tokens and passwords in files.
struct CredentialFilesTests {
  /// A folder that is removed after the test.
  private final class Folder: Sendable {
    let path: String

    init() {
      var template = Array("/tmp/openbis-credentials-XXXXXX".utf8CString)
      path = template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
      }
    }

    deinit {
      for name in names(in: "/secrets") { unlink(path + "/secrets/" + name) }
      for name in names(in: "") { unlink(path + "/" + name) }
      rmdir(path + "/secrets")
      rmdir(path)
    }

    func names(in part: String) -> [String] {
      guard let stream = opendir(path + part) else { return [] }
      defer { closedir(stream) }
      var names: [String] = []
      while let entry = readdir(stream) {
        names.append(
          withUnsafePointer(to: entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
          })
      }
      return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    func mode(_ name: String) -> UInt32 {
      var status = stat()
      return lstat(path + name, &status) == 0 ? status.st_mode & 0o777 : 0
    }
  }

  @Test func `stored secrets are found by account and kind`() throws {
    let folder = Folder()
    let files = CredentialFiles(folder: folder.path + "/secrets")
    #expect(try files.secret(.token, of: "a") == nil)
    try files.keep(Secret("token-a\n\u{0}é"), as: .token, of: "a")
    try files.keep(Secret("swordfish"), as: .password, of: "a")
    try files.keep(Secret("token-b"), as: .token, of: "lab.example.org_8443-peter")
    #expect(try files.secret(.token, of: "a")?.text == "token-a\n\u{0}é")
    #expect(try files.secret(.password, of: "a")?.text == "swordfish")
    #expect(try files.secret(.token, of: "lab.example.org_8443-peter")?.text == "token-b")
    try files.keep(Secret("token-c"), as: .token, of: "a")
    #expect(try files.secret(.token, of: "a")?.text == "token-c")
    try files.keep(nil, as: .password, of: "a")
    #expect(try files.secret(.password, of: "a") == nil)
  }

  @Test func `only the owner can read the files, and file names contain no secrets`() throws {
    let folder = Folder()
    let files = CredentialFiles(folder: folder.path + "/secrets")
    try files.keep(Secret("token-a"), as: .token, of: "a")
    #expect(folder.mode("/secrets") == 0o700 && folder.mode("/secrets/a.token") == 0o600)
    #expect(folder.names(in: "/secrets") == ["a.token"])
    // Permissions loosened by hand are tightened again.
    chmod(folder.path + "/secrets", 0o755)
    chmod(folder.path + "/secrets/a.token", 0o644)
    #expect(try files.secret(.token, of: "a")?.text == "token-a")
    #expect(folder.mode("/secrets/a.token") == 0o600)
    try files.keep(Secret("swordfish"), as: .password, of: "a")
    #expect(folder.mode("/secrets") == 0o700 && folder.mode("/secrets/a.password") == 0o600)
  }

  @Test func `missing folders are created`() throws {
    let folder = Folder()
    try CredentialFiles(folder: folder.path + "/secrets/deep").keep(Secret("token"), as: .token, of: "a")
    #expect(folder.mode("/secrets") == 0o700 && folder.mode("/secrets/deep") == 0o700)
    unlink(folder.path + "/secrets/deep/a.token")
    rmdir(folder.path + "/secrets/deep")
  }

  @Test func `forgetting removes all secrets of an account and none of others`() throws {
    let folder = Folder()
    let files = CredentialFiles(folder: folder.path + "/secrets")
    for account in ["a", "ab"] {
      try files.keep(Secret("token"), as: .token, of: account)
      try files.keep(Secret("swordfish"), as: .password, of: account)
    }
    // Left by a crash during writing.
    symlink("nowhere", folder.path + "/secrets/a.token.12-34.part")
    try files.forget("a")
    try files.forget("a")
    #expect(folder.names(in: "/secrets") == ["ab.password", "ab.token"])
  }

  @Test(arguments: ["", ".", "..", "a/b", "../a", ".hidden", "a b", "ä", "a\u{0}", String(repeating: "a", count: 201)])
  func `account names that lead out of the folder are refused`(account: String) throws {
    let folder = Folder()
    let files = CredentialFiles(folder: folder.path + "/secrets")
    #expect(throws: CredentialError.badAccount(account)) { try files.keep(Secret("t"), as: .token, of: account) }
    #expect(throws: CredentialError.badAccount(account)) { try files.secret(.token, of: account) }
    #expect(throws: CredentialError.badAccount(account)) { try files.forget(account) }
    #expect(folder.names(in: "").isEmpty)
  }

  @Test func `links are not followed, and the stored secret stays if writing fails`() throws {
    let folder = Folder()
    let files = CredentialFiles(folder: folder.path + "/secrets")
    try files.keep(Secret("token"), as: .token, of: "a")
    symlink(folder.path + "/secrets/a.token", folder.path + "/secrets/b.token")
    #expect(throws: ErrorReport.self) { try files.secret(.token, of: "b") }
    #expect(throws: ErrorReport.self) {
      try files.keep(Secret(String(repeating: "x", count: 65 << 10)), as: .token, of: "a")
    }
    #expect(try files.secret(.token, of: "a")?.text == "token")
    symlink(folder.path + "/secrets", folder.path + "/link")
    let linked = CredentialFiles(folder: folder.path + "/link")
    let error = #expect(throws: ErrorReport.self) { try linked.keep(Secret("swordfish"), as: .password, of: "a") }
    #expect(error?.report.code == "openbis.credentials-unwritable")
    #expect(error?.report.message.contains("swordfish") == false)
    #expect(folder.names(in: "/secrets") == ["a.token", "b.token"])
  }
}
