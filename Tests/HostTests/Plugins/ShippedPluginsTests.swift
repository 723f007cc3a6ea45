import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Tests of an installed tree whose plugins were examined at installation.
struct ShippedPluginsTests {
  private let folder: TemporaryFolder
  private let installation: HostInstallation
  private let program: URL
  private let library: URL

  init() throws {
    folder = try TemporaryFolder()
    program = folder.url("bin/workbench")
    try FileManager.default.createDirectory(
      at: program.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: program, withDestinationURL: BuiltProgram.workbench)
    library = try folder.write(try PluginFixture.misbehaving.get(), "lib/workbench/libMisbehaving.so")
    installation = HostInstallation(folder: program.deletingLastPathComponent().path)
    try folder.write(ShippedPlugins.bytes(installation), "share/workbench/plugins.registry")
  }

  /// Returns an examiner without a cache, as in a home that cannot be written.
  private func examiner() -> PluginExaminer {
    PluginExaminer(registry: PluginRegistry(path: "", owner: ""), probe: PluginProbe(installation: installation))
  }

  /// Makes every probe from now on fail and leave a file.
  private func forbidProbes() throws {
    try FileManager.default.removeItem(at: program)
    try folder.write(Array("#!/bin/sh\ntouch \(folder.url("probed").path)\nexit 1\n".utf8), "bin/workbench")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
  }

  private var wasProbed: Bool { FileManager.default.fileExists(atPath: folder.url("probed").path) }

  @Test func `shipped plugins are not probed again, even without a cache`() throws {
    let examiner = examiner()
    try forbidProbes()
    let known = try #require(examiner.look(at: library.path, isTrusted: true).dossier)
    guard case .usable = examiner.probed(known).verdict else {
      Issue.record("\(known.verdict)")
      return
    }
    #expect(known.path == library.path && known.stamp?.id == "misbehaving")
    #expect(!wasProbed)
  }

  @Test func `a replaced library is probed`() throws {
    try folder.write(try PluginFixture.misbehaving.get() + [0], "lib/workbench/libMisbehaving.so")
    let examiner = examiner()
    try forbidProbes()
    let unknown = try #require(examiner.look(at: library.path, isTrusted: true).dossier)
    #expect(unknown.verdict == .unprobed)
    guard case .refused = examiner.probed(unknown).verdict else {
      Issue.record("the probe did not fail")
      return
    }
    #expect(wasProbed)
  }
}
