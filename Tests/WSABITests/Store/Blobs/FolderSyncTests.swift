import Foundation
import PluginAPI
import PluginStore
import TestSupport
import Testing

@testable import WSABI

struct FolderSyncTests {
  @Test func `a missing folder is an error for each caller, and works once it exists`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.path + "/incoming"
    let sync = FolderSync()
    for _ in 0..<2 {
      #expect(throws: VaultError.file(path: path, number: ENOENT)) { try sync.synchronize(path) }
    }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try sync.synchronize(path)
  }

  @Test func `concurrent synchronizations all complete`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path.path
    let sync = FolderSync()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          try await OwnThread.value { _ in
            #expect(FileManager.default.createFile(atPath: "\(path)/\(number)", contents: nil))
            try sync.synchronize(path)
          }
        }
      }
      try await group.waitForAll()
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: ErrorReport.self) { try sync.synchronize(path) }
  }
}
