import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

struct HostFileTests {
  private func mode(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }

  @Test func `synchronizing a missing file is an error, and a device needs no synchronizing`() throws {
    try HostFile.synchronize(file: "/dev/null")
    #expect(throws: HostFileError.cannot(.read, "/nonexistent/file", code: ENOENT)) {
      try HostFile.synchronize(file: "/nonexistent/file")
    }
  }

  @Test func `a new file is private, and its folders are created on request`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("a/b/file")
    #expect(throws: HostFileError.cannot(.write, file.path, code: ENOENT)) { try HostFile.write([1], to: file.path) }
    try HostFile.write([1, 2], to: file.path, makesFolder: true)
    #expect(try HostFile.read(file.path) == [1, 2])
    #expect(try mode(file) == 0o600)
    #expect(HostFile.names(in: folder.url("a/b").path) == ["file"])
  }

  @Test func `a file requested by the user has the mode of the umask`() throws {
    let folder = try TemporaryFolder()
    let mask = umask(0)
    umask(mask)
    let (picture, record) = (folder.url("picture.png"), folder.url("record.wbs"))
    try HostFile.write([1], to: picture.path, mode: HostFile.resultMode)
    try HostFile.append([1], to: record.path)
    #expect(try mode(picture) == Int(0o666 & ~mask) && mode(record) == Int(0o666 & ~mask))
  }

  @Test func `a replaced file keeps its mode, and a link to it remains a link`() throws {
    let folder = try TemporaryFolder()
    let (file, link) = (folder.url("file"), folder.url("link"))
    try HostFile.write([1], to: file.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    try HostFile.write([2], to: link.path)
    #expect(try HostFile.read(file.path) == [2])
    #expect(try mode(file) == 0o666)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
  }

  @Test func `a device is refused as a device, not as a folder`() {
    #expect(throws: HostFileError.special("/dev/null")) { try HostFile.start(of: "/dev/null", count: 1) }
    #expect(throws: HostFileError.cannot(.read, "/dev", code: EISDIR)) { try HostFile.start(of: "/dev", count: 1) }
    let report = HostFileError.special("/dev/null").report
    #expect(report.code == "host.unreadable-file" && report.message.contains("not a regular file"))
  }

  @Test func `files left by a killed process do not block writing and can be removed`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("file")
    for number in 0..<500 { try folder.write([9], "file.\(getpid())-\(number).new") }
    try HostFile.write([3], to: file.path)
    #expect(try HostFile.read(file.path) == [3])
    #expect(HostFile.names(in: folder.path.path).count >= 500)
    try HostFile.remove(folder.path.path)
    #expect(HostFile.size(folder.path.path) == nil)
  }
}
