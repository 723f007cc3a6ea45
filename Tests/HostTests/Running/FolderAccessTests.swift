import Foundation
import Glibc
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// The folders that scripts and agents may use.
@Suite struct FolderAccessTests {
  @Test func `a path is resolved through links, even if its file does not exist`() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], "real/file")
    let base = try #require(FilePath.real(folder.path.path))
    #expect(symlink(base + "/real", base + "/link") == 0)
    #expect(FolderAccess.resolved(base + "/link/file") == base + "/real/file")
    #expect(FolderAccess.resolved(base + "/link/new") == base + "/real/new")
    #expect(FolderAccess.resolved(base + "/link/new/deep//./file") == base + "/real/new/deep/file")
    #expect(FolderAccess.resolved("/nonexistent") == "/nonexistent")
    #expect(FolderAccess.resolved("/") == "/")
  }

  @Test func `dangling links, '..' below missing folders and endless paths are refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], "root/file")
    let base = folder.path.path
    #expect(symlink(base + "/outside", base + "/root/link") == 0 && symlink("loop", base + "/root/loop") == 0)
    for path in ["link", "link/file", "loop", "none/../file", "none/.."] {
      #expect(FolderAccess.resolved(base + "/root/" + path) == nil, "\(path)")
    }
    #expect(FolderAccess.resolved(String(repeating: "/a", count: 1 << 20)) == nil)
  }

  @Test func `access to a folder includes its contents, not its neighbors`() {
    let access = FolderAccess.folders(["/nonexistent/a"])
    #expect(access.includes("/nonexistent/a") && access.includes("/nonexistent/a/b"))
    #expect(!access.includes("/nonexistent/ab") && !access.includes("/nonexistent"))
    #expect(FolderAccess.folders(["/"]).includes("/nonexistent") && FolderAccess.everything.includes("/x"))
    #expect(!FolderAccess.folders([]).includes("/x"))
  }

  @Test func `a script cannot write through a dangling link`() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], "root/file")
    let root = folder.url("root").path
    #expect(symlink(folder.url("outside").path, root + "/link") == 0)
    let permissions = LuaPermissions(writing: .named([root], everything: false))
    #expect(throws: ErrorReport.self) { try permissions.checkWriting(root + "/link") }
    try permissions.checkWriting(root + "/new")
  }
}
