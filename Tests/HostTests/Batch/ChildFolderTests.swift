import Foundation
import TestSupport
import Testing

@testable import Host

/// The temporary folders of batch children, whose processes may be killed.
struct ChildFolderTests {
  private let parent: TemporaryFolder

  init() throws { parent = try TemporaryFolder() }

  private var names: Set<String> { Set(HostFile.names(in: parent.path.path)) }

  @Test func `a folder stays while its worker or its child has it, and is removed afterwards`() throws {
    let folder = try ChildFolder.make(under: parent.path.path)
    try HostFile.write([1], to: folder.path + "/plugins/state", makesFolder: true)
    // A child inherits the open folder.
    let inherited = dup(folder.descriptor)
    ChildFolder.removeAbandoned(under: parent.path.path)
    #expect(names.count == 1)
    folder.close()
    ChildFolder.removeAbandoned(under: parent.path.path)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/plugins/state"))
    close(inherited)
    ChildFolder.removeAbandoned(under: parent.path.path)
    #expect(names.isEmpty)
  }

  @Test func `other folders, files and links are kept`() throws {
    let target = try TemporaryFolder()
    let path = parent.path.path
    try HostFile.makeFolder(path + "/workbench-batch-Ab12Cd")
    try HostFile.write([1], to: path + "/workbench-batch-child-file")
    #expect(symlink(target.path.path, path + "/workbench-batch-child-link") == 0)
    ChildFolder.removeAbandoned(under: path)
    #expect(names == ["workbench-batch-Ab12Cd", "workbench-batch-child-file", "workbench-batch-child-link"])
    #expect(FileManager.default.fileExists(atPath: target.path.path))
    ChildFolder.removeAbandoned(under: path + "/absent")
  }

  @Test func `folders are made while other processes remove abandoned ones`() throws {
    let path = parent.path.path
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for _ in 0..<50 {
        if number.isMultiple(of: 2) {
          ChildFolder.removeAbandoned(under: path)
        } else if let folder = try? ChildFolder.make(under: path) {
          let isThere = access(folder.path, F_OK) == 0
          #expect(isThere)
          folder.close()
        } else {
          Issue.record("no folder was made")
        }
      }
    }
    ChildFolder.removeAbandoned(under: path)
    #expect(names.isEmpty)
  }
}
